#include "analysis/compare/compare_trial.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/compare/held_out_likelihood.hpp"
#include "analysis/run/opened_run.hpp"
#include "analysis/theta/minimise.hpp"
#include "core/limits.hpp"
#include "core/refuse.hpp"
#include "core/stage_progress.hpp"
#include "core/thread_pool.hpp"
#include "model/noise_data.hpp"
#include "model/prediction.hpp"
#include "model/settled_method.hpp"
#include "train/session.hpp"
#include "train/settings.hpp"
#include "train/tailoring.hpp"

namespace greybox {
namespace {

std::vector<std::size_t> joined(std::vector<std::size_t> windows, const std::vector<std::size_t>& more) {
  windows.insert(windows.end(), more.begin(), more.end());
  return windows;
}

// Of one θ, itself.
std::vector<double> mean_row(const std::vector<double>& rows, std::size_t width) {
  std::vector<double> mean(width);
  if (rows.empty()) return mean;
  const double n_rows = static_cast<double>(rows.size() / width);
  for (std::size_t i = 0; i < rows.size(); ++i) mean[i % width] += rows[i] / n_rows;
  return mean;
}

constexpr const char* kCorrectionSize = "mean(norm2(network))";

void refuse_without_regularizer(const std::string& regularizer) {
  if (regularizer.empty())
    refuse_option("regularizer", "there is no regularizer to compare by",
                  "set `regularizer` in [train], or give a name or an expression as option `regularizer`");
}

void refuse_without_test(const PreparedData& data) {
  if (data.of_split(Split::test).empty())
    throw InputError(Diagnostic{.file = data.table().file,
                                .message = "the test split has no windows: there is nothing to compare on",
                                .help = "give [data] split a fraction `test`"});
}

PointOptions point_options(const CompareEstimate& request) {
  PointOptions options;
  options.method = request.method;
  options.n_steps = request.steps;
  options.n_points = request.steps;
  options.rate_start = request.rate.first;
  options.rate_end = request.rate.second;
  return options;
}

}  // namespace

TrialRunner::TrialRunner(const Model& model, const Table& table, const CompareOptions& options)
    : estimate_(point_options(options.estimate)),
      estimates_on_test_alone_(options.estimate.on_test_alone),
      seed_(options.seed) {
  train_.regularizer = options.regularizer;
  train_.epochs = options.epochs;
  spec_ = model.spec();
  table_ = table.data();
  for (double lambda : options.lambdas) options_of({.lambda = lambda});
  regularizer_ = options_of({.lambda = 0}).train.regularizer;
  if (options.folds != Folds::none && regularizer_.empty()) regularizer_ = kCorrectionSize;
  refuse_without_regularizer(regularizer_);
  folds_ = make_folds(options, spec_->data, *table_);
  for (std::size_t k = 1; k < folds_.size(); ++k) refuse_without_test(*load(k).data);
  const LoadedModel loaded = load(0);
  if (loaded.spec->solver.is_automatic)  // one method for all trials
    spec_ = with_method(spec_, std::string(loaded.spec->solver.options.tableau->name));
  refuse_without_test(*loaded.data);
  for (const Observed& observed : loaded.model->observed) outputs_.push_back(observed.name);
}

TrainerOptions TrialRunner::options_of(const TrialKey& key) const {
  TrainOptions request = train_;
  request.mode = key.mode;
  request.lambda = key.lambda;
  request.seed = seed_of(key);
  TrainerOptions options = resolve_options(request, *spec_, nullptr);
  // Nobody looks at validations, unless they decide when to stop or what to keep.
  if (options.train.patience == 0 && !options.train.keep_best) options.train.validate_every = 0;
  return options;
}

LoadedModel TrialRunner::load(std::size_t trial) const {
  auto spec = std::make_shared<ModelSpec>(*spec_);
  if (!folds_.empty()) spec->data.split = folds_[trial].split;
  spec->data.split.seed = seed_ + trial;
  return assemble(spec, table_, std::vector<std::string>{regularizer_});
}

template <class T>
TrialResult TrialRunner::run_as(const TrialKey& key, const Execution& execution) const {
  const StageProgress stage(execution, "trial", "steps");
  LoadedModel loaded = load(key.trial);
  const TrainerOptions options = options_of(key);
  ThreadPool pool(execution.n_threads);
  MemoryStore store;
  const TrainingResult trained =
      make_session(loaded, {.trainer = options, .cancel = execution.cancel}, pool)->run(store);
  stage.stop_if_cancelled();
  if (trained.outcome == TrainOutcome::diverged)
    return {kNaN, kNaN, std::vector<double>(spec_->parameters.size(), kNaN), {}};

  loaded = with_noise(std::move(loaded), trained.noise);
  const std::vector<std::size_t> test = loaded.data->of_split(Split::test);
  const std::vector<std::size_t> inputs =
      estimates_on_test_alone_ ? test
                               : joined(loaded.data->of_split(Split::train),
                                        folds_.empty() ? test : loaded.data->of_split(Split::validation));
  const std::size_t regularizer = regularizer_place(*loaded.model, regularizer_);
  std::vector<double> theta = trained.theta;
  if (key.mode == TrainMode::adaptive) {
    PointOptions search = estimate_;
    search.seed = options.seed;
    theta = estimate_point<T>(loaded, trained.weights, regularizer, inputs, pool, search,
                              [&](std::size_t, std::size_t) { stage.stop_if_cancelled(); })
                .theta;
  }
  const auto theta_of = [&](const std::vector<std::size_t>& windows) {
    if (key.mode != TrainMode::tailored) return TailoredWindows{theta};
    return tailored_windows<T>(loaded, {trained.weights, regularizer, windows, theta}, pool);
  };
  return judge<T>(loaded, trained.weights, theta_of, pool);
}

// What a network that has learned gives on the test windows.
template <class T>
TrialResult TrialRunner::judge(const LoadedModel& loaded, const std::vector<double>& weights,
                               const ThetaOf& theta_of, ThreadPool& pool) const {
  const std::vector<std::size_t> test = loaded.data->of_split(Split::test);
  const auto [theta, draws] = theta_of(test);
  ThetaObjective<T> objective(loaded, weights, regularizer_place(*loaded.model, regularizer_), test.size(),
                              pool);
  objective.set_windows(test);
  const auto value = objective.evaluate(theta, draws);
  const std::vector<double> mean = mean_row(theta, spec_->parameters.size());
  if (std::isnan(value.loss)) return {value.loss, value.regularizer, mean};
  const Prediction prediction =
      make_prediction<T>(loaded, {.weights = weights, .windows = test, .theta = theta, .draws = draws}, pool);
  TrialResult result{value.loss, value.regularizer, mean, prediction.outputs};
  if (!folds_.empty()) result.log_likelihood = log_likelihood<T>(loaded, weights, theta_of, prediction, pool);
  return result;
}

// Errors are as large as on windows that were not learned from, where there are such besides those tested on.
template <class T>
double TrialRunner::log_likelihood(const LoadedModel& loaded, const std::vector<double>& weights,
                                   const ThetaOf& theta_of, const Prediction& test, ThreadPool& pool) const {
  if (loaded.model->has_noise()) return -test.negative_log_likelihood;
  std::vector<std::size_t> windows = loaded.data->of_split(Split::validation);
  if (windows.empty()) windows = loaded.data->of_split(Split::train);
  const auto [theta, draws] = theta_of(windows);
  const Prediction before = make_prediction<T>(
      loaded, {.weights = weights, .windows = windows, .theta = theta, .draws = draws}, pool);
  return scores_of(test, outputs_, residual_sd(before, outputs_)).mean();
}

TrialResult TrialRunner::run(const TrialKey& key, const Execution& execution) const {
  return spec_->train.precision == Precision::single_ ? run_as<float>(key, execution)
                                                      : run_as<double>(key, execution);
}

}  // namespace greybox
