// Trainings like that of a run, which an analysis needs and keeps as run folders of their own.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/run/opened_run.hpp"
#include "greybox/networks.hpp"

namespace greybox {

struct PlannedTraining {
  std::filesystem::path folder;
  std::uint64_t seed = 0;
  std::map<std::string, double> theta;  // fixed there; empty: in the run's own mode
};

// Trains what is missing, and continues what was interrupted, with the run's data and options. Throws
// InputError when a folder holds a training of other data or options, Interruption when cancelled.
void train_missing(const OpenedRun& run, const std::vector<PlannedTraining>& plan,
                   const NetworkOptions& options);

// The weights of a planned training; empty when it diverged.
std::vector<double> trained_weights(const OpenedRun& run, const PlannedTraining& training);

}  // namespace greybox
