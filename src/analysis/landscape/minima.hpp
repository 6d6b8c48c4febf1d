// Minima of values on a grid that stand out from its roughness.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace greybox {

// Places of minima, lowest first, on a grid of one or two axes (the last runs fastest; neighbours also
// diagonally). A minimum counts when one must climb at least `min_depth` from it to reach a lower one; the
// lowest always counts. NaN is nowhere.
std::vector<std::size_t> find_minima(std::span<const double> values, std::span<const std::size_t> shape,
                                     double min_depth);

}  // namespace greybox
