#include "training_options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <greybox/error.hpp>
#include <iterator>
#include <stdexcept>

#include "interruption.hpp"
#include "progress_bar.hpp"

namespace greybox::apps {
namespace {

// As the system keeps it, arguments joined by spaces.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!text.empty()) text.pop_back();
  for (char& c : text) c = c == '\0' ? ' ' : c;
  return text;
}

void print(const TrainReport& report) {
  fmt::print("{}: {} epochs in {:.3g} s, L {:.6g}, R {:.6g}\n", report.run.string(), report.epochs,
             report.seconds, report.loss, report.regularizer);
  if (!std::isnan(report.multiplier)) fmt::print("λ of the loss: {:.6g}\n", report.multiplier);
  for (const auto& [name, value] : report.theta) fmt::print("{} = {:.9g}\n", name, value);
}

}  // namespace

void add_training_options(CLI::App& command, TrainingArguments& arguments) {
  TrainOptions& options = arguments.options;
  command.add_option("-o,--output", options.run, "Run folder");
  command.add_option("--data", options.data, "Data file; by default the model's own");
  command.add_option("--lambda", options.lambda, "Weight of the regularizer");
  command.add_option("--regularizer", options.regularizer,
                     "A regularizer of the model file, or an expression");
  command.add_option("--epochs", options.epochs, "Passes over the training windows");
  command.add_option("--batch", options.batch, "Windows per step");
  command.add_option("--seed", options.seed, "Of initial weights, shuffles and draws");
  command.add_option("--threads", options.n_threads,
                     "Threads; 0 for one per core. Results do not depend on it");
  command.add_option("--precision", arguments.precision, "float or double")
      ->check(CLI::IsMember({"float", "double"}));
  CLI::Option* resume = command.add_flag("--resume", options.resume, "Continue an interrupted run");
  command.add_flag("--overwrite", options.overwrite, "Start anew in a folder that holds a run")
      ->excludes(resume);
  command.add_flag("--json", arguments.json, "Print the result as one JSON object");
}

void run_training_command(TrainingArguments& arguments, const std::function<TrainReport()>& training) {
  TrainOptions& options = arguments.options;
  if (!arguments.precision.empty()) options.single_precision = arguments.precision == "float";
  options.command_line = command_line();
  options.cancel = &listen_to_interruption();
  TrainReport report;
  {
    ProgressBar bar;
    options.on_epoch = [&bar](const EpochReport& epoch) { bar.show(epoch); };
    report = training();
  }
  print_warnings(report.warnings);
  if (report.outcome == TrainOutcome::interrupted) throw Interruption(report.message);
  if (report.outcome == TrainOutcome::diverged) throw std::runtime_error(report.message);
  if (!report.message.empty()) fmt::print(stderr, "{}\n", report.message);
  if (arguments.json)
    fmt::print("{}\n", report.json);
  else
    print(report);
}

}  // namespace greybox::apps
