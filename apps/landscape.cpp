// greybox landscape RUN [--vary a=0:2:101 --vary c] [--regularizer EXPRESSION]… [--split test] [--seeds N] …
#include <fmt/format.h>

#include <algorithm>
#include <greybox/counted.hpp>
#include <greybox/landscape.hpp>
#include <memory>
#include <optional>

#include "analysis_options.hpp"
#include "at_option.hpp"
#include "command.hpp"
#include "command_shape.hpp"
#include "flag_names.hpp"
#include "landscape_text.hpp"
#include "option_text.hpp"
#include "picture_options.hpp"
#include "processes.hpp"
#include "progress_display.hpp"
#include "shard_option.hpp"
#include "split_option.hpp"
#include "standard_streams.hpp"
#include "vary_option.hpp"
#include "view_option.hpp"
#include "window_option.hpp"

namespace greybox::apps {
namespace {

struct LandscapeArguments {
  LandscapeOptions options;
  std::filesystem::path run, data, output;
  std::vector<std::filesystem::path> with;
  std::vector<std::string> vary;
  std::string at, view, split, window, shard, precision = "double";
  std::size_t n_threads = 0;
  PictureArguments picture;
  bool verdicts = true;
  bool json = false;
};

struct LandscapeResults {
  Landscape landscape;
  std::optional<Verdicts> verdicts;
};

Selection selection_of(const LandscapeArguments& arguments) {
  if (arguments.window.empty()) return parse_splits(arguments.split);
  if (!arguments.split.empty() || arguments.options.n_windows > 0)
    refuse_flag("--window", "one window is asked for, and a split as well", "leave out --split and --sample");
  return parse_window(arguments.window);
}

// Without its execution.
LandscapeOptions options_of(const LandscapeArguments& arguments, const Run& run) {
  LandscapeOptions options = arguments.options;
  options.vary = parse_vary(arguments.vary);
  const AtChoice at = parse_at(arguments.at);
  options.reference = at.reference;
  options.at = at.values;
  options.plane = parse_view(arguments.view);
  options.on = selection_of(arguments);
  options.single_precision = arguments.precision == "float";
  options.data = read_data(run, arguments.data);
  for (const std::filesystem::path& folder : arguments.with) options.with.push_back(Run::open(folder));
  return options;
}

// On what the landscape is of. Warnings that the landscape has already are left out.
Verdicts judge_like(const Landscape& landscape, const LandscapeOptions& options, const Run& run) {
  Verdicts verdicts = judge(run, {.regularizers = options.regularizers,
                                  .on = options.on,
                                  .n_windows = options.n_windows,
                                  .data = options.data,
                                  .held = options.at,
                                  .seeds = options.seeds,
                                  .with = options.with,
                                  .seed = options.seed,
                                  .execution = options.execution});
  std::erase_if(verdicts.warnings, [&](const std::string& warning) {
    return std::ranges::find(landscape.warnings, warning) != landscape.warnings.end();
  });
  return verdicts;
}

LandscapeResults compute(const LandscapeArguments& arguments, const Run& run) {
  LandscapeOptions options = options_of(arguments, run);
  ProgressDisplay display(landscape_plan(arguments.verdicts));
  options.execution = display.cancellable(arguments.n_threads);
  LandscapeResults results{landscape(run, options), {}};
  leave_if_helper();
  options.execution.communicator = nullptr;
  if (arguments.verdicts) results.verdicts = judge_like(results.landscape, options, run);
  results.landscape.warnings = with_flags(results.landscape.warnings);
  if (results.verdicts) results.verdicts->warnings = with_flags(results.verdicts->warnings);
  return results;
}

// What the account of a grid says itself is not said twice.
std::vector<std::string> told_nowhere_else(const Landscape& landscape) {
  std::vector<std::string> warnings = landscape.warnings;
  std::erase_if(warnings, [&](const std::string& warning) {
    return std::ranges::any_of(landscape.grids,
                               [&](const LandscapeGrid& grid) { return grid.adaptivity == warning; });
  });
  return warnings;
}

// Another landscape that is there moves aside, and back when this one cannot be written.
std::vector<std::filesystem::path> write_beside_others(const Landscape& landscape,
                                                       const std::filesystem::path& folder,
                                                       const Verdicts* verdicts) {
  const std::filesystem::path aside = set_aside_other_landscape(landscape, folder);
  if (aside.empty()) return write_landscape(landscape, folder, verdicts);
  try {
    std::vector<std::filesystem::path> files = write_landscape(landscape, folder, verdicts);
    tell_line(
        fmt::format("the other landscape that was in {} is now in {}", folder.string(), aside.string()));
    return files;
  } catch (...) {
    std::filesystem::remove_all(folder);
    std::filesystem::rename(aside, folder);
    throw;
  }
}

void train_shard(const LandscapeArguments& arguments, const Run& run, const Shard& shard) {
  LandscapeOptions options = options_of(arguments, run);
  options.shard = shard;
  if (options.seeds < 2 && options.retrain == 0)
    refuse_flag("--shard", "shards share the trainings of --seeds and --retrain, and there are none",
                "ask for several networks, for instance --seeds 8, or leave out --shard");
  ProgressDisplay display;
  options.execution = display.cancellable(arguments.n_threads);
  const TrainedNetworks trained = train_networks(run, options);
  leave_if_helper();
  end_shard(run.folder(), shard,
            fmt::format("{} {} in {}, {} from before", counted(trained.n_trainings, "training"),
                        trained.n_trainings == 1 ? "is" : "are", run.folder().string(), trained.n_kept));
}

void run(const LandscapeArguments& arguments) {
  const PictureStyle style = style_of(arguments.picture);
  const Shard shard = parse_shard(arguments.shard);
  const Run run = Run::open(arguments.run);
  if (!shard.is_whole()) return train_shard(arguments, run, shard);
  const std::filesystem::path folder = output_or(arguments.output, run, "landscape");
  for (const std::filesystem::path& place : {run.folder(), folder}) check_place_of_results(place);
  const auto [landscape, judged] = compute(arguments, run);
  const Verdicts* verdicts = judged ? &*judged : nullptr;
  std::vector<std::filesystem::path> files = write_beside_others(landscape, folder, verdicts);
  draw_again(landscape, folder, style, files);
  print_warnings(arguments.json ? landscape.warnings : told_nowhere_else(landscape));
  if (verdicts != nullptr) print_warnings(verdicts->warnings);
  if (arguments.json) return print_json(to_json(landscape, verdicts), files);
  const auto record = run.record();
  const bool fits = !record || !record->fit || record->fit->word != FitWord::does_not_fit;
  print_landscape(landscape, verdicts, fits);
  print_files(files);
}

void add_grid_options(CLI::App& command, LandscapeArguments& arguments) {
  LandscapeOptions& options = arguments.options;
  add_vary_option(command, arguments.vary);
  command.add_option(
      "--at", arguments.at,
      "Values of parameters that are not varied, name=value,…; or `estimator` or `estimate` for "
      "theirs");
  command.add_option("--view", arguments.view,
                     "A plane through all parameters instead: random, pca or pca:REGULARIZER");
  command.add_option("--seed", options.seed, "Of --sample, --view and --retrain");
  command.add_flag("--exact", options.exact, "Compute every θ, even where values can be interpolated");
}

void add_window_options(CLI::App& command, LandscapeArguments& arguments) {
  command.add_option(
      "--split", arguments.split,
      "train, validation, test, several joined by +, or all; by default validation if there is "
      "one, else train");
  command.add_option("--window", arguments.window, "One window: its number from 0, or SERIES:TIME");
  add_data_option(command, arguments.data);
  command.add_option("--sample", arguments.options.n_windows,
                     "Use only so many windows, drawn by --seed from all series and times; by default all");
}

void add_network_options(CLI::App& command, LandscapeArguments& arguments) {
  LandscapeOptions& options = arguments.options;
  command.add_option("--seeds", options.seeds,
                     "Bands from so many networks: the run's and others that are trained with further seeds, "
                     "kept in RUN/seeds");
  command.add_option("--with", arguments.with, "Bands from further finished runs of the same model");
  command.add_option("--retrain", options.retrain,
                     "Compare with so many trainings at fixed θ, kept in RUN/retrained; by default none");
  add_shard_option(command, arguments.shard);
}

}  // namespace

void add_landscape(CLI::App& app) {
  auto arguments = std::make_shared<LandscapeArguments>();
  CLI::App* command =
      app.add_subcommand("landscape", "Regularizers and errors of a trained model over its parameters");
  add_run_option(*command, arguments->run);
  add_further_regularizers_option(*command, arguments->options.regularizers);
  add_grid_options(*command, *arguments);
  add_window_options(*command, *arguments);
  add_network_options(*command, *arguments);
  add_picture_options(*command, arguments->picture);
  command->add_option(
      "-o,--output", arguments->output,
      "Folder for npz, CSV, JSON and pictures; by default RUN/landscape. Another landscape that is there is "
      "kept beside it");
  command->add_flag("!--no-verdicts", arguments->verdicts, "Maps only: no verdicts on the parameters");
  add_precision_option(*command, arguments->precision);
  add_threads_option(*command, arguments->n_threads);
  add_json_option(*command, arguments->json);
  describe(*command, kAsking,
           {"greybox landscape runs/toy", "greybox landscape runs/toy --vary a=0:2:101 --seeds 3",
            "greybox landscape runs/toy --regularizer \"mean(norm2(network)) + a^2\""});
  command->callback([arguments] {
    naming_flags({{"on", arguments->window.empty() ? "--split" : "--window"}}, [&] { run(*arguments); });
  });
}

}  // namespace greybox::apps
