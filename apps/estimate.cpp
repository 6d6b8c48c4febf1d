// greybox estimate RUN --regularizer R [--method M] [--on test|train+test|each|FILE] [--amortised] …
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <greybox/error.hpp>
#include <greybox/estimate.hpp>
#include <greybox/networks.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "analysis_options.hpp"
#include "command.hpp"
#include "count_progress.hpp"
#include "interruption.hpp"
#include "progress_bar.hpp"

namespace greybox::apps {
namespace {

const std::map<std::string, EstimateMethod> kMethods = {{"grid", EstimateMethod::grid},
                                                        {"adam", EstimateMethod::adam},
                                                        {"lbfgs", EstimateMethod::lbfgs},
                                                        {"bobyqa", EstimateMethod::bobyqa},
                                                        {"direct", EstimateMethod::direct}};

struct EstimateArguments {
  EstimateOptions options;
  std::string method, rate, output, precision = "double";
  bool json = false;
};

std::pair<double, double> parse_rate(const std::string& text) {
  std::pair<double, double> rate;
  const char* end = text.data() + text.size();
  auto result = std::from_chars(text.data(), end, rate.first);
  rate.second = rate.first;
  if (result.ec == std::errc{} && result.ptr != end && *result.ptr == ':')
    result = std::from_chars(result.ptr + 1, end, rate.second);
  if (result.ec == std::errc{} && result.ptr == end) return rate;
  throw InputError(Diagnostic{.file = "--rate",
                              .message = fmt::format("`{}` is neither a rate nor a pair of rates", text),
                              .help = "write --rate FIRST:LAST, for instance 1e-2:1e-4"});
}

void print(const EstimateReport& report) {
  const Estimate& estimate = report.estimates[0];
  fmt::print("R {} on {} windows of {}, method {}\n", report.regularizer, report.n_windows, report.on,
             report.method);
  for (const auto& [name, value] : estimate.theta) fmt::print("{} = {:.9g}\n", name, value);
  if (std::isnan(estimate.loss))
    fmt::print("R {:.9g}\n", estimate.regularizer);
  else
    fmt::print("R {:.9g}, L {:.6g}, RMSE {:.6g}, NRMSE {:.4g} %\n", estimate.regularizer, estimate.loss,
               estimate.rmse, 100 * estimate.nrmse);
}

EstimateReport compute(EstimateArguments& arguments) {
  EstimateOptions& options = arguments.options;
  if (!arguments.method.empty()) options.method = kMethods.at(arguments.method);
  if (!arguments.rate.empty()) options.rate = parse_rate(arguments.rate);
  options.single_precision = arguments.precision == "float";
  if (options.amortised) {
    options.cancel = &listen_to_interruption();
    ProgressBar bar;
    options.on_epoch = [&bar](const EpochReport& epoch) { bar.show(epoch); };
    return estimate(options);
  }
  CountProgress progress("estimate", "windows");
  options.progress = [&progress](std::size_t n_done, std::size_t n_all) { progress.show(n_done, n_all); };
  return estimate(options);
}

void print_windows(const EstimateReport& report, const nlohmann::ordered_json& json) {
  fmt::print("R {} on {} windows of {}, method {}: mean ± sd over the windows\n", report.regularizer,
             report.n_windows, report.on, report.method);
  for (const auto& [name, value] : json["theta_mean"].items())
    fmt::print("{} = {:.6g} ± {:.3g}\n", name, value.get<double>(), json["theta_sd"][name].get<double>());
}

void run(EstimateArguments& arguments) {
  const EstimateReport report = compute(arguments);
  print_warnings(report.warnings);
  if (report.outcome == TrainOutcome::diverged) throw std::runtime_error(report.message);
  if (!report.note.empty()) fmt::print(stderr, "{}\n", report.note);
  const std::filesystem::path folder = report.run.empty() ? arguments.options.run : report.run;
  const std::filesystem::path file =
      arguments.output.empty() ? folder / "estimates.csv" : std::filesystem::path(arguments.output);
  const bool is_written = report.is_per_window || !arguments.output.empty();
  if (is_written) write_estimates(report, file);
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(report.json);
  if (is_written) json["file"] = file.string();
  if (arguments.json)
    fmt::print("{}\n", json.dump());
  else if (report.is_per_window)
    print_windows(report, json);
  else
    print(report);
  if (!arguments.json && is_written) fmt::print("{}\n", file.string());
}

void add_amortised_options(CLI::App& command, EstimateOptions& options) {
  command.add_flag(
      "--amortised", options.amortised,
      "Train the model's [estimator] to give θ for any window, into RUN-amortised, and apply it");
  command.add_option("--epochs", options.epochs, "Of --amortised; by default 50");
  command.add_option("--batch", options.batch,
                     "Of --amortised: windows per step; by default the model file's");
  command.add_flag("--overwrite", options.overwrite, "With --amortised: train anew what is trained already");
}

}  // namespace

void add_estimate(CLI::App& app) {
  auto arguments = std::make_shared<EstimateArguments>();
  CLI::App* command = app.add_subcommand("estimate", "The parameters at which a regularizer is lowest");
  EstimateOptions& options = arguments->options;
  add_run_option(*command, options.run);
  command
      ->add_option("--regularizer", options.regularizer, "A regularizer of the model file, or an expression")
      ->required();
  command
      ->add_option("--method", arguments->method,
                   "grid (the default for one or two parameters), adam (the default for more), lbfgs, bobyqa "
                   "or direct")
      ->check(CLI::IsMember({"grid", "adam", "lbfgs", "bobyqa", "direct"}));
  command->add_option(
      "--on", options.on,
      "train, validation, test, several joined by +, all, each (window), a data file, or grid "
      "points of the inputs: x=LOW:HIGH:POINTS,…");
  add_data_option(*command, options.data);
  command->add_option("--starts", options.starts, "How many draws of the prior to start from");
  command->add_option("--steps", options.steps,
                      "Steps of adam; evaluations per start of lbfgs, bobyqa and direct");
  command->add_option("--rate", arguments->rate,
                      "First and last rate: of adam, by default 1e-2:1e-4; of --amortised, by default 1e-4");
  add_amortised_options(*command, options);
  command->add_option("--seed", options.seed, "Of the draws to start from, and of the order of windows");
  command->add_option("-o,--output", arguments->output,
                      "CSV file; of estimates per window, RUN/estimates.csv by default");
  add_precision_option(*command, arguments->precision);
  add_threads_option(*command, options.n_threads);
  add_json_option(*command, arguments->json);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace greybox::apps
