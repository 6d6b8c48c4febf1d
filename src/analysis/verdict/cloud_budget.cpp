#include "analysis/verdict/cloud_budget.hpp"

#include <algorithm>
#include <cmath>

namespace greybox {
namespace {

constexpr double kOperations = 6e11;   // some ten seconds of two cores
constexpr double kPairOverhead = 5e4;  // of a pair of θ and window, in operations
constexpr std::size_t kStages = 4;     // evaluations per snapshot of a trajectory, as in usual solvers
constexpr std::size_t kEnoughWindows = 48, kFewestWindows = 16;

struct Sizes {
  std::size_t fewest, most;  // points
};

Sizes points_for(std::size_t n_axes) {
  if (n_axes == 1) return {41, 101};
  if (n_axes == 2) return {15 * 15, 41 * 41};
  return {1024, 4096};
}

std::size_t bins_for(std::size_t n_axes, std::size_t n_spread) {
  if (n_axes == 1) return n_spread;
  if (n_axes == 2) return static_cast<std::size_t>(std::lround(std::sqrt(n_spread)));
  return n_axes == 3 ? 15 : 11;
}

// A multiplication and an addition per weight, network evaluation and grid point.
double operations_per_pair(const OpenedRun& run) {
  const LoadedModel& loaded = run.loaded;
  double n_evaluations = 1;
  if (!loaded.spec->is_algebraic())
    n_evaluations = static_cast<double>((loaded.data->windows().longest() - 1) * kStages);
  double n_points = 1;
  for (const Column* column : loaded.data->windows().columns)
    n_points = std::max(n_points, static_cast<double>(column->points()));
  return kPairOverhead + 2 * static_cast<double>(run.weights.size()) * n_evaluations * n_points;
}

std::size_t clamped(double value, std::size_t low, std::size_t high) {
  return static_cast<std::size_t>(std::clamp(value, static_cast<double>(low), static_cast<double>(high)));
}

}  // namespace

CloudBudget plan_cloud(const OpenedRun& run, std::size_t n_axes, std::size_t n_networks,
                       std::size_t n_windows) {
  const Sizes sizes = points_for(n_axes);
  const double n_pairs = kOperations / (operations_per_pair(run) * static_cast<double>(n_networks * kCrowd));
  const auto afford = [&](std::size_t others) { return n_pairs / static_cast<double>(others); };
  CloudBudget budget;
  const std::size_t enough = std::min(kEnoughWindows, n_windows),
                    fewest = std::min(kFewestWindows, n_windows);
  budget.n_windows = clamped(afford(sizes.most), enough, n_windows);
  budget.n_spread = clamped(afford(budget.n_windows), sizes.fewest, sizes.most);
  budget.n_windows = clamped(afford(budget.n_spread), fewest, budget.n_windows);
  budget.n_bins = bins_for(n_axes, budget.n_spread);
  if (n_axes == 2) budget.n_spread = budget.n_bins * budget.n_bins;
  return budget;
}

}  // namespace greybox
