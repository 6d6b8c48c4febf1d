// Noise and the data it is of.
#pragma once

#include <map>
#include <string>

#include "model/loaded_model.hpp"

namespace greybox {

// Throws InputError where a measured value is impossible under its noise.
void refuse_impossible_values(const BoundModel& model, const DataTable& table);

// The standard deviation of an observed variable over the training windows (all, where there are none).
double measured_spread(const LoadedModel& loaded, const Observed& observed);

// The same model with other numbers for the noise that is estimated.
LoadedModel with_noise(LoadedModel loaded, const std::map<std::string, double>& noise);
// The same model with the mean squared error for its loss.
LoadedModel without_noise(LoadedModel loaded);

}  // namespace greybox
