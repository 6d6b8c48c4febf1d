// Values over a grid of θ from few of them, wherever they are smooth: beside kinks, in narrow valleys, and
// where θ stop fitting or the model runs away, every θ is computed.
#pragma once

#include "analysis/theta/interpolated_scan.hpp"

namespace greybox {

struct RefinedValues {
  ThetaValues values;
  // As many θ as all computed pairs are worth; every θ of the grid where that would not have saved much.
  std::size_t n_computed = 0;
  // As `InterpolatedValues` has it, over θ that fit.
  double error = 0;
};

// `places` of the grid alone; values at others are NaN.
template <class T>
RefinedValues refine_scan(ThetaScan<T>& scan, const LoadedModel& loaded, std::span<const std::size_t> windows,
                          const ThetaGrid& grid, const std::vector<std::size_t>& places,
                          const LoopProgress& progress = {}, const InterpolationDemand& demand = {});

}  // namespace greybox
