// Points that fill a cube evenly: points × axes.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace greybox {

// Additive recurrence with the generalised golden ratio (Roberts): fills a cube evenly with any number of
// points.
inline std::vector<double> spread_evenly(std::size_t n_points, std::size_t n_axes) {
  double ratio = 2;
  for (int step = 0; step < 50; ++step) ratio = std::pow(1 + ratio, 1 / static_cast<double>(n_axes + 1));
  std::vector<double> points;
  for (std::size_t i = 0; i < n_points; ++i)
    for (std::size_t axis = 0; axis < n_axes; ++axis) {
      const double x = 0.5 + static_cast<double>(i + 1) * std::pow(ratio, -static_cast<double>(axis + 1));
      points.push_back(x - std::floor(x));
    }
  return points;
}

// All points of a grid over one or two axes.
inline std::vector<double> spread_on_grid(std::size_t n_bins, std::size_t n_axes) {
  std::vector<double> points;
  const auto place = [&](std::size_t k) { return static_cast<double>(k) / static_cast<double>(n_bins - 1); };
  for (std::size_t i = 0; i < n_bins; ++i)
    for (std::size_t j = 0; j < (n_axes == 2 ? n_bins : 1); ++j) {
      points.push_back(place(i));
      if (n_axes == 2) points.push_back(place(j));
    }
  return points;
}

}  // namespace greybox
