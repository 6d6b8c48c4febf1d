// Polynomial interpolation on [0, 1] through Chebyshev–Lobatto points. Levels are nested: point i of a level
// is point 2 i of the next.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace greybox {

inline std::size_t chebyshev_size(std::size_t level) {
  return (std::size_t{1} << level) + 1;
}

double chebyshev_point(std::size_t i, std::size_t level);

// [target][point]: how much the value at each point counts in the interpolant at each target.
std::vector<double> interpolation_weights(std::size_t level, std::span<const double> targets);

}  // namespace greybox
