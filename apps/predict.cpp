// greybox predict RUN --theta a=1,c=0.2 --data FILE -o OUT.npz
#include <fmt/format.h>

#include <greybox/predict.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "flag_names.hpp"
#include "option_text.hpp"
#include "output_text.hpp"
#include "progress_display.hpp"
#include "theta_option.hpp"

namespace greybox::apps {
namespace {

struct PredictArguments {
  PredictOptions options;
  std::filesystem::path run, data, output;
  std::string theta, precision = "double";
  std::size_t n_threads = 0;
  bool json = false;
};

// Before anything is computed.
void check_output(const std::filesystem::path& output) {
  if (output.empty()) return;
  if (output.extension() != ".npz" && output.extension() != ".csv")
    refuse_flag(output.string(), "the ending of the output file says neither npz nor csv",
                "write -o NAME.npz or -o NAME.csv");
  const std::filesystem::path folder = output.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    refuse_flag(output.string(), "there is no folder to write this file into",
                fmt::format("make the folder {}, or write somewhere else", folder.string()));
}

void print(const Prediction& prediction) {
  fmt::print("{} windows, {} output times\n", prediction.n_windows, prediction.n_steps);
  fmt::print("RMSE {:.6g}, NRMSE {:.4g} %\n", prediction.rmse, 100 * prediction.nrmse);
  if (prediction.outputs.size() > 1)
    for (const OutputError& output : prediction.outputs) fmt::print("  {}\n", output_text(output));
  for (const auto& [name, value] : prediction.regularizers) fmt::print("R {} = {:.9g}\n", name, value);
}

Prediction compute(const PredictArguments& arguments) {
  PredictOptions options = arguments.options;
  options.single_precision = arguments.precision == "float";
  const bool has_theta = arguments.theta != "estimator";
  if (has_theta) options.theta = parse_theta(arguments.theta);
  const Run run = Run::open(arguments.run);
  options.data = read_data(run, arguments.data);
  ProgressDisplay display;
  options.execution = display.execution(arguments.n_threads);
  return predict(run, options);
}

void run(const PredictArguments& arguments) {
  check_output(arguments.output);
  Prediction prediction = compute(arguments);
  prediction.warnings = with_flags(prediction.warnings);
  if (!arguments.output.empty()) write_prediction(prediction, arguments.output);
  if (arguments.json)
    fmt::print("{}\n", to_json(prediction));
  else
    print(prediction);
  print_warnings(prediction.warnings);
}

}  // namespace

void add_predict(CLI::App& app) {
  auto arguments = std::make_shared<PredictArguments>();
  CLI::App* command = app.add_subcommand(
      "predict", "Predictions, theory and network parts, and every regularizer, at given parameters");
  PredictOptions& options = arguments->options;
  command->add_option("RUN", arguments->run, "Run folder: model.toml and weights.npz")->required();
  command
      ->add_option("--theta", arguments->theta,
                   "Parameters, name=value,…; or `estimator` for the model's own")
      ->required();
  command->add_option("--data", arguments->data, "Data file (.csv, .tsv, .npz); by default the run's own");
  command->add_option("-o,--output", arguments->output, "Write to OUT.npz or OUT.csv");
  command->add_option("--regularizer", options.regularizers,
                      "A further regularizer, as an expression; may be repeated");
  add_precision_option(*command, arguments->precision);
  command->add_option("--threads", arguments->n_threads, "Threads; 0 for one per core");
  add_json_option(*command, arguments->json);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace greybox::apps
