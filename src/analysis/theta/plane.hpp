// A plane through a box of parameters: where it leaves the box, and a grid over what is inside.
#pragma once

#include <array>

#include "analysis/theta/theta_grid.hpp"

namespace greybox {

// With one component per parameter, in units of half the likely range of each parameter.
using TwoDirections = std::array<std::vector<double>, 2>;

std::vector<double> half_ranges(const ThetaBox& box);

// A grid over the part of the plane through `origin` that lies within the likely ranges.
ThetaGrid plane_grid(const std::vector<ParameterSpec>& parameters, const std::vector<double>& origin,
                     const TwoDirections& directions, const std::string& view);

}  // namespace greybox
