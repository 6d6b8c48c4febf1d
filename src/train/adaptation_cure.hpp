// What helps a network that has not adapted to some θ.
#pragma once

#include <string>

#include "core/limits.hpp"

namespace greybox {

struct BoundModel;
struct RunRecord;

// L and λR at the end of a training; NaN where L is no mean squared error, or not known.
struct ObjectiveParts {
  double loss = kNaN, penalty = kNaN;
};
ObjectiveParts objective_parts(const RunRecord& record, const BoundModel& model);

// Where λR rivals L, longer training gains nothing: the regularizer holds corrections back, most where large
// ones are needed.
bool is_held_back(const ObjectiveParts& parts);

// "train longer", or to train with a smaller λ, and why.
std::string adaptation_cure(const ObjectiveParts& parts);

}  // namespace greybox
