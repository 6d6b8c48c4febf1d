// A plane through a box of parameters: where it leaves the box, and a grid over what is inside.
#pragma once

#include <Eigen/Dense>

#include "analysis/theta/theta_grid.hpp"

namespace greybox {

// Columns are two directions, one row per parameter, in units of half the likely range of each parameter.
using Directions = Eigen::Matrix<double, Eigen::Dynamic, 2>;

Eigen::VectorXd half_ranges(const ThetaBox& box);

// A grid over the part of the plane through `origin` that lies within the likely ranges.
ThetaGrid plane_grid(const std::vector<ParameterSpec>& parameters, const std::vector<double>& origin,
                     const Directions& directions, const std::string& view);

}  // namespace greybox
