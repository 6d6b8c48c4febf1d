// Why θ do not fit: the data exclude them, or the network has not adapted.
#pragma once

#include "analysis/landscape/landscape_scan.hpp"

namespace greybox {

// Adds to the sentence of a grid that has poor points. Where the data alone do not tell, networks learn a
// little longer at up to `options.refits` of these θ. Throws Interruption when cancelled.
void explain_poor_points(const OpenedRun& run, const WindowChoice& choice, const ThetaGrid& grid,
                         const LandscapeOptions& options, LandscapeGrid& landscape);

}  // namespace greybox
