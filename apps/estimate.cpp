// greybox estimate RUN --regularizer R [--method M] [--on test|train+test|each|FILE] [--amortised] …
#include <fmt/format.h>

#include <cmath>
#include <greybox/counted.hpp>
#include <greybox/error.hpp>
#include <greybox/estimate.hpp>
#include <map>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "command_shape.hpp"
#include "flag_names.hpp"
#include "json_text.hpp"
#include "on_option.hpp"
#include "output_text.hpp"
#include "processes.hpp"
#include "progress_display.hpp"
#include "rate_option.hpp"
#include "standard_streams.hpp"
#include "training_options.hpp"

namespace greybox::apps {
namespace {

const std::map<std::string, EstimateMethod> kMethods = {{"grid", EstimateMethod::grid},
                                                        {"adam", EstimateMethod::adam},
                                                        {"lbfgs", EstimateMethod::lbfgs},
                                                        {"bobyqa", EstimateMethod::bobyqa},
                                                        {"direct", EstimateMethod::direct}};

struct EstimateArguments {
  EstimateOptions options;
  std::filesystem::path run, data, output;
  std::string method, on, rate, precision = "double";
  std::size_t n_threads = 0;
  bool json = false;
};

// Without its execution.
EstimateOptions options_of(const EstimateArguments& arguments, const Run& run) {
  EstimateOptions options = arguments.options;
  if (!arguments.method.empty()) options.method = kMethods.at(arguments.method);
  if (!arguments.rate.empty()) options.rate = parse_rate(arguments.rate);
  options.single_precision = arguments.precision == "float";
  const OnChoice choice = parse_on(arguments.on);
  options.on = choice.on;
  options.each_window = choice.each_window;
  options.data = read_data(run, choice.data.empty() ? arguments.data : choice.data);
  return options;
}

// Only a training has something to keep when it is interrupted.
Estimate compute(const EstimateArguments& arguments, const Run& run) {
  EstimateOptions options = options_of(arguments, run);
  ProgressDisplay display(options.amortised ? Work::training : Work::analysis);
  if (!options.amortised) {
    options.execution = display.execution(arguments.n_threads);
    return estimate(run, options);
  }
  options.execution = display.cancellable(arguments.n_threads);
  try {
    return estimate(run, options);
  } catch (const Interruption& interruption) {
    throw Interruption(with_flags(std::string(interruption.what()), {{"resume", "the same command"}}));
  }
}

void print_outputs(const Estimate& estimate) {
  if (estimate.outputs.size() > 1)
    for (const OutputError& output : estimate.outputs) fmt::print("  {}\n", output_text(output));
}

void print(const Estimate& estimate, const Model& model) {
  fmt::print("R {} on {} of {}, method {}\n", estimate.regularizer_name,
             counted(estimate.n_windows, "window"), estimate.on, estimate.method);
  for (const auto& [name, value] : in_file_order(estimate.theta, model))
    fmt::print("{} = {:.9g}\n", name, value);
  if (std::isnan(estimate.loss))
    fmt::print("R {:.9g}\n", estimate.regularizer);
  else if (estimate.outputs.size() > 1)
    // Each has an RMSE of its own.
    fmt::print("R {:.9g}, L {:.6g}\n", estimate.regularizer, estimate.loss);
  else
    fmt::print("R {:.9g}, L {:.6g}, RMSE {:.6g}, NRMSE {:.4g} %\n", estimate.regularizer, estimate.loss,
               estimate.rmse, 100 * estimate.nrmse);
  print_outputs(estimate);
}

void print_windows(const Estimate& estimate, const Model& model) {
  fmt::print("R {} on {} of {}, method {}: mean ± sd over the windows\n", estimate.regularizer_name,
             counted(estimate.n_windows, "window"), estimate.on, estimate.method);
  for (const auto& [name, mean] : in_file_order(estimate.theta_mean, model))
    fmt::print("{} = {:.6g} ± {:.3g}\n", name, mean, estimate.theta_sd.at(name));
  print_outputs(estimate);
}

// The file with the estimates; empty where none is asked for and there is one estimate alone.
std::filesystem::path write(const Estimate& estimate, const EstimateArguments& arguments, const Run& run) {
  if (estimate.windows.empty() && arguments.output.empty()) return {};
  const std::filesystem::path file =
      output_or(arguments.output, estimate.trained.value_or(run), "estimates.csv");
  write_estimate(estimate, file);
  return file;
}

void run(const EstimateArguments& arguments) {
  const Run run = Run::open(arguments.run);
  Estimate estimate = compute(arguments, run);
  leave_if_helper();
  estimate.warnings = with_flags(estimate.warnings);
  print_warnings(estimate.warnings);
  if (estimate.trained) require_trained(*estimate.trained);
  if (!estimate.note.empty()) tell_line(estimate.note);
  const std::filesystem::path file = write(estimate, arguments, run);
  if (arguments.json) {
    const std::string json = to_json(estimate);
    fmt::print("{}\n", file.empty() ? json : with_member(json, "file", json_of(file.string())));
    return;
  }
  if (estimate.windows.empty())
    print(estimate, run.model());
  else
    print_windows(estimate, run.model());
  if (!file.empty()) fmt::print("{}\n", file.string());
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
  add_run_option(*command, arguments->run);
  command
      ->add_option("--regularizer", options.regularizer,
                   "A regularizer of the model file, or an expression, also of L, rmse and nrmse")
      ->required();
  command
      ->add_option("--method", arguments->method,
                   "grid (the default for one or two parameters), adam (the default for more), lbfgs, bobyqa "
                   "or direct")
      ->check(CLI::IsMember({"grid", "adam", "lbfgs", "bobyqa", "direct"}));
  add_on_option(*command, arguments->on, EachWindow::allowed);
  add_data_option(*command, arguments->data);
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
  add_threads_option(*command, arguments->n_threads);
  add_json_option(*command, arguments->json);
  describe(*command, kAsking,
           {"greybox estimate runs/toy --regularizer normD",
            "greybox estimate runs/toy --regularizer normD --on each"});
  command->callback([arguments] { run(*arguments); });
}

}  // namespace greybox::apps
