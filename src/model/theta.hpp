// Values of the parameters as the user gives them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/bound_model.hpp"

namespace greybox {

// One value per parameter of the model, in its order. Throws InputError for unknown or missing names and for
// values outside the bounds.
std::vector<double> theta_from(const BoundModel& model, const std::map<std::string, double>& values);

}  // namespace greybox
