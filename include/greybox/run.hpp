// A run: a model with trained weights, the record of its training, and its data.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "greybox/dataset.hpp"
#include "greybox/evaluator.hpp"
#include "greybox/execution.hpp"
#include "greybox/run_record.hpp"

namespace greybox {

struct RunState;

// Values of the parameters by name.
using Theta = std::map<std::string, double>;

// Lives in memory alone, or in a folder too. Copies are the same run: what one of them records, all of them
// see.
class Run {
 public:
  // A folder that `train` or `save` made, or one with model.toml and weights.npz made elsewhere
  // (docs/weights.md). Throws InputError when it is none, or when another version of greybox made it.
  static Run open(const std::filesystem::path& folder);
  // Writes model.toml, weights.npz, curves.csv, run.json and, unless the data came from a file, the data, so
  // that `open` gives the run back. Throws InputError when the folder holds another run, std::system_error
  // when the disk refuses. From then on the run lives in this folder.
  void save(const std::filesystem::path& folder, bool overwrite = false);

  // An independent copy that lives in memory alone, with the data that the run learned from.
  Run in_memory() const;

  const Model& model() const;
  // What the run learned from. Throws InputError when the data file is not there any more.
  Dataset dataset() const;
  // None for a folder made elsewhere.
  std::optional<RunRecord> record() const;
  // Empty: the run lives in memory alone.
  std::filesystem::path folder() const;
  // Of all networks, one after the other, in the order of weights.npz.
  const std::vector<double>& weights() const;
  // One per epoch of the training, as far as it has come.
  std::vector<EpochReport> curves() const;

  // How the training ended, a sentence about it unless it simply finished, and warnings.
  TrainOutcome outcome() const;
  const std::string& message() const;
  const std::vector<std::string>& warnings() const;

  // The trained right-hand side at points that the caller gives; θ has a value for every parameter. For a
  // model that reads its observed window, `window` says which one of the run's data.
  Evaluator evaluator(const Theta& theta, std::optional<std::size_t> window = {}) const;

  // For the library's own use.
  explicit Run(std::shared_ptr<RunState> state);
  RunState& state() const { return *state_; }
  const std::shared_ptr<RunState>& shared_state() const { return state_; }

 private:
  std::shared_ptr<RunState> state_;
};

}  // namespace greybox
