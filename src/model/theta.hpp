// Values of the parameters as the user gives them.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "model/spec.hpp"

namespace greybox {

// One value per parameter of the model, in its order. Throws InputError for unknown or missing names and for
// values outside the bounds; `option` is the field that they were given in.
std::vector<double> theta_from(const ModelSpec& spec, const std::map<std::string, double>& values,
                               const std::string& option = "theta");
// The same the other way round.
std::map<std::string, double> theta_by_name(const ModelSpec& spec, std::span<const double> theta);

}  // namespace greybox
