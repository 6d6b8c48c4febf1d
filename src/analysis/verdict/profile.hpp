// Readings of single parameters from the points of a cloud.
#pragma once

#include "analysis/verdict/parameter_reading.hpp"
#include "analysis/verdict/sublevel_set.hpp"

namespace greybox {

ParameterReading read_parameter(const ThetaCloud& cloud, const SublevelSet& set, std::size_t axis);

Valley valley_of(const ThetaCloud& cloud, const SublevelSet& set);

}  // namespace greybox
