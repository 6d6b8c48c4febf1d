// Where a landscape holds the parameters that it does not vary.
#pragma once

#include "analysis/run/window_choice.hpp"
#include "greybox/landscape.hpp"

namespace greybox {

// Values by name; parameters without one are held at the prior's median. Throws InputError when the model has
// no estimator, or the run no estimate.
Theta reference_point(const OpenedRun& run, const WindowChoice& choice, const LandscapeOptions& options);

}  // namespace greybox
