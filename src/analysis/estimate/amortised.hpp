// Amortised estimates: a network from the window to θ, trained once, then applied to any number of windows.
#pragma once

#include "greybox/estimate.hpp"

namespace greybox {

// Trains the run's [estimator] into another run, unless it is trained already, and applies it.
Estimate estimate_amortised(const Run& run, const EstimateOptions& options);

}  // namespace greybox
