// The command `predict`: a run folder, parameters and data in, a file of predictions out.
#include "greybox/predict.hpp"

#include <nlohmann/json.hpp>

#include "model/prediction.hpp"
#include "model/theta.hpp"
#include "model/weights.hpp"

namespace greybox {
namespace {

void check_output(const std::filesystem::path& output) {
  if (output.empty()) return;
  if (output.extension() != ".npz" && output.extension() != ".csv")
    throw InputError(Diagnostic{.file = output.string(),
                                .message = "the ending of the output file says neither npz nor csv",
                                .help = "write -o NAME.npz or -o NAME.csv"});
  const std::filesystem::path folder = output.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    throw InputError(Diagnostic{.file = output.string(),
                                .message = "there is no folder to write this file into",
                                .help = "make the folder " + folder.string() + ", or write somewhere else"});
}

void check_run(const std::filesystem::path& run) {
  for (const char* name : {"model.toml", "weights.npz"})
    if (!std::filesystem::exists(run / name))
      throw InputError(Diagnostic{
          .file = run.string(),
          .message = std::string("this is not a run folder: it has no ") + name,
          .help = "give the folder that `greybox train` made, or put model.toml and weights.npz there "
                  "(docs/weights.md)"});
}

std::vector<double> requested_theta(const BoundModel& model, const PredictOptions& options) {
  if (!options.use_estimator) return theta_from(model, options.theta);
  if (model.estimator.empty())
    throw InputError(Diagnostic{.file = model.spec->source->path,
                                .message = "the model has no [estimator] that could give the parameters",
                                .help = "give values: --theta name=value,…"});
  return {};
}

std::string to_json(const Prediction& prediction) {
  nlohmann::ordered_json json;
  json["windows"] = prediction.n_windows;
  json["steps"] = prediction.n_outputs;
  json["L"] = prediction.mse;
  json["rmse"] = prediction.rmse;
  json["nrmse"] = prediction.nrmse;
  for (const auto& [name, value] : prediction.regularizers) json["R"][name] = value;
  json["warnings"] = prediction.warnings;
  return json.dump();
}

}  // namespace

PredictReport predict(const PredictOptions& options) {
  check_output(options.output);
  check_run(options.run);
  const LoadedModel loaded = load_model(
      options.run / "model.toml",
      {.data = options.data, .extra_regularizers = options.regularizers, .data_may_be_missing = false});
  const NetworkSet<double> networks(*loaded.model);
  const std::vector<double> weights = read_weights(options.run / "weights.npz", networks.tensors());
  const PredictionRequest request{weights, loaded.data->all(), requested_theta(*loaded.model, options)};
  if (request.windows.empty())
    throw InputError(
        Diagnostic{.file = loaded.data->table().file,
                   .message = "the data give no window to predict",
                   .help = "every series is shorter than the model's window, or all windows were dropped"});
  ThreadPool pool(options.n_threads);
  const Prediction prediction = options.single_precision ? make_prediction<float>(loaded, request, pool)
                                                         : make_prediction<double>(loaded, request, pool);
  if (!options.output.empty()) write_prediction(options.output, loaded, request, prediction);
  return {.n_windows = prediction.n_windows,
          .n_steps = prediction.n_outputs,
          .regularizers = prediction.regularizers,
          .mse = prediction.mse,
          .rmse = prediction.rmse,
          .nrmse = prediction.nrmse,
          .warnings = prediction.warnings,
          .json = to_json(prediction)};
}

}  // namespace greybox
