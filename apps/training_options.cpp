#include "training_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <greybox/counted.hpp>
#include <greybox/error.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis_options.hpp"
#include "command_log.hpp"
#include "flag_names.hpp"
#include "json_text.hpp"
#include "output_text.hpp"
#include "processes.hpp"
#include "progress_display.hpp"
#include "standard_streams.hpp"

namespace greybox::apps {
namespace {

// As the system keeps it, arguments joined by spaces, on one line.
std::string command_of_this_process() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  return command_line(static_cast<int>(pointers.size()), pointers.data());
}

// L is then the mean negative log-likelihood.
bool has_noise(const RunRecord& record) {
  const auto has_own = [](const OutputFit& output) { return !std::isnan(output.noise_rmse); };
  return !record.scales.noise.empty() ||
         (record.fit && std::any_of(record.fit->outputs.begin(), record.fit->outputs.end(), has_own));
}

void print(const Run& run, const RunRecord& record) {
  fmt::print("{}: {} in {:.3g} s, L {:.6g}{}, R {:.6g}\n", run.folder().string(),
             counted(record.epochs_done, "epoch"), record.seconds, record.loss,
             has_noise(record) ? " (negative log-likelihood per datum)" : "", record.regularizer);
  for (const auto& [name, value] : record.scales.noise)
    fmt::print("noise of {}, estimated: {:.4g}\n", name, value);
  if (!std::isnan(record.multiplier)) fmt::print("λ of the loss: {:.6g}\n", record.multiplier);
  for (const auto& [name, value] : in_file_order(record.theta, run.model()))
    fmt::print("{} = {:.9g}\n", name, value);
}

}  // namespace

void add_training_options(CLI::App& command, TrainingArguments& arguments) {
  TrainOptions& options = arguments.options;
  command.add_option("-o,--output", options.folder, "Run folder");
  command.add_option("--data", arguments.data, "Data file; by default the model's own");
  command.add_option("--lambda", options.lambda, "Weight of the regularizer");
  command.add_option("--regularizer", options.regularizer,
                     "A regularizer of the model file, or an expression");
  command.add_option("--epochs", options.epochs, "Passes over the training windows");
  command.add_option("--batch", options.batch, "Windows per step");
  command.add_option("--seed", options.seed, "Of initial weights, shuffles and draws");
  add_threads_option(command, arguments.n_threads);
  command.add_option("--precision", arguments.precision, "float or double")
      ->check(CLI::IsMember({"float", "double"}));
  CLI::Option* resume = command.add_flag("--resume", options.resume, "Continue an interrupted run");
  command.add_flag("--overwrite", options.overwrite, "Start anew in a folder that holds a run")
      ->excludes(resume);
  add_json_option(command, arguments.json);
}

void require_trained(const Run& run, const std::string& resume) {
  if (run.outcome() == TrainOutcome::interrupted)
    throw Interruption(with_flags(run.message(), {{"resume", resume}}));
  if (run.outcome() == TrainOutcome::diverged) throw std::runtime_error(run.message());
}

void run_training_command(const TrainingArguments& arguments,
                          const std::function<Run(const TrainOptions&)>& training) {
  TrainOptions options = arguments.options;
  if (!arguments.precision.empty()) options.single_precision = arguments.precision == "float";
  options.command = command_of_this_process();
  const Run run = [&] {
    ProgressDisplay display(Work::training);
    options.execution = display.cancellable(arguments.n_threads);
    return training(options);
  }();
  leave_if_helper();
  print_warnings(run.warnings());
  require_trained(run);
  if (!run.message().empty()) tell_line(with_flags(run.message()));
  const RunRecord record = run.record().value();
  if (record.recipe)
    tell_line("recipe auto: " + to_sentence(*record.recipe, record.options.batch, record.epochs_done));
  if (record.fit) tell_line("fit: " + record.fit->sentence);
  if (arguments.json)
    fmt::print("{}\n", with_member(to_json(record), "run", json_of(run.folder().string())));
  else
    print(run, record);
}

}  // namespace greybox::apps
