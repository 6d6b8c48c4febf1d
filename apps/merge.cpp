// greybox merge FOLDER: the shards of a job array joined, and the command as if it had run at once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <greybox/counted.hpp>
#include <greybox/shard.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "command_shape.hpp"
#include "option_text.hpp"
#include "shard_option.hpp"
#include "standard_streams.hpp"

namespace greybox::apps {
namespace {

struct MergeArguments {
  std::filesystem::path folder;
  std::size_t n_threads = 0;
};

// Files that the command names may be named relative to where the shards ran.
void go_to(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::current_path(directory, error);
  if (error)
    refuse_flag(directory.string(),
                "the shards ran in this folder, and it cannot be entered: " + error.message(),
                "merge on a computer that has it");
}

// What a file says is no reason to do anything else than finish what is merged.
void check_command(const std::string& name, const std::filesystem::path& folder) {
  constexpr std::array kSharded = {"compare", "landscape", "reproduce"};
  if (std::ranges::find(kSharded, name) == kSharded.end())
    refuse_flag(folder.string(), fmt::format("its shards are of `greybox {}`, which has none", name),
                "remove its folder `shards`, and run the shards again");
  allow_results_only_in(folder);
}

void run(const MergeArguments& arguments, const RunCommand& run_command) {
  const MergedShards merged = merge_shards(arguments.folder);
  check_command(merged.command.front(), arguments.folder);
  tell_line(fmt::format("{} joined, {}; now: greybox {}", counted(merged.n_shards, "shard"),
                        counted(merged.n_trials, "new trial"), fmt::join(merged.command, " ")));
  go_to(merged.directory);
  std::vector<std::string> command = merged.command;
  command.insert(command.end(), {"--shard", "1/1", "--threads", std::to_string(arguments.n_threads)});
  run_command(command);
}

}  // namespace

void add_merge(CLI::App& app, const RunCommand& run_command) {
  auto arguments = std::make_shared<MergeArguments>();
  CLI::App* command = app.add_subcommand(
      "merge", "Join the shards of a job array, and finish the command that they are parts of");
  command
      ->add_option("FOLDER", arguments->folder,
                   "What the shards were run into: a comparison, a reproduction or a run")
      ->required();
  add_threads_option(*command, arguments->n_threads);
  describe(*command, kStudying, {"greybox merge runs/toy-compare-seed0"});
  command->callback([arguments, run_command] { run(*arguments, run_command); });
}

}  // namespace greybox::apps
