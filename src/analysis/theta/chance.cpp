#include "analysis/theta/chance.hpp"

#include <algorithm>
#include <cmath>

#include "core/limits.hpp"

namespace greybox {
namespace {

constexpr std::size_t kChanceSets = 16;

// `sets`: all windows, then the resampled sets.
std::vector<double> least_spread(const std::vector<ThetaValues>& sets,
                                 std::vector<std::vector<double>> ThetaValues::*quantities) {
  std::vector<double> least;
  for (std::size_t q = 0; q < (sets[0].*quantities).size(); ++q) {
    least.push_back(kInfinity);
    for (std::size_t i = 0; i < (sets[0].*quantities)[q].size(); ++i) {
      std::vector<double> of_sets;
      for (std::size_t s = 1; s < sets.size(); ++s) of_sets.push_back((sets[s].*quantities)[q][i]);
      const double spread = spread_over_sets(of_sets);
      least.back() = std::min(least.back(), std::isfinite(spread) ? spread : 0);
    }
  }
  return least;
}

}  // namespace

template <class T>
ChanceSpread spread_by_chance(ThetaScan<T>& scan, const LoadedModel& loaded,
                              std::span<const std::size_t> windows, std::span<const double> theta) {
  const Resampling resampling = resample(loaded.data->windows(), windows, kChanceSets, 0);
  const std::vector<ThetaValues> sets = scan.evaluate(windows, resampling, theta);
  return {least_spread(sets, &ThetaValues::means), least_spread(sets, &ThetaValues::regularizers)};
}

template ChanceSpread spread_by_chance(ThetaScan<float>&, const LoadedModel&, std::span<const std::size_t>,
                                       std::span<const double>);
template ChanceSpread spread_by_chance(ThetaScan<double>&, const LoadedModel&, std::span<const std::size_t>,
                                       std::span<const double>);

}  // namespace greybox
