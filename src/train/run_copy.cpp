// A copy of a run that needs no folder.
#include "train/curves.hpp"
#include "train/run_folder.hpp"
#include "train/run_state.hpp"

namespace greybox {
namespace {

namespace fs = std::filesystem;

void read_folder(RunState& state, const fs::path& path) {
  const RunFolder folder(path);
  if (fs::exists(folder.curves())) state.curves = read_curves(folder.curves());
  if (fs::exists(folder.checkpoint())) state.checkpoint = read_checkpoint(folder.checkpoint());
  state.estimates = read_json_file(path / "estimates.json").value_or(Json::array());
}

// The table as one of arrays, which is what the record and the checkpoint say from now on.
void keep_in_memory(RunState& state, const DataTable& table) {
  DataTable kept = table;
  kept.is_file = false;
  for (InputTable& input : kept.inputs) {
    DataTable copy = *input.table;
    copy.is_file = false;
    copy.sha256 = content_digest(copy);
    input.table = std::make_shared<const DataTable>(std::move(copy));
    state.record->inputs[input.name] = {"", input.table->sha256};
  }
  kept.sha256 = content_digest(kept);
  kept.own_sha256.clear();
  state.record->data = {"", kept.sha256};
  if (state.checkpoint) state.checkpoint->identity.data = kept.sha256;
  state.table = std::make_shared<const DataTable>(std::move(kept));
}

}  // namespace

Run Run::in_memory() const {
  RunState& from = *state_;
  const std::shared_ptr<const DataTable> table = from.record ? own_table(from) : nullptr;
  const std::lock_guard lock(from.mutex);
  auto state = std::make_shared<RunState>(from.model);
  state->record = from.record;
  state->weights = from.weights;
  state->weights_sha256 = from.weights_sha256;
  state->message = from.message;
  state->warnings = from.warnings;
  state->curves = from.curves;
  state->checkpoint = from.checkpoint;
  state->trainings = from.trainings;
  state->estimates = from.estimates;
  state->posterior = from.posterior;
  state->posterior_draws = from.posterior_draws;
  if (!from.folder.empty()) read_folder(*state, from.folder);
  if (table) keep_in_memory(*state, *table);
  return Run(std::move(state));
}

}  // namespace greybox
