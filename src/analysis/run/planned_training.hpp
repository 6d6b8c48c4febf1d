// Trainings like that of a run, which an analysis needs and keeps with the run.
#pragma once

#include <string>
#include <vector>

#include "analysis/run/opened_run.hpp"

namespace greybox {

struct PlannedTraining {
  // Where the run keeps it: a folder inside its own, "seeds/1"; in memory, a name.
  std::string name;
  std::uint64_t seed = 0;
  // Fixed there; empty: in the run's own mode.
  Theta theta{};
};

// What a planned training gave.
struct PlannedNetwork {
  // Empty when it diverged.
  std::vector<double> weights;
  // What it learned with them; empty in modes without one θ.
  Theta theta;
};

struct TrainingAccount {
  std::size_t n_trainings = 0, n_kept = 0;
};

// Trains what is missing, and continues what was interrupted, with the run's data and options: side by side,
// on all processes of the execution. Throws InputError when the run keeps a training of other data or options
// under that name, Interruption when cancelled.
TrainingAccount train_missing(const OpenedRun& run, const std::vector<PlannedTraining>& plan,
                              const Execution& execution);

// The same, and what they gave.
std::vector<PlannedNetwork> trained_networks(const OpenedRun& run, const std::vector<PlannedTraining>& plan,
                                             const Execution& execution);

bool is_trained(const OpenedRun& run, const PlannedTraining& training);

}  // namespace greybox
