// Which model smooths the data: one that fits them, at θ where it does.
#pragma once

#include <vector>

#include "analysis/run/opened_run.hpp"
#include "core/thread_pool.hpp"

namespace greybox {

struct FittingModel {
  // The network's, or those of the theory alone.
  std::vector<double> weights;
  // At which it fits best, and one far from it where it fits about as well; empty where no θ gives finite
  // trajectories.
  std::vector<std::vector<double>> theta;
  // L of the first.
  double loss = 0;
};

// The hybrid model, or the theory alone where that fits clearly better: a network that had to compromise
// between θ that no network can fit bends the states that it acts on at every θ.
FittingModel find_fitting_model(const OpenedRun& run, const std::vector<double>& weights,
                                const std::vector<std::size_t>& windows, ThreadPool& pool);

}  // namespace greybox
