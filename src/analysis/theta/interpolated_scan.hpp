// Values over a grid of θ from few of them: the means behind regularizers are smooth functions of θ, however
// many kinks the regularizers have.
#pragma once

#include <functional>
#include <optional>

#include "analysis/theta/interpolant.hpp"
#include "analysis/theta/theta_grid.hpp"
#include "analysis/theta/theta_scan.hpp"
#include "core/limits.hpp"

namespace greybox {

// Where values of axes lie between their ends, from 0 to 1; of logarithmic ones by the logarithm.
std::vector<std::vector<double>> positions_of(const std::vector<LandscapeAxis>& axes,
                                              const std::vector<std::vector<double>>& values);

// How L is interpolated: not at all, as it is, or as log(L + added), which bends less where L comes near to
// 0.
struct LossForm {
  bool is_there = true, is_log = true;
  double added = 0;
};

// The means of a model, and L, over the range of a grid.
class InterpolatedMeans {
 public:
  InterpolatedMeans(std::shared_ptr<const BoundModel> model, Interpolant interpolant,
                    std::vector<LandscapeAxis> axes, LossForm loss_form, double range)
      : model_(std::move(model)),
        interpolant_(std::move(interpolant)),
        axes_(std::move(axes)),
        loss_form_(loss_form),
        range_(range) {}

  // Whether all values of each axis lie within the range.
  bool covers(const std::vector<std::vector<double>>& axes) const;
  // At all combinations of values of the axes, the last running fastest.
  ThetaValues at(const std::vector<std::vector<double>>& axes) const;

 private:
  std::shared_ptr<const BoundModel> model_;
  Interpolant interpolant_;
  std::vector<LandscapeAxis> axes_;
  LossForm loss_form_;
  // As `range_for` has it.
  double range_;
};

struct InterpolatedValues {
  ThetaValues values;
  // θ that were computed.
  std::size_t n_computed = 0;
  // The largest of a regularizer, as a part of its range, at θ that were computed to check the others; or
  // where that is more, as much of the tolerance as the errors of L are of theirs.
  double error = 0;
  InterpolatedMeans means;
};

// Of the range of each regularizer.
inline constexpr double kInterpolationTolerance = 1e-3;

// Of all θ of a grid, at most this part is computed.
inline constexpr std::size_t kLeastGain = 3;

struct InterpolationDemand {
  double tolerance = kInterpolationTolerance;
  // The first so many regularizers and the means behind them are wanted to the tolerance, others no better
  // than to a part of what chance in the choice of windows makes of them. None: everything is.
  std::optional<std::size_t> n_exacting{};
  // L is wanted to a hundredth of the sum of itself and this; infinite counts as 0.
  double loss_limit = 0;
  // θ with a larger L do not fit: regions of their own, where values count by their size.
  double fit_limit = kInfinity;
  // Over two axes, where somebody has a better use for what would be computed than to go on.
  std::size_t least_gain_of_two = kLeastGain;
  // Of `refine_scan`: where it is given, nothing but `regularizer` and L counts, and this says how far the
  // former may be off at places of the grid, from what was found there.
  std::function<std::vector<double>(const std::vector<std::size_t>& places,
                                    const std::vector<double>& regularizer,
                                    const std::vector<double>& losses)>
      allowed{};
  std::size_t regularizer = 0;
};

// None where that saves little, or where values change too fast with θ: then every θ has to be computed.
template <class T>
std::optional<InterpolatedValues> interpolate_scan(ThetaScan<T>& scan, const LoadedModel& loaded,
                                                   std::span<const std::size_t> windows,
                                                   const ThetaGrid& grid, const LoopProgress& progress = {},
                                                   const InterpolationDemand& demand = {});

// Over all parameters of a model with one or two.
ThetaGrid grid_over_all(const ModelSpec& spec, const std::vector<std::vector<double>>& axes);

}  // namespace greybox
