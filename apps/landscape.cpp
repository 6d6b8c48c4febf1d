// greybox landscape RUN [--vary a=0:2:101 --vary c] [--regularizer EXPRESSION]… [--split test] [--seeds N] …
#include <fmt/format.h>

#include <greybox/error.hpp>
#include <greybox/landscape.hpp>
#include <memory>
#include <optional>

#include "analysis_options.hpp"
#include "command.hpp"
#include "count_progress.hpp"
#include "interruption.hpp"
#include "landscape_text.hpp"
#include "vary_option.hpp"

namespace greybox::apps {
namespace {

struct LandscapeArguments {
  LandscapeOptions options;
  std::vector<std::string> vary;
  std::string at, output, precision = "double";
  bool json = false;
};

// estimator or estimate first, then values that take precedence: estimator,b=1.
void parse_at(const std::string& text, LandscapeOptions& options) {
  const std::size_t comma = std::min(text.find(','), text.size());
  const std::string first = text.substr(0, comma);
  if (first == "estimator") options.reference = ReferencePoint::estimator;
  if (first == "estimate") options.reference = ReferencePoint::estimate;
  const bool is_named = options.reference != ReferencePoint::prior;
  if (is_named && comma < text.size()) options.at = parse_held(text.substr(comma + 1));
  if (!is_named && !text.empty()) options.at = parse_held(text);
}

// Trainings first, if there are any to do, then the scan; each from its first report on.
class LandscapeProgress {
 public:
  void show(const NetworkProgress& training) {
    if (!trainings_) trainings_.emplace("trainings", "epochs");
    const EpochReport& epoch = training.epoch;
    trainings_->show((training.number - 1) * epoch.epochs + epoch.epoch, training.n_all * epoch.epochs);
  }
  void show(std::size_t n_done, std::size_t n_all) {
    trainings_.reset();
    if (!scan_) scan_.emplace("landscape", "pairs of θ and window");
    scan_->show(n_done, n_all);
  }
  void show_verdicts(std::size_t n_done, std::size_t n_all) {
    scan_.reset();
    if (!verdicts_) verdicts_.emplace("verdicts", "pairs of θ and window");
    verdicts_->show(n_done, n_all);
  }

 private:
  std::optional<CountProgress> trainings_, scan_, verdicts_;
};

LandscapeReport compute(LandscapeArguments& arguments) {
  LandscapeOptions& options = arguments.options;
  for (const std::string& text : arguments.vary) options.vary.push_back(parse_vary(text));
  parse_at(arguments.at, options);
  options.single_precision = arguments.precision == "float";
  options.networks.cancel = &listen_to_interruption();
  LandscapeProgress progress;
  options.progress = [&](std::size_t n_done, std::size_t n_all) { progress.show(n_done, n_all); };
  options.verdict_progress = [&](std::size_t n_done, std::size_t n_all) {
    progress.show_verdicts(n_done, n_all);
  };
  options.networks.progress = [&](const NetworkProgress& training) { progress.show(training); };
  return landscape(options);
}

void run(LandscapeArguments& arguments) {
  const LandscapeReport report = compute(arguments);
  const std::filesystem::path folder = arguments.output.empty() ? arguments.options.run / "landscape"
                                                                : std::filesystem::path(arguments.output);
  const std::vector<std::filesystem::path> files = write_landscape_report(report, folder);
  print_warnings(report.warnings);
  if (arguments.json) return print_json(report.json, files);
  print_landscapes(report);
  print_files(files);
}

void add_grid_options(CLI::App& command, LandscapeArguments& arguments) {
  LandscapeOptions& options = arguments.options;
  add_vary_option(command, arguments.vary);
  command.add_option(
      "--at", arguments.at,
      "Values of parameters that are not varied, name=value,…; or `estimator` or `estimate` for "
      "theirs");
  command.add_option("--view", options.view,
                     "A plane through all parameters instead: random, pca or pca:REGULARIZER");
  command.add_option("--seed", options.seed, "Of views and of --retrain");
}

void add_data_options(CLI::App& command, LandscapeOptions& options) {
  command.add_option(
      "--split", options.split,
      "train, validation, test, several joined by +, or all; by default validation if there is "
      "one, else train");
  command.add_option("--window", options.window, "One window: its number from 0, or SERIES:TIME");
  add_data_option(command, options.data);
  command.add_option("--sample", options.sample, "Use only so many windows, evenly spaced");
}

void add_network_options(CLI::App& command, LandscapeOptions& options) {
  command.add_option("--seeds", options.networks.n_seeds,
                     "Bands from so many networks: the run's and others that are trained with further seeds, "
                     "kept in RUN/seeds");
  command.add_option("--with", options.networks.with, "Bands from further finished runs of the same model");
  command.add_option("--retrain", options.retrain,
                     "Compare with so many trainings at fixed θ, kept in RUN/retrained");
}

}  // namespace

void add_landscape(CLI::App& app) {
  auto arguments = std::make_shared<LandscapeArguments>();
  CLI::App* command =
      app.add_subcommand("landscape", "Regularizers and errors of a trained model over its parameters");
  LandscapeOptions& options = arguments->options;
  add_run_option(*command, options.run);
  add_further_regularizers_option(*command, options.regularizers);
  add_grid_options(*command, *arguments);
  add_data_options(*command, options);
  add_network_options(*command, options);
  command->add_option("-o,--output", arguments->output,
                      "Folder for npz, CSV, JSON and pictures; by default RUN/landscape");
  command->add_flag("!--no-verdicts", options.verdicts, "Maps only: no verdicts on the parameters");
  add_precision_option(*command, arguments->precision);
  add_threads_option(*command, options.n_threads);
  add_json_option(*command, arguments->json);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace greybox::apps
