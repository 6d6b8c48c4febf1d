// Planes through the space of many parameters, in which a landscape can be looked at.
#pragma once

#include "analysis/landscape/landscape_scan.hpp"

namespace greybox {

// `options.plane`: two random directions through the reference point, or the two leading principal components
// of prior draws with low R, through their mean. Directions are orthonormal where every parameter is scaled
// to its prior's range. Throws InputError for models of fewer than two parameters.
ThetaGrid make_view(const OpenedRun& run, const WindowChoice& choice, const LandscapeOptions& options,
                    const std::map<std::string, double>& reference);

}  // namespace greybox
