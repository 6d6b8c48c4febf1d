// greybox compare MODEL [--lambda 1e-3,1e-2,1e-1] [--trials 20] …, or several models: theories side by side
#include <fmt/format.h>

#include <cmath>
#include <greybox/compare.hpp>
#include <greybox/counted.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "command_shape.hpp"
#include "compare_theories.hpp"
#include "default_folder.hpp"
#include "mode_names.hpp"
#include "option_text.hpp"
#include "picture_options.hpp"
#include "processes.hpp"
#include "progress_display.hpp"
#include "shard_option.hpp"

namespace greybox::apps {
namespace {

// Parts of a series after the first that are tested on.
constexpr std::size_t kTimeFolds = 5;

struct CompareArguments {
  CompareOptions options;
  std::vector<std::filesystem::path> models;
  std::filesystem::path data;
  std::vector<std::string> modes;
  // Empty, "series" or "time".
  std::string folds;
  // Networks behind the verdicts on theories.
  std::size_t seeds = 1;
  std::size_t n_threads = 0;
  std::string shard;
  PictureArguments picture;
  bool json = false;
};

std::string text_of(const MeanAndError& value) {
  if (std::isnan(value.mean)) return "–";
  if (std::isnan(value.standard_error)) return fmt::format("{:.3g}", value.mean);
  return fmt::format("{:.3g} ± {:.2g}", value.mean, value.standard_error);
}

void print(const Comparison& report) {
  fmt::print("{} on test data, mean ± standard error; R is {}\n\n", report.model, report.regularizer);
  fmt::print("{:<14}{:>8}{:>8}  {:<20}{}\n", "mode", "λ", "trials", "L", "R");
  for (const ComparedRow& row : report.rows)
    fmt::print("{:<14}{:>8}{:>8}  {:<20}{}\n", row.mode, row.lambda ? fmt::format("{:g}", *row.lambda) : "–",
               row.trials, text_of(row.loss), text_of(row.regularizer));
}

void print_folds(const Comparison& report) {
  std::size_t width = 11;
  for (const ComparedFold& fold : report.folds) width = std::max(width, fold.tested_on.size() + 2);
  fmt::print("{}, fold by fold\n\n{:<14}{:>8}  {:<{}}{:>16}", report.model, "mode", "λ", "tested on", width,
             "log-lik./value");
  for (const ComparedOutput& output : report.rows.front().outputs)
    fmt::print("{:>16}", "RMSE " + output.name);
  fmt::print("\n");
  const auto number = [](double value) { return std::isnan(value) ? "–" : fmt::format("{:.4g}", value); };
  for (const ComparedFold& fold : report.folds) {
    fmt::print("{:<14}{:>8}  {:<{}}{:>16}", fold.mode, fold.lambda ? fmt::format("{:g}", *fold.lambda) : "–",
               fold.tested_on, width, number(fold.log_likelihood));
    for (const OutputError& output : fold.outputs) fmt::print("{:>16}", number(output.rmse));
    fmt::print("\n");
  }
}

// Over the folds.
void print_means(const Comparison& report) {
  fmt::print("\nmean ± standard error over folds\n\n{:<14}{:>8}{:>8}  {:<20}{:<12}{:<20}{:<20}{}\n", "mode",
             "λ", "folds", "log-lik./value", "variable", "RMSE", "NRMSE", "R²");
  for (const ComparedRow& row : report.rows)
    for (const ComparedOutput& output : row.outputs)
      fmt::print("{:<14}{:>8}{:>8}  {:<20}{:<12}{:<20}{:<20}{}\n", row.mode,
                 row.lambda ? fmt::format("{:g}", *row.lambda) : "–", row.trials, text_of(row.log_likelihood),
                 output.name, text_of(output.rmse), text_of(output.nrmse), text_of(output.r2));
}

// `shard` is set to the part that was done.
Comparison compute(const CompareArguments& arguments, bool has_trials, bool has_lambdas, Shard& shard) {
  const Model model = Model::read(arguments.models.front());
  CompareOptions options = arguments.options;
  if (!arguments.folds.empty()) {
    options.folds = arguments.folds == "series" ? Folds::series : Folds::time;
    options.modes.clear();
    if (!has_lambdas) options.lambdas.clear();
    if (!has_trials && options.folds == Folds::time) options.trials = kTimeFolds;
  }
  if (!arguments.modes.empty()) options.modes.clear();
  for (const std::string& mode : arguments.modes) options.modes.push_back(mode_names().at(mode));
  if (options.folder.empty())
    options.folder = default_folder(
        fmt::format("{}-{}-seed{}", model.name(),
                    arguments.folds.empty() ? "compare" : "folds-" + arguments.folds, options.seed));
  check_place_of_results(options.folder);
  options.shard = parse_shard(arguments.shard);
  ProgressDisplay display;
  options.execution = display.cancellable(arguments.n_threads);
  Comparison comparison = arguments.data.empty() ? compare(model, options)
                                                 : compare(model, model.read_table(arguments.data), options);
  leave_if_helper();
  if (comparison.n_missing > 0)
    throw Interruption(
        fmt::format("interrupted with {} to go; the same command continues (finished trials are in {})",
                    counted(comparison.n_missing, "trial"), comparison.folder.string()));
  shard = options.shard;
  if (!shard.is_whole())
    end_shard(options.folder, shard,
              fmt::format("its trials are in {}, {} of them from before", comparison.folder.string(),
                          comparison.n_kept));
  return comparison;
}

void run(const CompareArguments& arguments, const CLI::App& command) {
  const PictureStyle style = style_of(arguments.picture);
  Shard shard;
  const Comparison comparison =
      compute(arguments, command.count("--trials") > 0, command.count("--lambda") > 0, shard);
  print_warnings(comparison.warnings);
  if (!shard.is_whole()) return;
  std::vector<std::filesystem::path> files = write_comparison(comparison, comparison.folder);
  draw_again(comparison, comparison.folder, style, files);
  if (arguments.json) {
    fmt::print("{}\n", to_json(comparison));
    return;
  }
  if (comparison.folds.empty()) {
    print(comparison);
  } else {
    print_folds(comparison);
    print_means(comparison);
  }
  fmt::print("\nwritten:\n");
  for (const std::filesystem::path& file : files) fmt::print("  {}\n", file.string());
}

// What is of ways to learn alone says nothing about theories.
void refuse_trials(const CLI::App& command) {
  for (const char* flag : {"--lambda", "--trials", "--folds", "--shard"})
    if (command.count(flag) > 0)
      refuse_flag(flag, "several models are compared as theories, each trained once as its file says",
                  "leave it out, or give one model");
}

TheoriesArguments theories_of(const CompareArguments& arguments) {
  if (arguments.modes.size() > 1)
    refuse_flag("--modes", "theories are compared in one mode", "give one mode, or one model");
  TheoriesArguments theories{
      .theories = arguments.models,
      .data = arguments.data,
      .folder = arguments.options.folder,
      .options = {.regularizer = arguments.options.regularizer, .seeds = arguments.seeds},
      .training = {.epochs = arguments.options.epochs, .seed = arguments.options.seed},
      .picture = arguments.picture,
      .n_threads = arguments.n_threads,
      .json = arguments.json};
  if (!arguments.modes.empty()) theories.training.mode = mode_names().at(arguments.modes.front());
  return theories;
}

}  // namespace

void add_compare(CLI::App& app) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand(
      "compare", "Ways to learn one model side by side, or several theories of the same data");
  CompareOptions& options = arguments->options;
  command
      ->add_option("MODEL", arguments->models,
                   "Model file (.toml); several model files or run folders are compared as theories")
      ->required();
  command
      ->add_option("--lambda", options.lambdas,
                   "Weights of the regularizer, e.g. 1e-3,1e-2,1e-1; aphynity has none")
      ->delimiter(',');
  command->add_option(
      "--trials", options.trials,
      "Trials of each kind; by default 20. Of folds: one per series up to so many, or 5 in time");
  command
      ->add_option("--folds", arguments->folds,
                   "Trials leave out one series each (series), or the time after a rolling origin (time)")
      ->check(CLI::IsMember({"series", "time"}));
  command
      ->add_option("--modes", arguments->modes,
                   "Of adaptive,inductive,transductive,aphynity,tailored; by default the first three")
      ->delimiter(',')
      ->check(CLI::IsMember(mode_names()));
  command->add_option("--regularizer", options.regularizer,
                      "A regularizer of the model file, or an expression");
  command->add_option("--data", arguments->data, "Data file; by default the model's own");
  command->add_option("--epochs", options.epochs, "Passes over the training windows");
  command->add_option("--seed", options.seed, "Of the first trial; each further one adds 1");
  command->add_option("--seeds", arguments->seeds,
                      "Of theories: networks behind the verdicts, as for `landscape`");
  add_shard_option(*command, arguments->shard);
  add_threads_option(*command, arguments->n_threads);
  add_picture_options(*command, arguments->picture);
  command->add_option("-o,--output", options.folder,
                      "Folder for trials, table and picture; finished trials are kept");
  add_json_option(*command, arguments->json);
  describe(*command, kStudying,
           {"greybox compare toy.toml --lambda 1e-3,1e-2 --trials 5",
            "greybox compare oscillator.toml --folds series"});
  command->callback([arguments, command] {
    if (arguments->models.size() == 1) return run(*arguments, *command);
    refuse_trials(*command);
    compare_theories_of(theories_of(*arguments));
  });
}

}  // namespace greybox::apps
