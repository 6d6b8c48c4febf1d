#include "analysis/run/planned_training.hpp"

#include <fmt/format.h>

#include "core/refuse.hpp"
#include "greybox/train.hpp"
#include "train/training.hpp"

namespace greybox {
namespace {

std::filesystem::path folder_of(const OpenedRun& run, const PlannedTraining& training) {
  const std::filesystem::path folder = run.handle.folder();
  return folder.empty() ? folder : folder / training.name;
}

// The training as far as it has come, in its folder or in memory; none when it was not begun.
std::optional<Run> kept(const OpenedRun& run, const PlannedTraining& training) {
  const std::filesystem::path folder = folder_of(run, training);
  if (!folder.empty()) return has_record(folder) ? std::optional(Run::open(folder)) : std::nullopt;
  RunState& state = run.handle.state();
  const std::lock_guard lock(state.mutex);
  const auto found = state.trainings.find(training.name);
  return found != state.trainings.end() ? std::optional(Run(found->second)) : std::nullopt;
}

// What two trainings must share: all but the seed, and when θ is fixed in one of them, the mode.
Json shared_options(const RunRecord& record, bool is_refit) {
  Json options = json_of(record.options);
  options.erase("seed");
  options.erase("theta");
  if (is_refit) options.erase("mode");
  return options;
}

// The run may have been trained anew since.
void refuse_if_stale(const OpenedRun& run, const PlannedTraining& training, const RunRecord& record) {
  const bool is_refit = !training.theta.empty();
  if (record.model.sha256 == run.record->model.sha256 && record.data.sha256 == run.record->data.sha256 &&
      shared_options(record, is_refit) == shared_options(*run.record, is_refit))
    return;
  const std::filesystem::path folder = folder_of(run, training);
  refuse(folder, fmt::format("this training is of another model, data or options than {}", run.name()),
         fmt::format("the run was trained anew since: remove {}", folder.parent_path().string()));
}

void refuse_without_record(const OpenedRun& run) {
  if (run.record) return;
  refuse(run.handle.folder(), "the folder does not say how its network was trained: it has no run.json",
         "train the model, or join runs with option `with`");
}

// One job, continued where it was interrupted.
Run train_planned(const OpenedRun& run, const PlannedTraining& training, const std::optional<Run>& begun,
                  const Execution& execution, std::pair<std::size_t, std::size_t> number_of_all) {
  TrainOptions options;
  options.seed = training.seed;
  options.theta = training.theta;
  if (!training.theta.empty()) options.mode = TrainMode::refit;
  options = inherited(options, *run.record);
  const Model& model = run.handle.model();
  const std::optional<RunRecord> recorded = begun ? begun->record() : std::nullopt;
  TrainerOptions trainer = resolve_options(options, *model.spec(), recorded ? &*recorded : nullptr);
  const std::shared_ptr<const DataTable> table = own_table(run.handle.state());
  std::vector<std::string> regularizers;
  if (!trainer.train.regularizer.empty()) regularizers.push_back(trainer.train.regularizer);
  const LoadedModel loaded = assemble(model.spec(), table, regularizers);
  trainer = with_recipe(std::move(trainer), loaded);
  TrainingJob job(model, loaded, table, trainer, recorded ? *recorded : new_record(trainer, model, *table));
  job.record.command = fmt::format("networks of {}", run.name());
  job.folder = folder_of(run, training);
  job.is_resumed = begun.has_value();
  if (begun) job.interrupted = begun->shared_state();
  job.execution = execution;
  std::tie(job.number, job.n_trainings) = number_of_all;
  return run_training(job);
}

void keep(const OpenedRun& run, const PlannedTraining& training, const Run& trained) {
  if (!run.handle.folder().empty()) return;  // it is in its own folder
  RunState& state = run.handle.state();
  const std::lock_guard lock(state.mutex);
  state.trainings[training.name] = trained.shared_state();
}

}  // namespace

void train_missing(const OpenedRun& run, const std::vector<PlannedTraining>& plan,
                   const Execution& execution) {
  if (!plan.empty()) refuse_without_record(run);
  struct MissingTraining {
    const PlannedTraining* training;
    std::optional<Run> begun;
  };
  std::vector<MissingTraining> missing;
  for (const PlannedTraining& training : plan) {
    std::optional<Run> begun = kept(run, training);
    if (begun) refuse_if_stale(run, training, *begun->record());
    const bool is_over =
        begun && (begun->outcome() == TrainOutcome::diverged || begun->record()->is_finished());
    if (!is_over) missing.push_back({&training, std::move(begun)});
  }
  for (std::size_t k = 0; k < missing.size(); ++k) {
    const Run trained =
        train_planned(run, *missing[k].training, missing[k].begun, execution, {k + 1, missing.size()});
    keep(run, *missing[k].training, trained);
    if (trained.outcome() == TrainOutcome::interrupted)
      throw Interruption(
          fmt::format("interrupted in training {} of {}; the same call continues", k + 1, missing.size()));
  }
}

bool is_trained(const OpenedRun& run, const PlannedTraining& training) {
  const std::optional<Run> begun = kept(run, training);
  return begun && begun->record()->is_finished();
}

std::vector<double> trained_weights(const OpenedRun& run, const PlannedTraining& training) {
  const std::optional<Run> begun = kept(run, training);
  return begun && begun->record()->is_finished() ? begun->weights() : std::vector<double>{};
}

Theta trained_theta(const OpenedRun& run, const PlannedTraining& training) {
  const std::optional<Run> begun = kept(run, training);
  return begun && begun->record()->is_finished() ? begun->record()->theta : Theta{};
}

}  // namespace greybox
