#include "analysis/estimate/amortised.hpp"

#include <fmt/format.h>

#include "analysis/estimate/estimate_result.hpp"
#include "analysis/estimate/estimator_snippet.hpp"
#include "core/checksum.hpp"
#include "core/limits.hpp"
#include "core/refuse.hpp"
#include "data/utf8.hpp"
#include "model/observed_range.hpp"
#include "model/window_regularizer.hpp"
#include "train/training.hpp"

namespace greybox {
namespace {

// The paper's.
constexpr double kRate = 1e-4;
// When applied; results do not depend on it.
constexpr std::size_t kWindowsAtOnce = 1024;
// Where a run in memory keeps it; beside a run in a folder, the ending of its name.
constexpr const char* kAmortised = "amortised";

[[noreturn]] void refuse_without_estimator(const OpenedRun& run) {
  refuse(run.loaded.spec->source->path, "the model has no [estimator] that could learn to give θ",
         fmt::format("add this to the model file and train it again:\n\n{}\n",
                     estimator_snippet(*run.loaded.model)));
}

// Grid points have no measured outputs, and the window of an algebraic model is made of them.
void refuse_if_outputs_are_read(const OpenedRun& run) {
  for (const BoundNetwork& network : run.loaded.model->networks)
    if (network.is_estimator && network.spec->reads_window)
      refuse_option("on", "the estimator reads windows, and grid points have no measured outputs in them",
                    fmt::format("give network `{}` the inputs instead of the window", network.spec->name));
}

// Equation (6), with Adam: clipped as in training, without decay.
TrainerOptions trainer_options(const EstimateOptions& options, const OpenedRun& run) {
  const std::pair<double, double> rate = options.rate.value_or(std::pair{kRate, kRate});
  TrainerOptions result;
  TrainSpec& train = result.train = run.loaded.spec->train;
  train.recipe = Recipe::paper;
  train.regularizer = options.regularizer;
  train.epochs = options.epochs;
  train.batch = options.batch.value_or(train.batch);
  train.rate_start = rate.first;
  train.rate_end = rate.second;
  train.weight_decay = 0;
  train.validate_every = train.patience = 0;
  train.keep_best = false;
  train.precision = options.single_precision ? Precision::single_ : Precision::double_;
  result.seed = options.seed;
  result.theta_origin = ThetaOrigin::estimated;
  result.objective = ObjectiveKind::window_regularizers;
  result.learning = LearningNetworks::estimator;
  result.start_weights = run.weights;
  if (train.epochs == 0) refuse_option("epochs", "no epoch is to be trained", "give 1 or more");
  if (train.batch == 0) refuse_option("batch", "a batch holds no window", "give 1 or more");
  check_rates(rate);
  if (run.loaded.data->of_split(Split::train).empty())
    refuse_option("amortised", "the data have no training windows", "give [data] split a fraction `train`");
  return result;
}

std::filesystem::path folder_of(const OpenedRun& run) {
  const std::filesystem::path own = run.handle.folder();
  if (own.empty()) return own;
  std::filesystem::path folder = (own / "").parent_path();
  folder += fmt::format("-{}", kAmortised);
  return folder;
}

AmortisedRecord amortised_record(const TrainerOptions& trainer, const OpenedRun& run) {
  const TrainSpec& train = trainer.train;
  const std::filesystem::path from = run.handle.folder();
  return {.regularizer = train.regularizer,
          .epochs = train.epochs,
          .batch = train.batch,
          .rate = {train.rate_start, train.rate_end},
          .seed = trainer.seed,
          .single_precision = train.precision == Precision::single_,
          .from = from.empty() ? "" : path_text(std::filesystem::absolute(from).lexically_normal())};
}

// What its checkpoints belong to: the estimator's options, and the networks that it starts from.
CheckpointIdentity identity_of(const TrainingJob& job) {
  RunRecord options;
  options.amortised = job.record.amortised;
  return {job.record.model.sha256, job.record.data.sha256,
          sha256(json_of(options).at("amortised").dump() + sha256_of_numbers(job.trainer.start_weights))};
}

// The run of the estimator as far as it was trained before; none when it was not begun.
std::optional<Run> begun_before(const OpenedRun& run) {
  const std::filesystem::path folder = folder_of(run);
  if (!folder.empty()) return has_record(folder) ? std::optional(Run::open(folder)) : std::nullopt;
  RunState& state = run.handle.state();
  const std::lock_guard lock(state.mutex);
  const auto found = state.trainings.find(kAmortised);
  return found != state.trainings.end() ? std::optional(Run(found->second)) : std::nullopt;
}

Run train_estimator(const OpenedRun& run, const EstimateOptions& options) {
  std::optional<Run> begun = begun_before(run);
  // What diverged is of no use to a further attempt, whose options are others.
  const bool is_useless = options.overwrite || (begun && begun->outcome() == TrainOutcome::diverged);
  if (is_useless) begun.reset();
  if (begun && begun->record()->is_finished())
    refuse(begun->folder(), "the estimator of this run is trained already",
           "apply it by estimating with that run, or train it anew with option `overwrite`");
  const TrainerOptions trainer = trainer_options(options, run);
  TrainingJob job(run.handle.model(), run.loaded, own_table(run.handle.state()), trainer, *run.record);
  job.record.outcome = TrainOutcome::running;
  job.record.amortised = amortised_record(trainer, run);
  job.record.ledger.push_back({"estimate", "train", "weights of the estimator", options.regularizer});
  job.identity = identity_of(job);
  job.folder = folder_of(run);
  job.is_resumed = begun.has_value();
  if (begun) job.interrupted = begun->shared_state();
  job.may_overwrite = is_useless;
  job.execution = options.execution;
  job.stage = "training of the estimator";
  Run trained = run_training(job);
  if (job.folder.empty()) {
    RunState& state = run.handle.state();
    const std::lock_guard lock(state.mutex);
    state.trainings[kAmortised] = trained.shared_state();
  }
  if (trained.outcome() == TrainOutcome::interrupted) throw Interruption(trained.message());
  return trained;
}

// The run whose estimator is to be applied; trains it first where that was not done.
Run trained_run(const Run& handle, const EstimateOptions& options, Estimate& result) {
  const OpenedRun run = open_run(handle, {{}, {options.regularizer}, "regularizer"});
  if (run.loaded.model->estimator.empty()) refuse_without_estimator(run);
  if (std::holds_alternative<Points>(options.on)) refuse_if_outputs_are_read(run);
  if (!run.record) {
    result.note = fmt::format("{} was made elsewhere: its estimator is applied as it is", run.name());
    return handle;
  }
  if (const auto& before = run.record->amortised) {
    result.note = fmt::format("the estimator of {} is trained already: it is applied as it is", run.name());
    if (before->regularizer != options.regularizer)
      result.warnings.push_back(fmt::format("the estimator was trained for R {}, and R {} is asked for",
                                            before->regularizer, options.regularizer));
    return handle;
  }
  Run trained = train_estimator(run, options);
  result.note = trained.outcome() == TrainOutcome::diverged
                    ? trained.message()
                    : fmt::format("the trained estimator is in {}", trained.folder().string());
  return trained;
}

template <class T>
std::vector<WindowEstimate> apply(const OpenedTarget& target, const EstimateOptions& options) {
  ThreadPool pool(options.execution.n_threads);
  const OpenedRun& run = target.run;
  const WindowChoice& choice = target.choice;
  const LoadedModel& loaded = run.loaded;
  const bool is_coupled = loaded.plan->is_coupled();
  const std::size_t n_at_once =
      is_coupled ? choice.windows.size() : std::min(choice.windows.size(), kWindowsAtOnce);
  Engine<T> engine(loaded.plan, loaded.data->windows(), pool, {.capacity = n_at_once});
  const std::vector<T> weights(run.weights.begin(), run.weights.end());
  engine.set_weights(weights);
  WindowRegularizer<T> regularizer(loaded.model, regularizer_place(*loaded.model, options.regularizer),
                                   n_at_once);
  const double range = observed_range(loaded, choice.windows);
  std::vector<WindowEstimate> estimates;
  for (std::size_t first = 0; first < choice.windows.size(); first += n_at_once) {
    const std::size_t n = std::min(n_at_once, choice.windows.size() - first);
    engine.forward({&loaded.data->windows(), std::span(choice.windows).subspan(first, n), {}});
    const std::span<const double> values = regularizer.evaluate(engine);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t n_parameters = loaded.spec->parameters.size();
      const std::span<const T> theta = engine.theta().subspan(i * n_parameters, n_parameters);
      const bool is_whole = engine.outcomes()[i] == Outcome::finished;
      PointEstimate point{{theta.begin(), theta.end()}, kNaN, kNaN, 1};
      if (is_whole) point.regularizer = values[i];
      if (is_whole) point.loss = engine.losses()[i] / engine.loss_weights()[i];
      estimates.push_back(to_estimate(*loaded.spec, point, range));
      place_at(loaded, choice.windows[first + i], estimates.back());
    }
  }
  return estimates;
}

}  // namespace

Estimate estimate_amortised(const Run& handle, const EstimateOptions& options) {
  Estimate before;
  const Run trained = trained_run(handle, options, before);
  before.trained = trained;
  if (trained.outcome() == TrainOutcome::diverged) return before;
  const OpenedTarget target = open_target(trained, {options.on, options.data, 0, "regularizer"},
                                          {options.regularizer}, {Split::test});
  Estimate result = new_estimate(target, options, kAmortised);
  result.trained = trained;
  result.note = before.note;
  result.warnings.insert(result.warnings.begin(), before.warnings.begin(), before.warnings.end());
  set_estimates(options.single_precision ? apply<float>(target, options) : apply<double>(target, options),
                true, result);
  complete(target, options, "estimates of a trained network, one per window", result);
  return result;
}

}  // namespace greybox
