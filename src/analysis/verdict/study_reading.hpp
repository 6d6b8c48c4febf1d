// Readings of single parameters from the profiles of a study.
#pragma once

#include "analysis/verdict/parameter_reading.hpp"
#include "analysis/verdict/theta_study.hpp"

namespace greybox {

bool has_values(const ThetaStudy& study);

// `axis`: the place among the study's axes.
ParameterReading read_study(const ThetaStudy& study, std::size_t axis);

Valley valley_of(const ThetaStudy& study);

// A value of the quantity up to which θ is low, for the first source on the windows as they are.
double low_limit(const ThetaStudy& study);

}  // namespace greybox
