// Functions between the points of a grid, from their values at the points around.
#pragma once

#include <span>
#include <vector>

#include "analysis/theta/interpolant.hpp"

namespace greybox {

// `positions`: of the points of one or two axes, rising; `values`: [quantity][place], the last axis running
// fastest. One number per quantity; NaN where one of the points around is none, or beyond the ends.
std::vector<double> between_points(const std::vector<std::vector<double>>& positions,
                                   const Quantities& values, std::span<const double> at);

}  // namespace greybox
