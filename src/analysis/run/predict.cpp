// Predictions as their users ask for them.
#include "greybox/predict.hpp"

#include "analysis/run/window_choice.hpp"
#include "core/limits.hpp"
#include "core/refuse.hpp"
#include "model/prediction.hpp"
#include "model/theta.hpp"

namespace greybox {
namespace {

std::vector<double> theta_for(const OpenedRun& run, const PredictOptions& options) {
  if (!options.theta.empty() || run.loaded.spec->parameters.empty())
    return theta_from(*run.loaded.spec, options.theta);
  if (run.loaded.model->estimator.empty())
    refuse(run.loaded.spec->source->path, "the model has no [estimator] that could give the parameters",
           "give a value for every parameter as option `theta`");
  return {};
}

}  // namespace

Prediction predict(const Run& handle, const PredictOptions& options) {
  const OpenedTarget target = open_target(handle, {options.on, options.data}, options.regularizers, {});
  const OpenedRun& run = target.run;
  const PredictionRequest request{run.weights, target.choice.windows, theta_for(run, options)};
  ThreadPool pool(options.execution.n_threads);
  Prediction prediction = options.single_precision ? make_prediction<float>(run.loaded, request, pool)
                                                   : make_prediction<double>(run.loaded, request, pool);
  if (!target.has_outputs) prediction.mse = prediction.rmse = prediction.nrmse = kNaN;
  return prediction;
}

}  // namespace greybox
