#include "analysis/estimate/amortised.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/estimate/amortised_folder.hpp"
#include "analysis/estimate/estimate_report.hpp"
#include "analysis/estimate/estimator_snippet.hpp"
#include "analysis/run/data_reuse.hpp"
#include "analysis/run/target.hpp"
#include "core/checksum.hpp"
#include "greybox/error.hpp"
#include "greybox/networks.hpp"
#include "model/observed_range.hpp"
#include "model/window_regularizer.hpp"
#include "train/folder_session.hpp"

namespace greybox {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kRate = 1e-4;                // the paper's
constexpr std::size_t kWindowsAtOnce = 1024;  // when applied; results do not depend on it

[[noreturn]] void refuse_without_estimator(const OpenedRun& run) {
  throw InputError(Diagnostic{.file = (run.folder / "model.toml").string(),
                              .message = "the model has no [estimator] that could learn to give θ",
                              .help = fmt::format("add this to the model file and train it again:\n\n{}\n",
                                                  estimator_snippet(*run.loaded.model))});
}

// Grid points have no answers, and the window of an algebraic model is made of them.
void refuse_if_answers_are_read(const std::filesystem::path& run) {
  const OpenedRun opened = open_run(run, {}, {});
  for (const BoundNetwork& network : opened.loaded.model->networks)
    if (network.is_estimator && network.spec->reads_window)
      throw InputError(Diagnostic{
          .file = "--on",
          .message = "the estimator reads windows, and grid points have no answers in them",
          .help = fmt::format("give network `{}` the inputs instead of the window", network.spec->name)});
}

// Equation (6), with Adam: clipped as in training, without decay.
TrainerOptions trainer_options(const EstimateOptions& options, const OpenedRun& run) {
  const auto refuse = [](const char* option, const char* message, const char* help) {
    throw InputError(Diagnostic{.file = option, .message = message, .help = help});
  };
  const std::pair<double, double> rate = options.rate.value_or(std::pair{kRate, kRate});
  TrainerOptions result;
  TrainSpec& train = result.train = run.loaded.spec->train;
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
  if (train.epochs == 0) refuse("--epochs", "no epoch is to be trained", "give 1 or more");
  if (train.batch == 0) refuse("--batch", "a batch holds no window", "give 1 or more");
  check_rates(rate);
  if (run.loaded.data->of_split(Split::train).empty())
    refuse("--amortised", "the data have no training windows", "give [data] split a fraction `train`");
  return result;
}

Json to_json(const TrainerOptions& options) {
  const TrainSpec& train = options.train;
  return {{"regularizer", train.regularizer},
          {"epochs", train.epochs},
          {"batch", train.batch},
          {"rate", {train.rate_start, train.rate_end}},
          {"seed", options.seed},
          {"precision", train.precision == Precision::single_ ? "float" : "double"}};
}

CheckpointIdentity identity_of(const OpenedRun& run, const TrainerOptions& trainer) {
  return {sha256(run.loaded.spec->source->text), sha256_of_file(run.loaded.data->table().file),
          sha256(to_json(trainer).dump() + sha256_of_numbers(trainer.start_weights))};
}

void refuse_if_trained(const RunFolder& folder, const EstimateOptions& options) {
  if (options.overwrite || !folder.has_record()) return;
  throw InputError(Diagnostic{
      .file = folder.path().string(),
      .message = "the estimator of this run is trained already",
      .help =
          fmt::format("apply it with `greybox estimate {} --amortised`, or train it anew with --overwrite",
                      folder.path().string())});
}

// Into the folder, or on from where an interruption left it there.
TrainedEstimator train_estimator(const OpenedRun& run, const EstimateOptions& options, RunFolder& folder) {
  const TrainerOptions trainer = trainer_options(options, run);
  ThreadPool pool(options.n_threads);
  const auto on_epoch = [&options](const EpochReport& epoch) {
    if (options.on_epoch) options.on_epoch(epoch);
    if (options.progress) options.progress(epoch.epoch, epoch.epochs);
  };
  const std::unique_ptr<TrainingSession> session = make_session(run.loaded,
                                                                {.trainer = trainer,
                                                                 .identity = identity_of(run, trainer),
                                                                 .on_epoch = on_epoch,
                                                                 .cancel = options.cancel},
                                                                pool);
  folder.claim();
  refuse_if_trained(folder, options);  // now that nobody else can change it
  if (folder.has_record()) folder.clear();
  const TrainingResult result = run_in_folder(*session, folder, options.overwrite);
  if (result.outcome == TrainOutcome::interrupted)
    throw Interruption(to_sentence(result, trainer.train) + "; the same command continues");
  return {result, to_json(trainer)};
}

std::string note_of(const OpenedRun& run) {
  return run.info
             ? fmt::format("the estimator of {} is trained already: it is applied as it is",
                           run.folder.string())
             : fmt::format("{} was made elsewhere: its estimator is applied as it is", run.folder.string());
}

// The folder whose estimator is to be applied; trains it first where that was not done.
std::filesystem::path trained_folder(const EstimateOptions& options, EstimateReport& report) {
  const OpenedRun run = open_run(options.run, {}, {options.regularizer});
  if (run.loaded.model->estimator.empty()) refuse_without_estimator(run);
  const Json record = estimator_record(run.folder);
  if (!run.info || !record.is_null()) {
    report.note = note_of(run);
    if (run.info && record.at("regularizer") != options.regularizer)
      report.warnings.push_back(fmt::format("the estimator was trained for R {}, and R {} is asked for",
                                            record.at("regularizer").get<std::string>(),
                                            options.regularizer));
    return run.folder;
  }
  RunFolder folder(amortised_folder(run.folder));
  refuse_if_trained(folder, options);
  const TrainedEstimator trained = train_estimator(run, options, folder);
  report.outcome = trained.result.outcome;
  if (trained.result.divergence) {
    report.message = to_sentence(*trained.result.divergence);
    return folder.path();
  }
  write_amortised_run(run, folder, trained);
  report.note = fmt::format("the trained estimator is in {}", folder.path().string());
  return folder.path();
}

template <class T>
std::vector<Estimate> apply(const OpenedRun& run, const WindowChoice& choice,
                            const EstimateOptions& options) {
  ThreadPool pool(options.n_threads);
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
  std::vector<Estimate> estimates;
  for (std::size_t first = 0; first < choice.windows.size(); first += n_at_once) {
    const std::size_t n = std::min(n_at_once, choice.windows.size() - first);
    engine.forward({&loaded.data->windows(), std::span(choice.windows).subspan(first, n), {}});
    const std::span<const double> values = regularizer.evaluate(engine);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t n_parameters = loaded.spec->parameters.size();
      const std::span<const T> theta = engine.theta().subspan(i * n_parameters, n_parameters);
      const bool is_whole = engine.outcomes()[i] == Outcome::finished;
      PointEstimate point{{theta.begin(), theta.end()}, NAN, NAN, 1};
      if (is_whole) point.regularizer = values[i];
      if (is_whole) point.loss = engine.squared_errors()[i] / engine.n_compared()[i];
      estimates.push_back(to_estimate(*loaded.spec, point, range));
      place_at(loaded, choice.windows[first + i], estimates.back());
    }
  }
  return estimates;
}

}  // namespace

EstimateReport estimate_amortised(const EstimateOptions& options) {
  const Target target = parse_target(options.on, options.data);
  if (!target.points.empty()) refuse_if_answers_are_read(options.run);
  EstimateReport report;
  report.run = trained_folder(options, report);
  if (report.outcome == TrainOutcome::diverged) {
    report.json =
        Json{{"run", report.run.string()}, {"outcome", "diverged"}, {"message", report.message}}.dump();
    return report;
  }
  const auto [run, choice] = open_target(report.run, target, {options.regularizer});
  report.regularizer = options.regularizer;
  report.method = "amortised";
  report.on = choice.name;
  report.n_windows = choice.windows.size();
  report.is_per_window = true;
  report.warnings.insert(report.warnings.end(), run.warnings.begin(), run.warnings.end());
  report.estimates =
      options.single_precision ? apply<float>(run, choice, options) : apply<double>(run, choice, options);
  if (!target.points.empty()) forget_errors(report.estimates);
  complete_report(run, options, "estimates of a trained network, one per window", report);
  return report;
}

}  // namespace greybox
