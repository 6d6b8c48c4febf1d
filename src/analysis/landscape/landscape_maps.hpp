// From values over a grid to a landscape: means, bands, minima, and θ that do not fit.
#pragma once

#include "analysis/landscape/landscape_scan.hpp"

namespace greybox {

LandscapeGrid make_landscape(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                             const ThetaGrid& grid, const GridValues& values);

// Of every map and network, among θ that fit and that the data do not exclude.
void add_minima(const OpenedRun& run, const ThetaGrid& grid, LandscapeGrid& landscape);

}  // namespace greybox
