#include "analysis/run/planned_training.hpp"

#include <fmt/format.h>

#include "greybox/error.hpp"
#include "model/weights.hpp"
#include "train/inherit.hpp"
#include "train/run_record.hpp"
#include "train/training.hpp"

namespace greybox {
namespace {

bool is_finished(const PlannedTraining& training) {
  return std::filesystem::exists(training.folder / kRecordName) && read_run(training.folder).is_finished;
}

// What two trainings must share: all but the seed, and when θ is fixed in one of them, the mode.
Json shared_options(const std::filesystem::path& folder, bool is_refit) {
  Json options = read_record(folder).at("options");
  options.erase("seed");
  options.erase("theta");
  if (is_refit) options.erase("mode");
  return options;
}

// The run may have been trained anew since the folder was made.
void refuse_if_stale(const OpenedRun& run, const PlannedTraining& training) {
  if (!std::filesystem::exists(training.folder / kRecordName)) return;
  const RunInfo info = read_run(training.folder);
  const bool is_refit = !training.theta.empty();
  if (info.model_sha256 == run.info->model_sha256 && info.data_sha256 == run.info->data_sha256 &&
      shared_options(training.folder, is_refit) == shared_options(run.folder, is_refit))
    return;
  throw InputError(Diagnostic{
      .file = training.folder.string(),
      .message =
          fmt::format("this training is of another model, data or options than {}", run.folder.string()),
      .help =
          fmt::format("the run was trained anew since: remove {}", training.folder.parent_path().string())});
}

void refuse_without_record(const OpenedRun& run) {
  if (run.info) return;
  throw InputError(
      Diagnostic{.file = run.folder.string(),
                 .message = "the folder does not tell how its network was trained: it has no run.json",
                 .help = "train the model with `greybox train`, or join runs with --with"});
}

TrainOptions options_of(const OpenedRun& run, const PlannedTraining& training, const NetworkOptions& how) {
  TrainOptions options;
  options.run = training.folder;
  options.seed = training.seed;
  if (!training.theta.empty()) options.mode = TrainMode::refit;
  inherit_options(options, run.folder);
  options.n_threads = how.n_threads;
  options.cancel = how.cancel;
  options.resume = true;
  options.command_line = fmt::format("greybox landscape {}", run.folder.string());
  return options;
}

}  // namespace

void train_missing(const OpenedRun& run, const std::vector<PlannedTraining>& plan,
                   const NetworkOptions& how) {
  if (!plan.empty()) refuse_without_record(run);
  std::vector<const PlannedTraining*> missing;
  for (const PlannedTraining& training : plan) {
    refuse_if_stale(run, training);
    if (!is_finished(training)) missing.push_back(&training);
  }
  for (std::size_t k = 0; k < missing.size(); ++k) {
    TrainOptions options = options_of(run, *missing[k], how);
    options.on_epoch = [&](const EpochReport& epoch) {
      if (how.progress) how.progress({k + 1, missing.size(), epoch});
    };
    if (run_training(options, missing[k]->theta).outcome == TrainOutcome::interrupted)
      throw Interruption(fmt::format("interrupted in training {} of {}; the same command continues in {}",
                                     k + 1, missing.size(), missing[k]->folder.string()));
  }
}

std::vector<double> trained_weights(const OpenedRun& run, const PlannedTraining& training) {
  if (!is_finished(training)) return {};
  return read_weights(training.folder / "weights.npz", NetworkSet<double>(*run.loaded.model).tensors());
}

}  // namespace greybox
