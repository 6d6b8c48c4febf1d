// How many θ and windows a cloud can afford, so that verdicts take seconds whatever the model costs.
#pragma once

#include "analysis/run/opened_run.hpp"

namespace greybox {

// All points of a cloud, about, compared with those that are spread evenly.
inline constexpr std::size_t kCrowd = 2;

struct CloudBudget {
  std::size_t n_windows = 0;
  std::size_t n_spread = 0;  // points; a square number for two parameters
  std::size_t n_bins = 0;    // along each parameter
};

// `n_axes` parameters vary, and `n_networks` are asked at `n_windows` windows.
CloudBudget plan_cloud(const OpenedRun& run, std::size_t n_axes, std::size_t n_networks,
                       std::size_t n_windows);

}  // namespace greybox
