// What to paste into a model file that has no [estimator].
#pragma once

#include <string>

#include "model/spec.hpp"

namespace greybox {

// A network from the window to one number per parameter, and equations that keep each within its bounds.
std::string estimator_snippet(const ModelSpec& spec);

}  // namespace greybox
