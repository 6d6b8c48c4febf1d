#include "analysis/explore/run_so_far.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/refuse.hpp"
#include "model/network_set.hpp"
#include "train/auto_recipe.hpp"
#include "train/run_folder.hpp"
#include "train/run_state.hpp"

namespace greybox {
namespace {

const NpyArray* find_array(const Checkpoint& checkpoint, const char* name) {
  for (const auto& [known, array] : checkpoint.arrays)
    if (known == name) return &array;
  return nullptr;
}

// What a training that ended here would leave: the average where there is one.
std::vector<double> weights_in(const Checkpoint& checkpoint, std::size_t n_weights) {
  const NpyArray* array = find_array(checkpoint, "average");
  if (array == nullptr || array->size() == 0) array = find_array(checkpoint, "parameters");
  std::vector<double> weights = array ? array->to_doubles() : std::vector<double>();
  if (weights.size() < n_weights)
    refuse(checkpoint.source, "the checkpoint belongs to another model file",
           "remove checkpoint.npz, and train anew");
  weights.resize(n_weights);
  return weights;
}

double counter_in(const Checkpoint& checkpoint, const char* name) {
  const NpyArray* array = find_array(checkpoint, name);
  return array && array->size() > 0 ? array->to_doubles().front() : 0;
}

std::size_t epochs_in(const Checkpoint& checkpoint, std::size_t n_epochs) {
  const double epoch = counter_in(checkpoint, "epoch");
  if (!(epoch >= 0 && epoch <= static_cast<double>(n_epochs)))
    refuse(checkpoint.source,
           fmt::format("the checkpoint is damaged: it is after epoch {} of {}", epoch, n_epochs),
           "remove checkpoint.npz, and train anew");
  return static_cast<std::size_t>(epoch);
}

}  // namespace

Run run_so_far(const Run& run) {
  const std::optional<RunRecord> record = run.record();
  const RunFolder folder(run.folder());
  if (!record || record->is_finished() || run.folder().empty()) return run;
  if (record->outcome == TrainOutcome::diverged) require_finished(run.state());
  if (!std::filesystem::exists(folder.checkpoint()))
    refuse(folder.path(), "the training has just begun: there is nothing to ask yet",
           "try again once it has written its first checkpoint, which takes a second or one step");
  const Checkpoint checkpoint = read_checkpoint(folder.checkpoint());
  auto state = std::make_shared<RunState>(run.model());
  state->folder = folder.path();
  state->record = record;
  state->record->outcome = TrainOutcome::stopped_early;
  state->record->epochs_done = epochs_in(checkpoint, record->options.epochs << kMostDoublings);
  state->record->seconds = counter_in(checkpoint, "seconds");
  state->record->loss = counter_in(checkpoint, "last_loss");
  state->weights =
      weights_in(checkpoint, NetworkSet<double>(*bind_model(run.model().spec(), nullptr)).n_weights());
  return Run(std::move(state));
}

// A look at the lock takes it for a moment; nobody begins to train into a folder whose record says that it is
// being trained, which alone is looked at.
bool is_being_trained(const std::filesystem::path& folder) {
  const int descriptor = ::open((folder / ".lock").c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool is_held = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return is_held;
}

}  // namespace greybox
