// Readings of single parameters from the profiles of a study.
#pragma once

#include "analysis/verdict/parameter_reading.hpp"
#include "analysis/verdict/theta_study.hpp"

namespace greybox {

bool has_values(const ThetaStudy& study);

// `axis`: the place among the study's axes.
ParameterReading read_study(const ThetaStudy& study, std::size_t axis);

// The low points of every source.
Valley valley_of(const ThetaStudy& study);

// Whether the last quantity stays low along this axis only where other `open` axes move along; those that are
// not open follow in any case.
bool is_tied(ThetaStudies& studies, std::size_t axis, const std::vector<std::size_t>& open);

// Whether the last quantity is low at most of these coordinates of the varied parameters, of which `held`
// stay as they are and the others are free.
bool is_low_along(ThetaStudies& studies, const std::vector<std::vector<double>>& rows,
                  const std::vector<std::size_t>& held);

}  // namespace greybox
