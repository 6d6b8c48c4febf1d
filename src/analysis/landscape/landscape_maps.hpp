// From values over a grid to a landscape: means, bands, minima, and where the network did not adapt.
#pragma once

#include "analysis/landscape/landscape_scan.hpp"

namespace greybox {

LandscapeGrid make_landscape(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                             const ThetaGrid& grid, const GridValues& values);

}  // namespace greybox
