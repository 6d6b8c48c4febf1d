// A training in its run folder: the session, and the record and weights that a user keeps.
#pragma once

#include "train/run_folder.hpp"
#include "train/session.hpp"
#include "train/settings.hpp"

namespace greybox {

struct FolderTrainingOptions {
  TrainerOptions trainer;
  std::function<void(const EpochReport&)> on_epoch{};
  const std::atomic<bool>* cancel = nullptr;
  std::size_t n_threads = 0;
  // Continue from the folder's checkpoint, if there is one.
  bool is_resumed = false;
  // Otherwise: clear away an earlier run.
  bool may_overwrite = false;
};

// `record` is run.json as it will be written. What can be refused is refused before the folder is touched.
TrainReport train_in_folder(const LoadedModel& loaded, RunFolder& folder, Json record,
                            const FolderTrainingOptions& options);

// The report of a run from its record.
TrainReport report_from(const std::filesystem::path& run, const Json& record);

}  // namespace greybox
