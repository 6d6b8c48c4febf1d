// Predictions as their users ask for them.
#include "greybox/predict.hpp"

#include "analysis/run/window_choice.hpp"
#include "core/limits.hpp"
#include "core/refuse.hpp"
#include "core/stage_progress.hpp"
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

// Grid points have no measured outputs to compare with.
void clear_errors(const OpenedRun& run, Prediction& prediction) {
  prediction.mse = prediction.rmse = prediction.nrmse = kNaN;
  for (OutputError& output : prediction.outputs) output.rmse = output.nrmse = output.r2 = kNaN;
  for (const Observed& observed : run.loaded.model->observed) {
    std::vector<double>& values = prediction.data.at(observed.column).values;
    values.assign(values.size(), kNaN);
  }
}

}  // namespace

Prediction predict(const Run& handle, const PredictOptions& options) {
  const OpenedTarget target = open_target(handle, {options.on, options.data}, options.regularizers, {});
  const OpenedRun& run = target.run;
  const StageProgress stage(options.execution, "prediction", "windows");
  stage.stop_if_cancelled();
  const PredictionRequest request{
      run.weights, target.choice.windows, theta_for(run, options),
      [&](std::size_t n_done, std::size_t n_total) { stage.show(n_done, n_total); }};
  ThreadPool pool(options.execution.n_threads);
  Prediction prediction = options.single_precision ? make_prediction<float>(run.loaded, request, pool)
                                                   : make_prediction<double>(run.loaded, request, pool);
  if (!target.has_outputs) clear_errors(run, prediction);
  return prediction;
}

}  // namespace greybox
