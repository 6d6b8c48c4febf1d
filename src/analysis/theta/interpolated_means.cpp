#include <algorithm>
#include <cmath>

#include "analysis/theta/interpolated_scan.hpp"
#include "core/limits.hpp"

namespace greybox {
namespace {

double position_on(const LandscapeAxis& axis, double value) {
  const double low = axis.values.front(), high = axis.values.back();
  return axis.is_log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

}  // namespace

std::vector<std::vector<double>> positions_of(const std::vector<LandscapeAxis>& axes,
                                              const std::vector<std::vector<double>>& values) {
  std::vector<std::vector<double>> positions(axes.size());
  for (std::size_t k = 0; k < axes.size(); ++k)
    for (double value : values[k]) positions[k].push_back(position_on(axes[k], value));
  return positions;
}

bool InterpolatedMeans::covers(const std::vector<std::vector<double>>& axes) const {
  for (std::size_t k = 0; k < axes_.size(); ++k)
    if (axes[k].front() < axes_[k].values.front() || axes[k].back() > axes_[k].values.back()) return false;
  return true;
}

ThetaValues InterpolatedMeans::at(const std::vector<std::vector<double>>& axes) const {
  ThetaValues values;
  values.means = interpolant_.at(positions_of(axes_, axes));
  std::size_t n = 1;
  for (const std::vector<double>& axis : axes) n *= axis.size();
  values.losses.assign(n, kNaN);
  if (loss_form_.is_there) {
    values.losses = std::move(values.means.back());
    values.means.pop_back();
    if (loss_form_.is_log)
      for (double& loss : values.losses) loss = std::max(std::exp(loss) - loss_form_.added, 0.0);
  }
  values.regularizers = regularizers_of(model_, values.means, n, {values.losses, range_});
  values.n_diverged.assign(n, 0);
  return values;
}

ThetaGrid grid_over_all(const ModelSpec& spec, const std::vector<std::vector<double>>& axes) {
  ThetaGrid grid;
  for (std::size_t p = 0; p < axes.size(); ++p) {
    grid.varied.push_back(p);
    const ParameterSpec& parameter = spec.parameters[p];
    grid.axes.push_back({parameter.name, parameter.unit, parameter.about, axes[p], parameter.is_log});
    grid.held.push_back(axes[p].front());
  }
  return grid;
}

}  // namespace greybox
