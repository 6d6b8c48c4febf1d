// Predictions as their users ask for them.
#include "greybox/predict.hpp"

#include "analysis/run/theta_choice.hpp"
#include "analysis/run/window_choice.hpp"
#include "core/limits.hpp"
#include "core/refuse.hpp"
#include "core/stage_progress.hpp"
#include "greybox/generate.hpp"
#include "model/draws.hpp"
#include "model/noise_data.hpp"
#include "model/prediction.hpp"

namespace greybox {
namespace {

// Grid points and made windows have no measured outputs to compare with.
void clear_errors(const OpenedRun& run, Prediction& prediction) {
  prediction.mse = prediction.rmse = prediction.nrmse = kNaN;
  prediction.negative_log_likelihood = kNaN;
  prediction.residuals.clear();
  for (OutputError& output : prediction.outputs) output.rmse = output.nrmse = output.r2 = kNaN;
  for (const Observed& observed : run.loaded.model->observed) {
    std::vector<double>& values = prediction.data.at(observed.column).values;
    values.assign(values.size(), kNaN);
  }
}

}  // namespace

Prediction predict(const Run& handle, const PredictOptions& options) {
  std::vector<std::string> regularizers = options.regularizers;
  if (const std::string tailoring = tailoring_regularizer(handle); !tailoring.empty())
    regularizers.push_back(tailoring);
  const OpenedTarget target = open_target(handle, {options.on, options.data}, regularizers, {});
  const OpenedRun& run = target.run;
  if (target.has_outputs) refuse_impossible_values(*run.trained.model, run.trained.data->table());
  const StageProgress stage(options.execution, "prediction", "windows");
  stage.stop_if_cancelled();
  ThreadPool pool(options.execution.n_threads);
  TailoredWindows at = chosen_theta(target, options.theta, options.theta_from, pool);
  const PredictionRequest request{
      .weights = run.weights,
      .windows = target.choice.windows,
      .theta = std::move(at.theta),
      .progress = [&](std::size_t n_done, std::size_t n_total) { stage.show(n_done, n_total); },
      .keeps_states = true,
      .draws = std::move(at.draws)};
  Prediction prediction = options.single_precision ? make_prediction<float>(run.trained, request, pool)
                                                   : make_prediction<double>(run.trained, request, pool);
  if (!target.has_outputs) clear_errors(run, prediction);
  return prediction;
}

Prediction generate(const Run& handle, const GenerateOptions& options) {
  const OpenedTarget target = open_target(handle, {.on = options.on}, {}, {Split::train});
  const OpenedRun& run = target.run;
  const BoundModel& model = *run.trained.model;
  if (model.latents.empty())
    throw InputError(at(*model.spec->source, SourceSpan{},
                        "the model has no latents, which new windows come from",
                        "add [latent]; predictions for given windows are those of `predict`"));
  if (options.n == 0) refuse_option("n", "no window is asked for", "ask for 1 or more");
  const StageProgress stage(options.execution, "generation", "windows");
  stage.stop_if_cancelled();
  PredictionRequest request{
      .weights = run.weights,
      .windows = std::vector<std::size_t>(options.n),
      .theta = chosen_theta(run, options.theta, options.theta_from),
      .progress = [&](std::size_t n_done, std::size_t n_total) { stage.show(n_done, n_total); },
      .keeps_states = true,
      .judges_residuals = false,
      .draws = std::vector<double>(options.n * model.draws.size()),
      .is_generated = true};
  const Random choice(options.seed, Purpose::analysis);
  for (std::size_t i = 0; i < options.n; ++i)
    request.windows[i] = target.choice.windows[choice.below(target.choice.windows.size(), 0, i)];
  fill_draws<double>(model, Random(options.seed, Purpose::latents), 0, request.draws);
  ThreadPool pool(options.execution.n_threads);
  Prediction prediction = make_prediction<double>(run.trained, request, pool);
  clear_errors(run, prediction);
  prediction.regularizers.clear();
  return prediction;
}

}  // namespace greybox
