// Expert augmentation: windows made at drawn θ, and the estimator fitted to them.
#include "greybox/augment.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/augment/augment_box.hpp"
#include "analysis/augment/augmented_data.hpp"
#include "core/checksum.hpp"
#include "core/random.hpp"
#include "data/utf8.hpp"
#include "model/prediction.hpp"
#include "train/run_folder.hpp"
#include "train/training.hpp"

namespace greybox {
namespace {

using Weights = std::vector<double>;

std::vector<double> drawn_theta(const AugmentBox& box, const AugmentOptions& options) {
  const Random random(options.seed, Purpose::analysis);
  std::vector<double> theta;
  for (std::size_t i = 0; i < options.windows; ++i)
    for (std::size_t p = 0; p < box.low.size(); ++p)
      theta.push_back(box.low[p] + (box.high[p] - box.low[p]) * random.uniform(i, p));
  return theta;
}

// Root mean squared errors of the estimator over the windows that nothing is learned from, per parameter.
std::vector<double> errors_of(const LoadedModel& loaded, const Weights& weights, ThreadPool& pool) {
  const std::vector<std::size_t> windows = loaded.data->of_split(Split::test);
  const Prediction prediction = make_prediction<double>(loaded, {weights, windows, {}}, pool);
  const std::vector<ParameterSpec>& parameters = loaded.spec->parameters;
  std::vector<double> errors;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const Column& truth = *loaded.data->table().find(truth_name(parameters[p].name));
    double squares = 0;
    for (std::size_t i = 0; i < windows.size(); ++i) {
      const double estimate = prediction.theta[i * parameters.size() + p];
      squares += std::pow(estimate - truth.at(loaded.data->windows().windows[windows[i]].first_row), 2);
    }
    errors.push_back(std::sqrt(squares / static_cast<double>(windows.size())));
  }
  return errors;
}

// Only the estimator's networks learn, to give the θ that windows were made at.
TrainerOptions fit_options(const LoadedModel& loaded, const Weights& start, const AugmentOptions& options) {
  TrainerOptions fit;
  TrainSpec& train = fit.train = loaded.spec->train;
  train.recipe = Recipe::paper;
  train.regularizer = loaded.model->regularizers.back().name;
  train.epochs = options.epochs;
  train.validate_every = train.patience = 0;
  train.keep_best = false;
  train.precision = Precision::double_;
  fit.seed = options.seed;
  fit.theta_origin = ThetaOrigin::estimated;
  fit.objective = ObjectiveKind::regularizer;
  fit.learning = LearningNetworks::estimator;
  fit.start_weights = start;
  return fit;
}

AugmentedRecord augmented_record(const OpenedRun& run, const AugmentBox& box, const AugmentOptions& options) {
  const std::filesystem::path from = run.handle.folder();
  AugmentedRecord record{
      .from = from.empty() ? "" : path_text(std::filesystem::absolute(from).lexically_normal()),
      .windows = options.windows,
      .epochs = options.epochs,
      .seed = options.seed,
      .theta = {},
      .at = {}};
  const std::vector<ParameterSpec>& parameters = run.loaded.spec->parameters;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    record.theta[parameters[p].name] = {box.low[p], box.high[p]};
    record.at[parameters[p].name] = box.held[p];
  }
  return record;
}

// What the checkpoints of a fit belong to: the made windows, the options, and the networks it starts from.
CheckpointIdentity identity_of(const TrainingJob& job, const DataTable& made) {
  RunRecord options;
  options.augmented = job.record.augmented;
  options.augmented->from.clear();  // the run may be moved
  return {sha256(job.model.text()), made.sha256,
          sha256(json_of(options).at("augmented").dump() + sha256_of_numbers(job.trainer.start_weights))};
}

// A folder made elsewhere has no record to carry on: the fit then starts one that says nothing of the first
// training.
RunRecord record_of(const OpenedRun& run, const TrainerOptions& trainer) {
  RunRecord record =
      run.record ? *run.record : new_record(trainer, run.handle.model(), *own_table(run.handle.state()));
  record.outcome = TrainOutcome::running;
  record.ledger.push_back({"augment", "train", "starts of windows for the estimator", ""});
  return record;
}

// What the folder holds of an earlier attempt.
enum class Attempt { none, interrupted, diverged };

Attempt earlier_attempt(const AugmentOptions& options) {
  if (options.folder.empty()) return Attempt::none;
  const RunFolder folder(options.folder);
  if (folder.has_record()) {
    const RunRecord record = read_record(options.folder);
    if (record.augmented && record.outcome == TrainOutcome::diverged) return Attempt::diverged;
    if (record.augmented && !record.is_finished()) return Attempt::interrupted;
  }
  folder.refuse_if_in_use();
  return Attempt::none;
}

// Into the folder, or on from where an interruption left it there.
Run fit(const OpenedRun& run, const AugmentedData& data, const LoadedModel& loaded, const AugmentBox& box,
        const AugmentOptions& options) {
  const Attempt before = earlier_attempt(options);
  const TrainerOptions trainer = fit_options(loaded, run.weights, options);
  TrainingJob job(run.handle.model(), loaded, own_table(run.handle.state()), trainer,
                  record_of(run, trainer));
  job.record.augmented = augmented_record(run, box, options);
  job.identity = identity_of(job, *data.table);
  job.folder = options.folder;
  job.is_resumed = before == Attempt::interrupted;
  job.may_overwrite = before == Attempt::diverged;
  job.execution = options.execution;
  job.stage = "fit of the estimator";
  return run_training(job);
}

}  // namespace

Augmentation augment(const Run& handle, const AugmentOptions& options) {
  const OpenedRun run = open_run(handle);
  const AugmentBox box = augment_box(run, options);
  earlier_attempt(options);  // refused before the windows are made
  ThreadPool pool(options.execution.n_threads);
  const AugmentedData data = make_augmented_data(run, {box.held, drawn_theta(box, options)}, pool);
  const LoadedModel loaded = load_augmented(run, data.table, box.widths());
  Augmentation result{.run = fit(run, data, loaded, box, options),
                      .n_windows = options.windows - data.n_diverged,
                      .errors = {},
                      .warnings = run.warnings};
  if (data.n_diverged > 0)
    result.warnings.push_back(fmt::format(
        "{} of {} windows became non-finite and were not used: narrow the range of option `theta`",
        data.n_diverged, options.windows));
  if (result.run.outcome() != TrainOutcome::finished) return result;
  const std::vector<double> before = errors_of(loaded, run.weights, pool),
                            after = errors_of(loaded, result.run.weights(), pool);
  for (std::size_t p = 0; p < before.size(); ++p)
    result.errors.push_back({loaded.spec->parameters[p].name, before[p], after[p]});
  return result;
}

std::string to_json(const Augmentation& augmentation) {
  Json json{{"run", augmentation.run.folder().string()}, {"windows", augmentation.n_windows}};
  for (const EstimatorError& error : augmentation.errors)
    json["rmse"][error.name] = {{"before", error.before}, {"after", error.after}};
  return json.dump();
}

}  // namespace greybox
