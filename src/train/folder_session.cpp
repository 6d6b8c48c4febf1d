#include "train/folder_session.hpp"

#include "greybox/error.hpp"

namespace greybox {

TrainingResult run_in_folder(TrainingSession& session, const RunFolder& folder, bool may_discard) {
  if (std::filesystem::exists(folder.checkpoint())) {
    try {
      session.resume(read_checkpoint(folder.checkpoint()));
    } catch (const InputError&) {
      if (!may_discard) throw;
    }
  }
  TrainingResult result;
  {
    FolderStore store(folder.curves(), folder.checkpoint());
    result = session.run(store);
  }
  if (result.outcome == TrainOutcome::diverged) folder.clear();
  return result;
}

}  // namespace greybox
