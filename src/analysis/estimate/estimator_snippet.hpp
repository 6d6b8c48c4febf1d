// What to paste into a model file that has no [estimator].
#pragma once

#include <string>

#include "model/bound_model.hpp"

namespace greybox {

// A network from the window (of an algebraic model, from its inputs) to one number per parameter, and
// equations that keep each within its bounds.
std::string estimator_snippet(const BoundModel& model);

}  // namespace greybox
