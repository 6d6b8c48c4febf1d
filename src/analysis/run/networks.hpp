// Weights of the run and of other networks of the same model: what the bands of a landscape are made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/run/opened_run.hpp"
#include "analysis/run/planned_training.hpp"

namespace greybox {

struct NetworkOptions {
  // Total number of networks, including the run's own.
  std::size_t seeds = 1;
  // Further finished runs of the same model.
  std::vector<Run> with{};
};

struct Networks {
  // [0] is the run's own.
  std::vector<std::vector<double>> weights;
  // 0 for folders made elsewhere, which do not say theirs.
  std::vector<std::uint64_t> seeds;
  // What each learned with its weights; empty in modes without one θ.
  std::vector<Theta> theta{};
  std::vector<std::string> warnings{};

  std::size_t size() const { return weights.size(); }
};

// Of the networks beside the run's own. Throws InputError for numbers that make no sense.
std::vector<PlannedTraining> seed_trainings(const OpenedRun& run, std::size_t n_seeds);

// Trains the seeds that the run does not hold yet. Networks that diverge are left out, with a warning. Throws
// InputError for runs that do not belong together, Interruption when cancelled.
Networks gather_networks(const OpenedRun& run, const NetworkOptions& options, const Execution& execution);

// How many networks the run holds with consecutive seeds, its own included.
std::size_t n_trained_networks(const OpenedRun& run);

}  // namespace greybox
