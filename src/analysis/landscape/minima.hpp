// Minima of values on a grid that stand out from its roughness.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace greybox {

// Places of minima, lowest first, on a grid of one or two axes (the last runs fastest; neighbours also
// diagonally). A minimum counts when one must climb at least `min_depth` from it to reach a lower one; the
// lowest always counts. NaN is nowhere.
std::vector<std::size_t> find_minima(std::span<const double> values, std::span<const std::size_t> shape,
                                     double min_depth);

// f(neighbour) for every neighbour of a place on such a grid.
template <class F>
void for_neighbours(std::size_t place, std::span<const std::size_t> shape, F&& f) {
  const std::size_t width = shape.back(), height = shape.size() == 1 ? 1 : shape.front();
  const std::size_t row = place / width, column = place % width;
  for (std::size_t r = row == 0 ? 0 : row - 1; r <= std::min(row + 1, height - 1); ++r)
    for (std::size_t c = column == 0 ? 0 : column - 1; c <= std::min(column + 1, width - 1); ++c)
      if (r != row || c != column) f(r * width + c);
}

}  // namespace greybox
