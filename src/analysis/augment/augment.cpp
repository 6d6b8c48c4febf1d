// The command `augment`: windows made at drawn θ, and the estimator fitted to them.
#include "greybox/augment.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "analysis/augment/augment_box.hpp"
#include "analysis/augment/augmented_data.hpp"
#include "core/atomic_file.hpp"
#include "core/random.hpp"
#include "model/prediction.hpp"
#include "model/weights.hpp"
#include "train/run_folder.hpp"
#include "train/run_record.hpp"
#include "train/trainer.hpp"

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

// Only the estimator's networks learn. Empty when it was given up.
std::optional<Weights> fitted_weights(const LoadedModel& loaded, const Weights& start,
                                      const AugmentOptions& options, ThreadPool& pool) {
  TrainSpec train = loaded.spec->train;
  train.epochs = options.epochs;
  Batches batches(loaded.data->of_split(Split::train), {},
                  {.batch = train.batch, .draws = 1, .seed = options.seed});
  const std::vector<double> unused(loaded.spec->parameters.size());
  Learner<double> learner(
      loaded, make_theta_source<double>(TrainMode::refit, loaded.spec->parameters, options.seed, unused),
      pool,
      {.capacity = batches.capacity(),
       .objective = {.loss_weight = 0, .lambda = 1, .regularizer = loaded.model->regularizers.size() - 1},
       .adam = {train.weight_decay, train.clip_value, train.clip_norm},
       .fits_estimator = true});
  TrainState<double> state = learner.make_state();
  std::copy(start.begin(), start.end(), state.parameters.data());
  for (std::size_t epoch = 0; epoch < options.epochs; ++epoch) {
    batches.begin_epoch(epoch);
    for (std::size_t step = 0; step < batches.n_steps(); ++step) {
      if (options.cancel && *options.cancel) return std::nullopt;
      const Batch batch = batches.step(step);
      if (!learner.step(state, batch, rate_of_epoch(train, epoch)))
        throw std::runtime_error("fitting the estimator diverged: " + learner.trouble(batch));
    }
    if (options.progress) options.progress(epoch + 1, options.epochs);
  }
  return Weights(state.weights().begin(), state.weights().end());
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

}  // namespace

AugmentReport augment(const AugmentOptions& options) {
  const OpenedRun run = open_run(options.run, {}, {});
  const AugmentBox box = augment_box(run, options);
  RunFolder folder(output_of(options));
  folder.refuse_if_in_use();

  ThreadPool pool(options.n_threads);
  AugmentedData data = make_augmented_data(run, {box.held, drawn_theta(box, options)}, pool);
  AugmentReport report;
  report.run = folder.path();
  report.n_windows = options.windows - data.n_diverged;
  if (data.n_diverged > 0)
    report.warnings.push_back(
        fmt::format("{} of {} windows left the finite numbers and were not used: narrow --theta",
                    data.n_diverged, options.windows));
  const LoadedModel loaded = load_augmented(run, std::move(data.table), box.widths());
  const std::vector<double> before = errors_of(loaded, run.weights, pool);
  const std::optional<Weights> weights = fitted_weights(loaded, run.weights, options, pool);
  report.is_interrupted = !weights;
  if (!weights) return report;
  const std::vector<double> after = errors_of(loaded, *weights, pool);
  for (std::size_t p = 0; p < before.size(); ++p)
    report.errors.push_back({loaded.spec->parameters[p].name, before[p], after[p]});
  folder.claim();
  folder.refuse_if_in_use();
  write_run(run, folder, *weights, augmentation_json(options, box, *run.loaded.spec));
  report.json = to_json(report);
  return report;
}

}  // namespace greybox
