// The second reading of a landscape: R of the correction that the data ask for, which hardly depends on how
// well a network was trained.
#pragma once

#include <string>

#include "analysis/run/networks.hpp"
#include "analysis/run/window_choice.hpp"
#include "analysis/theta/theta_grid.hpp"
#include "greybox/landscape.hpp"

namespace greybox {

// Adds the values to the maps of every grid, and how far the networks' own are from them; leaves them empty
// where the data cannot be matched.
void add_matched(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                 const std::vector<ThetaGrid>& grids, const Execution& execution,
                 std::vector<LandscapeGrid>& landscapes);

}  // namespace greybox
