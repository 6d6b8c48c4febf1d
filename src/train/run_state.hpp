// What a `Run` is behind its handle.
#pragma once

#include <map>
#include <mutex>

#include "greybox/run.hpp"
#include "model/loaded_model.hpp"
#include "train/checkpoint.hpp"
#include "train/run_record.hpp"
#include "train/trainer.hpp"

namespace greybox {

struct RunState {
  explicit RunState(Model of) : model(std::move(of)) {}

  Model model;
  // Empty: the run lives in memory alone.
  std::filesystem::path folder{};
  // None for a folder made elsewhere.
  std::optional<RunRecord> record{};
  // Of all networks; empty for a run in a folder that has none yet.
  std::vector<double> weights{};
  // Of weights.npz; in memory, of the numbers.
  std::string weights_sha256{};
  std::string message{};
  std::vector<std::string> warnings{};

  // In memory: what a folder has in files.
  std::vector<EpochResult> curves{};
  std::optional<Checkpoint> checkpoint{};
  // Further trainings of the same model, by the name that their folder would have: "seeds/1".
  std::map<std::string, std::shared_ptr<RunState>> trainings{};
  // What estimates.json and sample/posterior.json would hold.
  Json estimates = Json::array(), posterior{};
  // Draws of that distribution, by parameter.
  std::map<std::string, std::vector<double>> posterior_draws{};

  // What it learned from, as read; null until it is asked for.
  std::shared_ptr<const DataTable> table{};
  // Of everything that changes after the run was made.
  std::mutex mutex{};
};

// The table that a run learned from: read once. Throws InputError when the file is not there any more.
std::shared_ptr<const DataTable> own_table(RunState& state);

// For a function that processes share: has the table read by the first of them, unless all have it.
void share_own_table(RunState& state, const Execution& execution);

// Other data for the run: with the run's own tables of inputs that the model has files for, unless they bring
// theirs.
std::shared_ptr<const DataTable> with_run_inputs(RunState& state, std::shared_ptr<const DataTable> table);

// Throws InputError when the run is not finished and cannot be asked anything.
void require_finished(const RunState& state);

// Adds to the ledger, in memory and in the folder. A folder made elsewhere has none.
void record_use(RunState& state, const std::vector<LedgerEntry>& entries);

// weights.npz: every network's tensors and, where there is one, θ.
void write_weights(const std::filesystem::path& file, const RunState& state);

}  // namespace greybox
