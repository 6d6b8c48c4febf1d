// Low-order polynomials through the residuals of windows: smoothed residuals and their derivatives.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/matching/matching_points.hpp"

namespace greybox {

// Powers of time from `lowest` (0: the residual need not vanish at the window's start) to `highest`; none at
// all where highest is 0 and lowest is 1: the residual is taken for noise.
struct ResidualBasis {
  std::size_t lowest = 1, highest = 0;
  // Mean squared error of leaving one snapshot out.
  double score = 0;
};

struct ResidualFit {
  // Per point.
  std::vector<double> values, derivatives;
};

// Bases that the windows allow, best first by leave-one-out error over all windows. `residuals`: per point;
// those of the windows' first snapshots do not count, because predictions start there.
std::vector<ResidualBasis> rank_bases(const MatchingPoints& points, const std::vector<double>& residuals);

ResidualFit fit_residuals(const MatchingPoints& points, const std::vector<double>& residuals,
                          const ResidualBasis& basis);

}  // namespace greybox
