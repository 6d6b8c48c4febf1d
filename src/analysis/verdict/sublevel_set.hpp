// The sublevel set of a regularizer: the θ at which it is as low as its minimum within the spread over
// networks and resampled data.
#pragma once

#include "analysis/verdict/theta_cloud.hpp"

namespace greybox {

// Of one replicate, over the points to which the network adapted.
struct LowLevel {
  double lowest = 0, median = 0;
  double limit = 0;  // a point is low when R is not above
};

struct SublevelSet {
  std::size_t regularizer = 0;
  std::size_t best = 0;           // the lowest point of replicate 0
  std::vector<LowLevel> levels;   // of each replicate
  std::vector<double> low_share;  // of each point: the share of replicates in which it is low

  bool is_low(const ThetaCloud& cloud, std::size_t replicate, std::size_t point) const;
};

// R has to rise by this part of the way from its lowest value to its median over the prior before it counts.
inline constexpr double kNegligible = 0.01;

// Needs a finite value at some point to which the network adapted.
SublevelSet find_sublevel_set(const ThetaCloud& cloud, std::size_t regularizer);

// Whether there is one.
bool has_values(const ThetaCloud& cloud, std::size_t regularizer);

}  // namespace greybox
