#include "analysis/run/planned_training.hpp"

#include <fmt/format.h>

#include <mutex>
#include <numeric>

#include "core/packed_values.hpp"
#include "core/refuse.hpp"
#include "core/shared_tasks.hpp"
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

struct MissingTraining {
  const PlannedTraining* training;
  std::optional<Run> begun;
};

std::vector<MissingTraining> missing_of(const OpenedRun& run, const std::vector<PlannedTraining>& plan) {
  std::vector<MissingTraining> missing;
  for (const PlannedTraining& training : plan) {
    std::optional<Run> begun = kept(run, training);
    if (begun) refuse_if_stale(run, training, *begun->record());
    const bool is_over =
        begun && (begun->outcome() == TrainOutcome::diverged || begun->record()->is_finished());
    if (!is_over) missing.push_back({&training, std::move(begun)});
  }
  return missing;
}

// Trainings that run side by side report their epochs together.
class JointEpochs {
 public:
  JointEpochs(const Execution& execution, std::size_t n_trainings)
      : progress_(execution.progress), epochs_(n_trainings) {}

  Execution of(std::size_t training, Execution own) {
    if (own.progress)
      own.progress = [this, training](const ProgressReport& report) { show(training, report); };
    return own;
  }
  // Of one that ended early, or elsewhere.
  void end(std::size_t training) {
    const std::lock_guard lock(mutex_);
    epochs_[training] = n_epochs_;
    if (n_epochs_ > 0) show(training);
  }

 private:
  void show(std::size_t training, const ProgressReport& report) {
    const std::lock_guard lock(mutex_);
    n_epochs_ = std::max(n_epochs_, report.epoch->epochs);
    epochs_[training] = report.epoch->epoch;
    show(training);
  }
  void show(std::size_t training) const {
    if (!progress_) return;
    progress_({.stage = "training",
               .unit = "epochs",
               .n_done = std::accumulate(epochs_.begin(), epochs_.end(), std::size_t{0}),
               .n_total = epochs_.size() * n_epochs_,
               .training = training + 1,
               .n_trainings = epochs_.size()});
  }

  const Progress& progress_;
  std::mutex mutex_;
  std::vector<std::size_t> epochs_;
  std::size_t n_epochs_ = 0;
};

// Processes share a run by its folder.
void refuse_in_memory(const OpenedRun& run, const Execution& execution) {
  if (execution.communicator == nullptr || !run.handle.folder().empty()) return;
  refuse_option("communicator", "several processes cannot share a run that is in memory alone",
                "save the run, and open it from its folder in every process");
}

std::string packed(const std::vector<PlannedNetwork>& networks) {
  PackedValues values;
  values.put(networks.size());
  for (const PlannedNetwork& network : networks) {
    values.put(network.weights).put(network.theta.size());
    for (const auto& [name, value] : network.theta) values.put(name).put(value);
  }
  return values.take();
}

std::vector<PlannedNetwork> unpacked(const std::string& bytes) {
  UnpackedValues values(bytes);
  std::vector<PlannedNetwork> networks(values.get<std::size_t>());
  for (PlannedNetwork& network : networks) {
    network.weights = values.get_all<double>();
    for (auto n = values.get<std::size_t>(); n > 0; --n) {
      const std::string name = values.get<std::string>();
      network.theta[name] = values.get<double>();
    }
  }
  return networks;
}

PlannedNetwork network_of(const OpenedRun& run, const PlannedTraining& training) {
  const std::optional<Run> trained = kept(run, training);
  if (!trained || !trained->record()->is_finished()) return {};
  return {trained->weights(), trained->record()->theta};
}

// In the first process's eyes: others may not see yet what it has written.
std::vector<std::size_t> places_of_missing(const OpenedRun& run, const std::vector<PlannedTraining>& plan,
                                           const Execution& execution) {
  const std::string bytes = in_all(execution, [&] {
    std::vector<std::size_t> places;
    for (const MissingTraining& one : missing_of(run, plan))
      places.push_back(static_cast<std::size_t>(one.training - plan.data()));
    return PackedValues().put(places).take();
  });
  return UnpackedValues(bytes).get_all<std::size_t>();
}

}  // namespace

TrainingAccount train_missing(const OpenedRun& run, const std::vector<PlannedTraining>& plan,
                              const Execution& execution) {
  if (plan.empty()) return {};
  refuse_without_record(run);
  refuse_in_memory(run, execution);
  const std::vector<std::size_t> missing = places_of_missing(run, plan, execution);
  const std::size_t n = missing.size();
  // One after the other, a training reports for itself.
  const bool is_joint = n > 1 && (n_threads_of(execution) > 1 || execution.communicator != nullptr);
  JointEpochs epochs(execution, n);
  SharedTasks tasks{.n_tasks = n};
  tasks.work = [&](std::size_t k, const Execution& own) {
    const PlannedTraining& training = plan[missing[k]];
    const Run trained =
        train_planned(run, training, kept(run, training), is_joint ? epochs.of(k, own) : own, {k + 1, n});
    keep(run, training, trained);
    if (trained.outcome() == TrainOutcome::interrupted) throw Interruption(trained.message());
    return std::string();
  };
  std::size_t n_done = 0;
  tasks.keep = [&](std::size_t k, const std::string&) {
    ++n_done;
    if (is_joint) epochs.end(k);
  };
  if (!share_out(tasks, execution))
    throw Interruption(
        fmt::format("interrupted with {} of {} trainings done; the same call continues", n_done, n));
  return {plan.size(), plan.size() - n};
}

std::vector<PlannedNetwork> trained_networks(const OpenedRun& run, const std::vector<PlannedTraining>& plan,
                                             const Execution& execution) {
  train_missing(run, plan, execution);
  return unpacked(in_all(execution, [&] {
    std::vector<PlannedNetwork> networks;
    for (const PlannedTraining& training : plan) networks.push_back(network_of(run, training));
    return packed(networks);
  }));
}

bool is_trained(const OpenedRun& run, const PlannedTraining& training) {
  const std::optional<Run> begun = kept(run, training);
  return begun && begun->record()->is_finished();
}

}  // namespace greybox
