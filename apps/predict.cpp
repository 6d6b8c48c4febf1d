// greybox predict RUN --theta a=1,c=0.2 --data FILE -o OUT.npz
#include <fmt/format.h>

#include <greybox/predict.hpp>
#include <greybox/run.hpp>
#include <memory>

#include "command.hpp"
#include "theta_option.hpp"

namespace greybox::apps {
namespace {

struct PredictArguments {
  PredictOptions options;
  std::string theta, precision = "double";
  bool json = false;
};

void print(const PredictReport& report) {
  fmt::print("{} windows, {} output times\n", report.n_windows, report.n_steps);
  fmt::print("RMSE {:.6g}, NRMSE {:.4g} %\n", report.rmse, 100 * report.nrmse);
  for (const auto& [name, value] : report.regularizers) fmt::print("R {} = {:.9g}\n", name, value);
}

}  // namespace

void add_predict(CLI::App& app) {
  auto arguments = std::make_shared<PredictArguments>();
  CLI::App* command = app.add_subcommand(
      "predict", "Predictions, theory and network parts, and every regularizer, at given parameters");
  PredictOptions& options = arguments->options;
  command->add_option("RUN", options.run, "Run folder: model.toml and weights.npz")->required();
  command
      ->add_option("--theta", arguments->theta,
                   "Parameters, name=value,…; or `estimator` for the model's own")
      ->required();
  command->add_option("--data", options.data, "Data file (.csv, .tsv, .npz); by default the run's own");
  command->add_option("-o,--output", options.output, "Write to OUT.npz or OUT.csv");
  command->add_option("--regularizer", options.regularizers,
                      "A further regularizer, as an expression; may be repeated");
  command->add_option("--precision", arguments->precision, "double or float")
      ->check(CLI::IsMember({"double", "float"}));
  command->add_option("--threads", options.n_threads, "Threads; 0 for one per core");
  command->add_flag("--json", arguments->json, "Print the result as one JSON object");
  command->callback([arguments] {
    PredictOptions& request = arguments->options;
    request.single_precision = arguments->precision == "float";
    request.use_estimator = arguments->theta == "estimator";
    if (!request.use_estimator) request.theta = parse_theta(arguments->theta);
    if (request.data.empty()) request.data = recorded_data(request.run);
    const PredictReport report = predict(request);
    if (arguments->json)
      fmt::print("{}\n", report.json);
    else
      print(report);
    print_warnings(report.warnings);
  });
}

}  // namespace greybox::apps
