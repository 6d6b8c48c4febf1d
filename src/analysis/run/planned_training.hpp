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

// Trains what is missing, and continues what was interrupted, with the run's data and options. Throws
// InputError when the run keeps a training of other data or options under that name, Interruption when
// cancelled.
void train_missing(const OpenedRun& run, const std::vector<PlannedTraining>& plan,
                   const Execution& execution);

bool is_trained(const OpenedRun& run, const PlannedTraining& training);
// The weights of a planned training; empty when it diverged.
std::vector<double> trained_weights(const OpenedRun& run, const PlannedTraining& training);
// The θ that it learned with them; empty in modes without one θ.
Theta trained_theta(const OpenedRun& run, const PlannedTraining& training);

}  // namespace greybox
