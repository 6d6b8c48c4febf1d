#include "shard_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "option_text.hpp"
#include "standard_streams.hpp"

namespace greybox::apps {
namespace {

std::vector<std::string> program_arguments;
std::optional<std::filesystem::path> only_folder;

constexpr const char* kHelp = "give which of how many it is, for instance --shard 1/4 to --shard 4/4";

std::optional<std::size_t> number_in_environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::nullopt : parse_number<std::size_t>(text);
}

// Numbers of an array's jobs begin and step as the user likes.
Shard shard_of_slurm() {
  const auto id = number_in_environment("SLURM_ARRAY_TASK_ID"),
             count = number_in_environment("SLURM_ARRAY_TASK_COUNT");
  if (!id || !count || *count < 2) return {};
  const std::size_t first = number_in_environment("SLURM_ARRAY_TASK_MIN").value_or(0),
                    step = number_in_environment("SLURM_ARRAY_TASK_STEP").value_or(1);
  const bool is_regular =
      *id >= first && step > 0 && (*id - first) % step == 0 && (*id - first) / step < *count;
  if (!is_regular)
    refuse_flag(
        "--shard",
        fmt::format("SLURM_ARRAY_TASK_ID is {}, and which of the {} jobs that is cannot be told", *id,
                    *count),
        "number the jobs without gaps (sbatch --array=1-8), or give --shard I/N; --shard 1/1 is everything");
  const Shard shard{(*id - first) / step + 1, *count};
  tell_line(fmt::format("shard {}/{}, as SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT say", shard.index,
                        shard.count));
  return shard;
}

// Without the shard, and without what results do not depend on.
std::vector<std::string> command_of_all() {
  std::vector<std::string> command;
  for (std::size_t i = 0; i < program_arguments.size(); ++i) {
    const std::string& argument = program_arguments[i];
    bool is_left_out = false;
    for (const std::string flag : {"--shard", "--threads"}) {
      if (argument == flag) ++i;
      is_left_out |= argument == flag || argument.starts_with(flag + "=");
    }
    if (!is_left_out) command.push_back(argument);
  }
  return command;
}

bool is_within(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const std::filesystem::path real = std::filesystem::weakly_canonical(path);
  return std::mismatch(folder.begin(), folder.end(), real.begin(), real.end()).first == folder.end();
}

}  // namespace

void add_shard_option(CLI::App& command, std::string& shard) {
  command.add_option(
      "--shard", shard,
      "I/N: of the trainings or trials only every N-th, from the I-th on, for one of N jobs; by "
      "default as Slurm numbers a job array. `greybox merge` joins the shards");
}

void allow_results_only_in(const std::filesystem::path& folder) {
  only_folder = std::filesystem::weakly_canonical(folder);
}

void check_place_of_results(const std::filesystem::path& folder) {
  if (only_folder && !is_within(std::filesystem::absolute(folder), *only_folder))
    refuse_flag(folder.string(), "the command of the shards writes here, outside the folder that is merged",
                "if you trust it, give that command yourself: the trainings that are done are not repeated");
}

Shard parse_shard(const std::string& text) {
  if (text.empty()) return shard_of_slurm();
  const OptionText option{"--shard", text, kHelp};
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) option.refuse(0, text.size(), "this does not say which shard of how many");
  Shard shard;
  shard.index = option.number<std::size_t>(0, slash, "the number of a shard");
  shard.count = option.number<std::size_t>(slash + 1, text.size(), "a number of shards");
  return shard;
}

void remember_arguments(int argc, const char* const* argv) {
  program_arguments.assign(argv + std::min(argc, 1), argv + argc);
}

void end_shard(const std::filesystem::path& folder, const Shard& shard, const std::string& what_was_done) {
  write_shard_record(folder, {shard, command_of_all(), std::filesystem::current_path()});
  fmt::print("shard {}/{}: {}\nwhen all {} have finished: greybox merge {}\n", shard.index, shard.count,
             what_was_done, shard.count, folder.string());
}

}  // namespace greybox::apps
