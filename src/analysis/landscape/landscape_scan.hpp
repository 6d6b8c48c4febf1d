// Several networks over several grids: the work behind landscapes, in one order and with one progress.
#pragma once

#include "analysis/run/networks.hpp"
#include "analysis/run/window_choice.hpp"
#include "analysis/theta/theta_grid.hpp"
#include "analysis/theta/theta_scan.hpp"

namespace greybox {

using GridValues = std::vector<ThetaValues>;  // one per network, over all points of a grid

// The work behind the values of one grid.
struct ScanAccount {
  // θ that were computed for each network, at most; the others are interpolated.
  std::size_t n_computed = 0;
  double interpolation_error = 0;
};

struct GridScan {
  GridValues values;
  ScanAccount account;
};

// NaN at points outside the bounds. Maps are shown of the first `n_shown` regularizers; what the others are
// for tells how right they have to be (`InterpolationDemand`). Throws Interruption when cancelled.
std::vector<GridScan> scan_grids(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                                 const std::vector<ThetaGrid>& grids, std::size_t n_shown,
                                 const LandscapeOptions& options);

// All networks at single values of θ (values × parameters).
GridValues scan_theta(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                      const std::vector<double>& theta, const LandscapeOptions& options);

}  // namespace greybox
