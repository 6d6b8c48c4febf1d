#include "analysis/verdict/sublevel_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/median.hpp"

namespace greybox {
namespace {

// A cube of this side, as a part of the range, is never ruled out as a whole: where R falls without end, as
// log|mean(…)| does along a valley, single points must not pass for the minimum.
constexpr double kGrain = 1.0 / 20;

// A network trained with another seed gives another R, by up to this part of it. Three networks show by
// themselves by how much.
constexpr double kUnrepeatable = 0.1;
constexpr std::size_t kEnoughNetworks = 3;

bool counts(const ThetaCloud& cloud, const std::vector<double>& values, std::size_t point) {
  return cloud.is_poor[point] == 0 && std::isfinite(values[point]);
}

double lowest_of(const ThetaCloud& cloud, const std::vector<double>& values) {
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < cloud.size(); ++i)
    if (counts(cloud, values, i)) lowest = std::min(lowest, values[i]);
  return lowest;
}

LowLevel level_of(const ThetaCloud& cloud, const std::vector<double>& values) {
  std::vector<double> spread;
  for (std::size_t i = 0; i < cloud.n_spread; ++i)
    if (counts(cloud, values, i)) spread.push_back(values[i]);
  LowLevel level;
  level.lowest = lowest_of(cloud, values);
  level.median = spread.empty() ? level.lowest : median_of(spread);
  const double of_itself = cloud.n_networks < kEnoughNetworks ? kUnrepeatable : kNegligible;
  level.limit = level.lowest +
                std::max(kNegligible * (level.median - level.lowest), of_itself * std::abs(level.lowest));
  const auto n_grain = static_cast<std::size_t>(static_cast<double>(cloud.n_spread) *
                                                std::pow(kGrain, static_cast<double>(cloud.n_axes())));
  if (n_grain >= 1 && n_grain <= spread.size()) {
    const auto place = spread.begin() + static_cast<std::ptrdiff_t>(n_grain - 1);
    std::nth_element(spread.begin(), place, spread.end());
    level.limit = std::max(level.limit, *place);
  }
  return level;
}

}  // namespace

bool SublevelSet::is_low(const ThetaCloud& cloud, std::size_t replicate, std::size_t point) const {
  const std::vector<double>& values = cloud.replicates[replicate].regularizers[regularizer];
  return counts(cloud, values, point) && values[point] <= levels[replicate].limit;
}

bool has_values(const ThetaCloud& cloud, std::size_t regularizer) {
  return std::isfinite(lowest_of(cloud, cloud.replicates[0].regularizers[regularizer]));
}

SublevelSet find_sublevel_set(const ThetaCloud& cloud, std::size_t regularizer) {
  SublevelSet set;
  set.regularizer = regularizer;
  for (const CloudReplicate& replicate : cloud.replicates)
    set.levels.push_back(level_of(cloud, replicate.regularizers[regularizer]));
  const std::vector<double>& own = cloud.replicates[0].regularizers[regularizer];
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    std::size_t n_low = 0;
    for (std::size_t k = 0; k < cloud.replicates.size(); ++k) n_low += set.is_low(cloud, k, i);
    set.low_share.push_back(static_cast<double>(n_low) / static_cast<double>(cloud.replicates.size()));
    if (counts(cloud, own, i) && own[i] == set.levels[0].lowest) set.best = i;
  }
  return set;
}

}  // namespace greybox
