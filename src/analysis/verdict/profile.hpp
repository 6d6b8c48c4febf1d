// What a regularizer says about one parameter, whatever the others are.
#pragma once

#include <utility>
#include <vector>

#include "analysis/verdict/sublevel_set.hpp"

namespace greybox {

using Interval = std::pair<double, double>;

inline double width(const Interval& interval) {
  return interval.second - interval.first;
}

// In coordinates in which the parameter's range is [0, 1].
struct ParameterReading {
  double best = 0;
  Interval interval;                  // extent of the sublevel set
  std::vector<Interval> groups;       // its parts, where R rises between them
  std::vector<Interval> of_networks;  // the extent for each network alone
  double poor_share = 0;              // of the range, where the network mostly did not adapt
  bool is_lower_where_poor = false;   // R is lower outside the interval at θ to which it did not adapt
  double rise = 0;  // of the profile's median above its lowest value, as a part of that of R over the prior

  // The profile: R at its lowest over the other parameters, one entry per bin, NaN where nothing is known.
  std::vector<double> lowest, low, high;
};

ParameterReading read_parameter(const ThetaCloud& cloud, const SublevelSet& set, std::size_t axis);

}  // namespace greybox
