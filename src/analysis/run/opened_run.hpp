// A finished run opened for an analysis: its model with the regularizers that are asked for, its weights, and
// the data that it is about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "greybox/run.hpp"
#include "model/loaded_model.hpp"
#include "train/run_state.hpp"

namespace greybox {

struct OpenedRun {
  Run handle;
  // Questions about θ are asked of errors in the units of the data: its L is the mean squared error.
  LoadedModel loaded;
  // The model as it was trained: under [noise], L is the negative log-likelihood.
  LoadedModel trained{};
  // As opposed to data that the caller gave.
  bool has_own_data = true;
  std::vector<double> weights{};
  // None for a folder made elsewhere.
  std::optional<RunRecord> record{};
  std::vector<std::string> warnings{};

  std::uint64_t seed() const { return record ? record->options.seed : 0; }
  // L above which a θ does not fit; infinite where the run was not judged.
  double loss_limit() const;
  // What helps where the network has not adapted.
  std::string adaptation_cure() const;
  // What messages call the run.
  std::string name() const;
};

struct OpenOptions {
  // None: what the run learned from.
  std::shared_ptr<const DataTable> table{};
  // Names or expressions.
  std::vector<std::string> regularizers{};
  // The field that they were given in.
  const char* option = "regularizers";
};

// The one way in which analyses open runs. Throws InputError when the run is not finished, or something does
// not fit.
OpenedRun open_run(const Run& run, const OpenOptions& options = {});

// Weights of the model of a run, as they are on the run's data or on those that it was opened for: learned
// starts are those of windows.
std::vector<double> weights_for(const OpenedRun& run, const LoadedModel& loaded,
                                const std::vector<double>& weights, const std::optional<RunRecord>& record);

// The index of a regularizer of `open_run` among the model's.
std::size_t regularizer_place(const BoundModel& model, const std::string& name);

}  // namespace greybox
