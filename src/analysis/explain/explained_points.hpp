// Points along predicted trajectories at which a network is looked at.
#pragma once

#include <string>
#include <vector>

#include "analysis/run/window_choice.hpp"
#include "core/thread_pool.hpp"

namespace greybox {

struct ExplainedPoints {
  // States or columns, then inputs, then the time since the window's start where the network may read it.
  std::vector<std::string> variables;
  std::size_t n_states = 0, n_inputs = 0;
  bool has_time = false;
  std::vector<std::string> components;
  // [point]: the window of the data that it is of, and its step there.
  std::vector<std::size_t> window, step;
  // Since the window's start.
  std::vector<double> time;
  // [point][variable], and [point][component].
  std::vector<std::vector<double>> values, theory, network;
  // One value per parameter.
  std::vector<double> theta;

  std::size_t size() const { return values.size(); }
};

// At most so many, evenly spaced over windows and times. θ empty: the model's estimator, whose mean over the
// windows is then taken. Throws InputError for models with fields.
ExplainedPoints explained_points(const OpenedRun& run, const std::vector<std::size_t>& windows,
                                 std::vector<double> theta, std::size_t most, ThreadPool& pool);

}  // namespace greybox
