// Values over a grid of θ from few of them: the means behind regularizers are smooth functions of θ, however
// many kinks the regularizers have.
#pragma once

#include <optional>

#include "analysis/theta/interpolant.hpp"
#include "analysis/theta/theta_grid.hpp"
#include "analysis/theta/theta_scan.hpp"

namespace greybox {

// The means of a model, and L, over the range of a grid.
class InterpolatedMeans {
 public:
  InterpolatedMeans(std::shared_ptr<const BoundModel> model, Interpolant interpolant,
                    std::vector<LandscapeAxis> axes, bool has_losses, bool has_log_losses, double range)
      : model_(std::move(model)),
        interpolant_(std::move(interpolant)),
        axes_(std::move(axes)),
        has_losses_(has_losses),
        has_log_losses_(has_log_losses),
        range_(range) {}

  // Whether all values of each axis lie within the range.
  bool covers(const std::vector<std::vector<double>>& axes) const;
  // At all combinations of values of the axes, the last running fastest.
  ThetaValues at(const std::vector<std::vector<double>>& axes) const;

 private:
  std::shared_ptr<const BoundModel> model_;
  Interpolant interpolant_;
  std::vector<LandscapeAxis> axes_;
  bool has_losses_, has_log_losses_;
  // As `range_for` has it.
  double range_;
};

struct InterpolatedValues {
  ThetaValues values;
  // θ that were computed.
  std::size_t n_computed = 0;
  // The largest of a regularizer, as a part of its range, or a tenth of the relative error of L, at θ that
  // were computed to check the others.
  double error = 0;
  InterpolatedMeans means;
};

// Of the range of each regularizer.
inline constexpr double kInterpolationTolerance = 1e-3;

// None where that saves little, or where values change too fast with θ: then every θ has to be computed.
template <class T>
std::optional<InterpolatedValues> interpolate_scan(ThetaScan<T>& scan, const LoadedModel& loaded,
                                                   std::span<const std::size_t> windows,
                                                   const ThetaGrid& grid, const LoopProgress& progress = {},
                                                   double tolerance = kInterpolationTolerance);

// Over all parameters of a model with one or two.
ThetaGrid grid_over_all(const ModelSpec& spec, const std::vector<std::vector<double>>& axes);

}  // namespace greybox
