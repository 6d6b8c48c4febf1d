// Runs as their users see them: opened, saved, asked.
#include "greybox/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/atomic_file.hpp"
#include "core/checksum.hpp"
#include "core/refuse.hpp"
#include "core/shared_flag.hpp"
#include "data/shared_reading.hpp"
#include "greybox/version.hpp"
#include "model/network_set.hpp"
#include "model/point_evaluator.hpp"
#include "model/settled_method.hpp"
#include "model/settled_scales.hpp"
#include "model/theta.hpp"
#include "model/weights.hpp"
#include "train/curves.hpp"
#include "train/run_data.hpp"
#include "train/run_folder.hpp"
#include "train/run_state.hpp"

namespace greybox {
namespace {

namespace fs = std::filesystem;

// "0.1" of "0.1.7": versions that agree in it read each other's runs.
std::string series_of(const std::string& version) {
  return version.substr(0, version.find('.', version.find('.') + 1));
}

// Versions whose records this one reads.
constexpr std::array<std::string_view, 2> kReadableVersions = {"0.1", "0.2"};

// A record of another version may be read wrongly; weights and model alone are safe, for their shapes are
// checked.
void check_version(const RunRecord& record, const fs::path& folder) {
  const std::string made_by = series_of(record.version);
  if (std::find(kReadableVersions.begin(), kReadableVersions.end(), made_by) != kReadableVersions.end())
    return;
  refuse(folder / kRecordName,
         fmt::format("the run was made by greybox {}, and this is {}", record.version, version()),
         "use that version, train again, or copy model.toml and weights.npz alone into another folder "
         "(docs/weights.md)");
}

void require_file(const RunFolder& folder, const fs::path& file) {
  if (fs::exists(file)) return;
  refuse(folder.path(), fmt::format("this is not a run folder: it has no {}", file.filename().string()),
         "give the folder that a training made, or put model.toml and weights.npz there (docs/weights.md)");
}

std::vector<ModelTensor> tensors_of(const Model& model) {
  return NetworkSet<double>(*bind_model(model.spec(), nullptr)).tensors();
}

// With the scales and the solver that its weights were trained with: no scales where the folder does not name
// any.
Model model_of(const RunFolder& folder, const std::optional<RunRecord>& record) {
  const Model model = Model::read(folder.model());
  return Model(with_method(with_scales(*model.spec(), record ? record->scales : Scales{}),
                           record ? record->method : std::string()));
}

void write_curves(const fs::path& file, const std::vector<EpochResult>& epochs) {
  Curves curves(file, 0);
  for (const EpochResult& epoch : epochs) curves.add(epoch);
  curves.flush();
}

EpochReport report_of(const EpochResult& result, std::size_t n_epochs) {
  EpochReport report;
  report.epoch = result.epoch;
  report.epochs = n_epochs;
  report.loss = result.loss;
  report.regularizer = result.regularizer;
  report.validation_loss = result.validation.loss;
  report.validation_regularizer = result.validation.regularizer;
  report.rate = result.rate;
  report.multiplier = result.multiplier;
  return report;
}

}  // namespace

void share_own_table(RunState& state, const Execution& execution) {
  if (execution.communicator == nullptr) return;
  const auto has_table = [&] {
    const std::lock_guard lock(state.mutex);
    return state.table != nullptr;
  };
  if (!SharedFlag(execution.communicator).is_raised(!has_table())) return;
  std::shared_ptr<const DataTable> table = read_in_first(execution, [&] { return own_table(state); });
  const std::lock_guard lock(state.mutex);
  state.table = std::move(table);
}

std::shared_ptr<const DataTable> own_table(RunState& state) {
  const std::lock_guard lock(state.mutex);
  if (state.table) return state.table;
  const ModelSpec& spec = *state.model.spec();
  if (!state.record || state.record->data.file.empty()) return state.table = read_own_table(spec);
  // A saved run names its data relative to its folder.
  return state.table = read_recorded(state.folder, *state.record, spec);
}

std::shared_ptr<const DataTable> with_run_inputs(RunState& state, std::shared_ptr<const DataTable> table) {
  const std::lock_guard lock(state.mutex);
  const ModelSpec& spec = *state.model.spec();
  if (state.record && !state.folder.empty())
    return with_recorded_inputs(state.folder, *state.record, spec, std::move(table), InputsFor::other_data);
  for (std::size_t j = 0; state.table && j < spec.inputs.size(); ++j)
    for (const InputTable& input : state.table->inputs)
      if (input.name == spec.inputs[j].name && !spec.signals[j].file.empty() &&
          table->find_input(input.name) == nullptr)
        table = std::make_shared<const DataTable>(with_input(*table, input.name, input.table));
  return table;
}

void require_finished(const RunState& state) {
  if (state.record && state.record->outcome == TrainOutcome::diverged)
    refuse(state.folder, "the training diverged: there is nothing to ask its weights",
           "train it anew; the message of the training says what went wrong");
  if (state.record && !state.record->is_finished())
    refuse(state.folder, "the run did not finish", "continue its training with option `resume`");
}

void record_use(RunState& state, const std::vector<LedgerEntry>& entries) {
  if (!state.record) return;
  const std::lock_guard lock(state.mutex);
  std::vector<LedgerEntry>& ledger = state.record->ledger;
  if (state.folder.empty())
    ledger.insert(ledger.end(), entries.begin(), entries.end());
  else
    ledger = append_to_ledger(state.folder, entries);
}

void write_weights(const fs::path& file, const RunState& state) {
  const std::vector<ModelTensor> tensors = tensors_of(state.model);
  const bool is_single = state.record && state.record->options.single_precision && !state.record->amortised &&
                         !state.record->augmented;
  std::vector<NamedArray> arrays =
      is_single
          ? weight_arrays<float>(tensors, std::vector<float>(state.weights.begin(), state.weights.end()))
          : weight_arrays<double>(tensors, state.weights);
  std::vector<double> theta;
  if (state.record)
    for (const ParameterSpec& parameter : state.model.spec()->parameters)
      if (const auto found = state.record->theta.find(parameter.name); found != state.record->theta.end())
        theta.push_back(found->second);
  if (!theta.empty()) arrays.emplace_back("theta", NpyArray{{theta.size()}, theta});
  write_npz(file, arrays);
}

Run::Run(std::shared_ptr<RunState> state) : state_(std::move(state)) {}

Run Run::open(const fs::path& path) {
  const RunFolder folder(path);
  std::optional<RunRecord> record;
  if (folder.has_record()) {
    record = read_record(path);
    check_version(*record, path);
  }
  require_file(folder, folder.model());
  const bool is_complete = !record || record->is_finished();
  if (is_complete) require_file(folder, folder.weights());
  auto state = std::make_shared<RunState>(model_of(folder, record));
  state->folder = path;
  state->record = std::move(record);
  if (fs::exists(folder.weights())) {
    WeightsFile file = read_weights_file(folder.weights(), tensors_of(state->model));
    state->weights = std::move(file.weights);
    state->weights_sha256 = std::move(file.sha256);
  }
  return Run(std::move(state));
}

void Run::save(const fs::path& path, bool overwrite) {
  RunState& state = *state_;
  if (!state.record)
    refuse(state.folder, "the folder has no run.json, and its data are not known", "copy the folder");
  RunFolder folder(path);
  if (!overwrite) folder.refuse_if_in_use();
  const std::shared_ptr<const DataTable> table = own_table(state);
  const std::vector<EpochResult> epochs =
      state.folder.empty() ? state.curves : read_curves(state.folder / "curves.csv");
  const std::lock_guard lock(state.mutex);
  folder.claim();
  folder.clear();
  RunRecord record = *state.record;
  if (needs_keeping(*table) || keeps_own_data(record) || keeps_own_inputs(record))
    state.table = keep_table(path, *table, *state.model.spec(), record);
  write_file_atomically(folder.model(), state.model.text());
  write_curves(folder.curves(), epochs);
  if (state.checkpoint) {
    Checkpoint checkpoint = *state.checkpoint;
    checkpoint.identity.data = record.data.sha256;
    write_checkpoint(folder.checkpoint(), checkpoint);
  }
  if (record.is_finished() || record.outcome == TrainOutcome::diverged)
    write_weights(folder.weights(), state);
  if (!state.estimates.empty())
    write_file_atomically(path / "estimates.json", state.estimates.dump(2) + '\n');
  write_record(path, record);  // last: only now is it a run
  state.record = record;
  state.folder = path;
}

const Model& Run::model() const {
  return state_->model;
}

Dataset Run::dataset() const {
  return {state_->model, Table(own_table(*state_))};
}

std::optional<RunRecord> Run::record() const {
  const std::lock_guard lock(state_->mutex);
  return state_->record;
}

fs::path Run::folder() const {
  const std::lock_guard lock(state_->mutex);
  return state_->folder;
}

const std::vector<double>& Run::weights() const {
  return state_->weights;
}

std::vector<EpochReport> Run::curves() const {
  const fs::path path = folder();
  const std::vector<EpochResult> epochs = path.empty() ? state_->curves : read_curves(path / "curves.csv");
  const std::optional<RunRecord> known = record();
  // Recipe "auto" may have gone on for longer.
  const std::size_t n_planned = known ? known->options.epochs : epochs.size();
  const std::size_t n_done = epochs.empty() ? 0 : epochs.back().epoch;
  std::vector<EpochReport> reports;
  for (const EpochResult& epoch : epochs) reports.push_back(report_of(epoch, std::max(n_planned, n_done)));
  return reports;
}

TrainOutcome Run::outcome() const {
  const std::optional<RunRecord> known = record();
  return known ? known->outcome : TrainOutcome::finished;
}

const std::string& Run::message() const {
  return state_->message;
}

const std::vector<std::string>& Run::warnings() const {
  return state_->warnings;
}

Evaluator Run::evaluator(const Theta& theta, std::optional<std::size_t> window) const {
  require_finished(*state_);
  const LoadedModel loaded = assemble(state_->model.spec(), window ? own_table(*state_) : nullptr);
  return make_evaluator(loaded, state_->weights, theta_from(*state_->model.spec(), theta), window);
}

}  // namespace greybox
