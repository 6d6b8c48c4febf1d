// `estimate --amortised`: a network from the window to θ, trained once, then applied to any number of
// windows.
#pragma once

#include "analysis/run/opened_run.hpp"
#include "greybox/estimate.hpp"

namespace greybox {

// Trains the run's [estimator] into another run folder, unless it is trained already, and applies it.
EstimateReport estimate_amortised(const EstimateOptions& options);

}  // namespace greybox
