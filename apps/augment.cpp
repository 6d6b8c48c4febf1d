// greybox augment RUN --theta g=6:14 [--at g=10] [--windows N] [--epochs N] [-o RUN2] …
#include <fmt/format.h>

#include <greybox/augment.hpp>
#include <greybox/error.hpp>
#include <memory>
#include <stdexcept>

#include "command.hpp"
#include "interruption.hpp"
#include "progress_bar.hpp"
#include "range_option.hpp"
#include "theta_option.hpp"

namespace greybox::apps {
namespace {

struct AugmentArguments {
  AugmentOptions options;
  std::vector<std::string> theta;
  std::string at;
  bool json = false;
};

void print(const AugmentReport& report) {
  fmt::print("{}: the estimator learned from {} made windows\n", report.run.string(), report.n_windows);
  for (const EstimatorError& error : report.errors)
    fmt::print("{}: RMSE {:.4g} before, {:.4g} after, on made windows that it did not learn from\n",
               error.name, error.before, error.after);
}

void run(const AugmentArguments& arguments) {
  AugmentOptions options = arguments.options;
  for (const std::string& text : arguments.theta) options.theta.push_back(parse_range(text));
  if (!arguments.at.empty()) options.at = parse_theta(arguments.at);
  options.cancel = &listen_to_interruption();
  AugmentReport report;
  {
    ProgressBar bar;
    options.on_epoch = [&](const EpochReport& epoch) { bar.show(epoch); };
    report = augment(options);
  }
  print_warnings(report.warnings);
  if (report.outcome == TrainOutcome::interrupted) throw Interruption(report.message);
  if (report.outcome == TrainOutcome::diverged) throw std::runtime_error(report.message);
  if (arguments.json)
    fmt::print("{}\n", report.json);
  else
    print(report);
}

}  // namespace

void add_augment(CLI::App& app) {
  auto arguments = std::make_shared<AugmentArguments>();
  CLI::App* command = app.add_subcommand(
      "augment",
      "Teach a model's estimator parameters that the data do not have, with windows the model makes");
  AugmentOptions& options = arguments->options;
  command->add_option("RUN", options.run, "Run folder")->required();
  command
      ->add_option("--theta", arguments->theta, "Where to draw a parameter, name=low:high; may be repeated")
      ->delimiter(',')
      ->required();
  command->add_option("--at", arguments->at,
                      "The parameters that the network stands for, name=value,…; by default the run's own");
  command->add_option("--windows", options.windows, "Windows to make; by default 2000");
  command->add_option("--epochs", options.epochs, "Passes over them; by default 100");
  command->add_option("--seed", options.seed, "Of draws and shuffles");
  command->add_option("--threads", options.n_threads,
                      "Threads; 0 for one per core. Results do not depend on it");
  command->add_option("-o,--output", options.output, "Run folder to make; by default RUN-augmented");
  command->add_flag("--json", arguments->json, "Print the result as one JSON object");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace greybox::apps
