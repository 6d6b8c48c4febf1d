// APHYNITY's multiplier (Yin et al. 2021): the least R that leaves no loss, sought as a series of minima of
// λ_j L + R with λ_{j+1} = λ_j + τ L.
#pragma once

#include <cstddef>

#include "model/objective.hpp"
#include "model/spec.hpp"

namespace greybox {

// λ_j L + R up to a factor: neither weight is above 1, so that limits on gradients mean the same for every
// λ_j. AdamW does not mind the factor.
ObjectiveWeights constrained_weights(double multiplier);

// The multiplier after `epoch` (from 1), whose mean training loss was `loss`.
double next_multiplier(const AphynitySpec& scheme, double multiplier, std::size_t epoch, double loss);

}  // namespace greybox
