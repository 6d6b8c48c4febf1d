// The command `augment`: windows made at drawn θ, and the estimator fitted to them.
#include "greybox/augment.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/augment/augment_box.hpp"
#include "analysis/augment/augmented_data.hpp"
#include "core/atomic_file.hpp"
#include "core/checksum.hpp"
#include "core/random.hpp"
#include "model/prediction.hpp"
#include "model/weights.hpp"
#include "train/folder_session.hpp"
#include "train/run_record.hpp"

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

Json augmentation_json(const AugmentOptions& options, const AugmentBox& box, const ModelSpec& spec) {
  Json json{{"run", std::filesystem::absolute(options.run).lexically_normal().string()},
            {"windows", options.windows},
            {"epochs", options.epochs},
            {"seed", options.seed}};
  for (std::size_t p = 0; p < spec.parameters.size(); ++p) {
    json["theta"][spec.parameters[p].name] = {box.low[p], box.high[p]};
    json["at"][spec.parameters[p].name] = box.held[p];
  }
  return json;
}

void write_run(const OpenedRun& run, const RunFolder& folder, const Weights& weights,
               const Json& augmentation) {
  const std::vector<ModelTensor> tensors = NetworkSet<double>(*run.loaded.model).tensors();
  std::vector<NamedArray> arrays = weight_arrays<double>(tensors, weights);
  for (const NamedArray& array : read_npz(run.folder / "weights.npz"))
    if (array.first == "theta") arrays.push_back(array);
  write_file_atomically(folder.model(), run.loaded.spec->source->text);
  write_npz(folder.weights(), arrays);
  if (!run.info) return;  // a folder made elsewhere has no record to carry on
  Json record = read_record(run.folder);
  record["augmented"] = augmentation;
  record["ledger"].push_back(
      to_json(LedgerEntry{"augment", "train", "starts of windows for the estimator", ""}));
  write_record(folder.path(), record);
}

std::string to_json(const AugmentReport& report) {
  Json json{{"run", report.run.string()}, {"windows", report.n_windows}};
  for (const EstimatorError& error : report.errors)
    json["rmse"][error.name] = {{"before", error.before}, {"after", error.after}};
  return json.dump();
}

bool is_cancelled(const AugmentOptions& options) {
  return options.cancel && *options.cancel;
}

// The augmented data, from which the fit begins.
struct AugmentedModel {
  LoadedModel loaded;
  // Of the table.
  std::string checksum;
};

AugmentedModel make_model(const OpenedRun& run, const AugmentBox& box, const AugmentOptions& options,
                          ThreadPool& pool, AugmentReport& report) {
  AugmentedData data = make_augmented_data(run, {box.held, drawn_theta(box, options)}, pool);
  report.n_windows = options.windows - data.n_diverged;
  if (data.n_diverged > 0)
    report.warnings.push_back(fmt::format(
        "{} of {} windows became non-finite and were not used: narrow the range of option `theta`",
        data.n_diverged, options.windows));
  std::string checksum = checksum_of(data.table);
  return {load_augmented(run, std::move(data.table), box.widths()), std::move(checksum)};
}

// Into the claimed folder, or on from where an interruption left it there.
TrainingResult fit(const OpenedRun& run, const AugmentedModel& model, const Json& augmentation,
                   const AugmentOptions& options, ThreadPool& pool, RunFolder& folder) {
  const CheckpointIdentity identity{sha256(run.loaded.spec->source->text), model.checksum,
                                    sha256(augmentation.dump() + sha256_of_numbers(run.weights))};
  const auto on_epoch = [&options](const EpochReport& epoch) {
    if (options.on_epoch) options.on_epoch(epoch);
    if (options.progress) options.progress(epoch.epoch, epoch.epochs);
  };
  const std::unique_ptr<TrainingSession> session =
      make_session(model.loaded,
                   {.trainer = fit_options(model.loaded, run.weights, options),
                    .identity = identity,
                    .on_epoch = on_epoch,
                    .cancel = options.cancel},
                   pool);
  folder.claim();
  folder.refuse_if_in_use();  // now that nobody else can change it
  return run_in_folder(*session, folder, false);
}

void set_outcome(AugmentReport& report, const TrainingResult& result, const TrainSpec& train) {
  report.outcome = result.outcome;
  report.is_interrupted = result.outcome == TrainOutcome::interrupted;
  report.message = to_sentence(result, train);
  if (report.is_interrupted) report.message += "; the same command continues";
}

}  // namespace

AugmentReport augment(const AugmentOptions& options) {
  const OpenedRun run = open_run(options.run, {}, {});
  const AugmentBox box = augment_box(run, options);
  RunFolder folder(output_of(options));
  folder.refuse_if_in_use();

  ThreadPool pool(options.n_threads);
  AugmentReport report;
  report.run = folder.path();
  const AugmentedModel model = make_model(run, box, options, pool, report);
  if (is_cancelled(options)) {
    report.outcome = TrainOutcome::interrupted;
    report.is_interrupted = true;
    report.message = "interrupted: nothing was written";
    return report;
  }
  const Json augmentation = augmentation_json(options, box, *run.loaded.spec);
  const std::vector<double> before = errors_of(model.loaded, run.weights, pool);
  const TrainingResult result = fit(run, model, augmentation, options, pool, folder);
  set_outcome(report, result, fit_options(model.loaded, run.weights, options).train);
  if (result.outcome != TrainOutcome::finished) return report;
  const std::vector<double> after = errors_of(model.loaded, result.weights, pool);
  for (std::size_t p = 0; p < before.size(); ++p)
    report.errors.push_back({model.loaded.spec->parameters[p].name, before[p], after[p]});
  write_run(run, folder, result.weights, augmentation);
  report.json = to_json(report);
  return report;
}

}  // namespace greybox
