// What a regularizer says about one parameter, whatever the others are.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/limits.hpp"

namespace greybox {

using Interval = std::pair<double, double>;

inline double width(const Interval& interval) {
  return interval.second - interval.first;
}

// An interval of at most this part of the range counts as narrow: R tells at least three times as much as the
// prior.
inline constexpr double kNarrow = 1.0 / 3;

inline bool is_narrow(const Interval& interval) {
  return width(interval) <= kNarrow;
}

// In coordinates from 0 to 1: quantiles of the prior.
struct ParameterReading {
  double best = 0;
  // Smallest interval that holds the projection of the sublevel set.
  Interval interval;
  // The same without regard to what other windows would say; NaN where that is not told apart.
  Interval on_these_windows{kNaN, kNaN};
  // Its parts, where R rises between them.
  std::vector<Interval> groups;
  // The interval for each network alone.
  std::vector<Interval> of_networks;
  // Of the intervals of single smoothings of the data, the widest.
  double widest_alone = 1;
  // Share of the range over which no θ fits the data.
  double poor_share = 0;
  // Whether the interval ends where θ begin that do not fit.
  bool is_cut_off = false;
  // R is lower outside the interval at θ that do not fit.
  bool is_lower_where_poor = false;
  // Of the profile's median above its lowest value, as a part of that of R over the prior.
  double rise = 0;

  // The profile: R at its lowest over the other parameters; NaN where nothing is known.
  std::vector<double> positions, lowest, low, high;
};

// Share of networks and resampled data that may be left out at either end of what they say.
inline constexpr double kOutliers = 0.05;

// The points of a valley and of the whole prior: coordinates of the varied parameters.
struct Valley {
  std::vector<std::vector<double>> low, all;
  std::vector<double> best;
  // Share of the prior that is low.
  double low_share = 0;
};

}  // namespace greybox
