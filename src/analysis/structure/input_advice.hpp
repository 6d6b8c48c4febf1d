// What a model file says about its priors and inputs that its author may not have meant.
#pragma once

#include <string>
#include <vector>

#include "model/column_profile.hpp"
#include "model/loaded_model.hpp"

namespace greybox {

// Uniform priors over orders of magnitude, of which nearly all is in the highest.
std::vector<std::string> wide_priors(const ModelSpec& spec);

// Parameters over orders of magnitude that a network reads as they are, so that most of the prior looks alike
// to it.
std::vector<std::string> crowded_parameters(const ModelSpec& spec);

// Inputs that change in steps and are taken for lines between their rows.
std::vector<std::string> ramps_of_steps(const ModelSpec& spec, const TableProfile& profile);

// Inputs by which a network can tell few training series apart.
std::vector<std::string> series_labels(const LoadedModel& loaded, const TableProfile& profile);

}  // namespace greybox
