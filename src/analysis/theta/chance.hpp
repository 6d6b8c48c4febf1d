// How far means and regularizers would be elsewhere if other windows had been measured.
#pragma once

#include <span>
#include <vector>

#include "analysis/theta/theta_scan.hpp"

namespace greybox {

// Standard deviations over resampled sets of windows, one of each mean and regularizer.
struct ChanceSpread {
  std::vector<double> means, regularizers;
};

// The least over some θ (row by row); 0 where that is no number.
template <class T>
ChanceSpread spread_by_chance(ThetaScan<T>& scan, const LoadedModel& loaded,
                              std::span<const std::size_t> windows, std::span<const double> theta);

}  // namespace greybox
