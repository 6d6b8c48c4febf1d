// Errors of each observed variable.
#pragma once

#include <vector>

#include "greybox/fit.hpp"
#include "greybox/predict.hpp"
#include "model/bound_model.hpp"

namespace greybox {

// Over what is predicted and measured; NaN where nothing is.
std::vector<OutputError> output_errors(const BoundModel& model, const Prediction& prediction);

}  // namespace greybox
