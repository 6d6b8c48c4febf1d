// Values over a grid of θ from few of them: the means behind regularizers are smooth functions of θ, however
// many kinks the regularizers have.
#pragma once

#include <optional>

#include "analysis/theta/theta_grid.hpp"
#include "analysis/theta/theta_scan.hpp"

namespace greybox {

struct InterpolatedValues {
  ThetaValues values;
  // θ that were computed.
  std::size_t n_computed = 0;
  // The largest of a regularizer, as a part of its range, or a tenth of the relative error of L, at θ that
  // were computed to check the others.
  double error = 0;
};

// None where that saves little, or where values change too fast with θ: then every θ has to be computed.
template <class T>
std::optional<InterpolatedValues> interpolate_scan(ThetaScan<T>& scan, const LoadedModel& loaded,
                                                   std::span<const std::size_t> windows,
                                                   const ThetaGrid& grid, const LoopProgress& progress = {});

}  // namespace greybox
