// greybox compare MODEL [--lambda 1e-3,1e-2,1e-1] [--trials 20] [--modes adaptive,inductive,…] …
#include <fmt/format.h>

#include <cmath>
#include <greybox/compare.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "default_folder.hpp"
#include "mode_names.hpp"
#include "progress_display.hpp"

namespace greybox::apps {
namespace {

struct CompareArguments {
  CompareOptions options;
  std::filesystem::path model, data;
  std::vector<std::string> modes;
  std::size_t n_threads = 0;
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

Comparison compute(const CompareArguments& arguments) {
  const Model model = Model::read(arguments.model);
  CompareOptions options = arguments.options;
  if (!arguments.modes.empty()) options.modes.clear();
  for (const std::string& mode : arguments.modes) options.modes.push_back(mode_names().at(mode));
  if (options.folder.empty())
    options.folder = default_folder(fmt::format("{}-compare-seed{}", model.name(), options.seed));
  ProgressDisplay display;
  options.execution = display.cancellable(arguments.n_threads);
  return arguments.data.empty() ? compare(model, options)
                                : compare(model, model.read_table(arguments.data), options);
}

void run(const CompareArguments& arguments) {
  const Comparison comparison = compute(arguments);
  print_warnings(comparison.warnings);
  if (comparison.n_missing > 0)
    throw Interruption(fmt::format(
        "interrupted with {} trials to go; the same command continues (finished trials are in {})",
        comparison.n_missing, comparison.folder.string()));
  const std::vector<std::filesystem::path> files = write_comparison(comparison, comparison.folder);
  if (arguments.json) {
    fmt::print("{}\n", to_json(comparison));
    return;
  }
  print(comparison);
  fmt::print("\nwritten:\n");
  for (const std::filesystem::path& file : files) fmt::print("  {}\n", file.string());
}

}  // namespace

void add_compare(CLI::App& app) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand("compare", "Ways to learn side by side, with standard errors");
  CompareOptions& options = arguments->options;
  command->add_option("MODEL", arguments->model, "Model file (.toml)")->required();
  command
      ->add_option("--lambda", options.lambdas,
                   "Weights of the regularizer, e.g. 1e-3,1e-2,1e-1; aphynity has none")
      ->delimiter(',');
  command->add_option("--trials", options.trials, "Trials of each kind; by default 20");
  command
      ->add_option("--modes", arguments->modes,
                   "Of adaptive,inductive,transductive,aphynity; by default the first three")
      ->delimiter(',')
      ->check(CLI::IsMember(mode_names()));
  command->add_option("--regularizer", options.regularizer,
                      "A regularizer of the model file, or an expression");
  command->add_option("--data", arguments->data, "Data file; by default the model's own");
  command->add_option("--epochs", options.epochs, "Passes over the training windows");
  command->add_option("--seed", options.seed, "Of the first trial; each further one adds 1");
  add_threads_option(*command, arguments->n_threads);
  command->add_option("-o,--output", options.folder,
                      "Folder for trials, table and picture; finished trials are kept");
  add_json_option(*command, arguments->json);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace greybox::apps
