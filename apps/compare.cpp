// greybox compare MODEL [--lambda 1e-3,1e-2,1e-1] [--trials 20] [--modes adaptive,inductive,…] …
#include <fmt/format.h>

#include <cmath>
#include <greybox/compare.hpp>
#include <greybox/error.hpp>
#include <memory>

#include "command.hpp"
#include "count_progress.hpp"
#include "interruption.hpp"
#include "mode_names.hpp"

namespace greybox::apps {
namespace {

struct CompareArguments {
  CompareOptions options;
  std::vector<std::string> modes;
  bool json = false;
};

std::string text_of(const MeanAndError& value) {
  if (std::isnan(value.mean)) return "–";
  if (std::isnan(value.standard_error)) return fmt::format("{:.3g}", value.mean);
  return fmt::format("{:.3g} ± {:.2g}", value.mean, value.standard_error);
}

void print(const CompareReport& report) {
  fmt::print("{} on test data, mean ± standard error; R is {}\n\n", report.model, report.regularizer);
  fmt::print("{:<14}{:>8}{:>8}  {:<20}{}\n", "mode", "λ", "trials", "L", "R");
  for (const ComparedRow& row : report.rows)
    fmt::print("{:<14}{:>8}{:>8}  {:<20}{}\n", row.mode, row.lambda ? fmt::format("{:g}", *row.lambda) : "–",
               row.trials, text_of(row.loss), text_of(row.regularizer));
}

void run(const CompareArguments& arguments) {
  CompareOptions options = arguments.options;
  if (!arguments.modes.empty()) options.modes.clear();
  for (const std::string& mode : arguments.modes) options.modes.push_back(mode_names().at(mode));
  options.cancel = &listen_to_interruption();
  CompareReport report;
  {
    CountProgress progress("compare", "trials");
    options.progress = [&](std::size_t n_done, std::size_t n_all) { progress.show(n_done, n_all); };
    report = compare(options);
  }
  print_warnings(report.warnings);
  if (report.n_missing > 0)
    throw Interruption(fmt::format(
        "interrupted with {} trials to go; the same command continues (finished trials are in {})",
        report.n_missing, report.folder.string()));
  const std::vector<std::filesystem::path> files = write_comparison(report);
  if (arguments.json) {
    fmt::print("{}\n", report.json);
    return;
  }
  print(report);
  fmt::print("\nwritten:\n");
  for (const std::filesystem::path& file : files) fmt::print("  {}\n", file.string());
}

}  // namespace

void add_compare(CLI::App& app) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand("compare", "Ways to learn side by side, with standard errors");
  CompareOptions& options = arguments->options;
  command->add_option("MODEL", options.model, "Model file (.toml)")->required();
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
  command->add_option("--data", options.data, "Data file; by default the model's own");
  command->add_option("--epochs", options.epochs, "Passes over the training windows");
  command->add_option("--seed", options.seed, "Of the first trial; each further one adds 1");
  command->add_option("--threads", options.n_threads,
                      "Threads; 0 for one per core. Results do not depend on it");
  command->add_option("-o,--output", options.folder,
                      "Folder for trials, table and picture; finished trials are kept");
  command->add_flag("--json", arguments->json, "Print the result as one JSON object");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace greybox::apps
