#include "analysis/explore/training_watch.hpp"

#include "analysis/explore/run_so_far.hpp"
#include "train/run_folder.hpp"
#include "train/run_record.hpp"

namespace greybox {
namespace {

namespace fs = std::filesystem;

fs::file_time_type time_of(const fs::path& file) {
  std::error_code none;
  const fs::file_time_type time = fs::last_write_time(file, none);
  return none ? fs::file_time_type{} : time;
}

// Folders of trainings with other seeds, whose records can be read.
std::vector<std::pair<fs::path, RunRecord>> trained_seeds(const fs::path& folder) {
  std::vector<std::pair<fs::path, RunRecord>> found;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "seeds", none)) {
    try {
      if (RunFolder(entry.path()).has_record()) found.emplace_back(entry.path(), read_record(entry.path()));
    } catch (const InputError&) {
      // Half written, or no record of ours.
    }
  }
  return found;
}

}  // namespace

TrainingStamp stamp_of(const fs::path& folder) {
  const RunFolder run(folder);
  if (folder.empty() || !run.has_record()) return {};
  const RunRecord record = read_record(folder);
  TrainingStamp stamp{time_of(run.weights()), time_of(run.checkpoint()), record.outcome, record.epochs_done};
  for (const auto& [path, seed] : trained_seeds(folder))
    if (seed.outcome != TrainOutcome::running) ++stamp.n_seeds;
  return stamp;
}

std::vector<fs::path> seeds_in_training(const fs::path& folder) {
  std::vector<fs::path> running;
  for (const auto& [path, record] : trained_seeds(folder))
    if (record.outcome == TrainOutcome::running && is_being_trained(path)) running.push_back(path);
  return running;
}

}  // namespace greybox
