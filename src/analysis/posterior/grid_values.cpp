#include "analysis/posterior/grid_values.hpp"

#include <algorithm>

namespace greybox {
namespace {

// Of the logarithm of the density.
constexpr double kDensityError = 0.02;
constexpr double kLeastTolerance = 1e-7;

}  // namespace

GridValues::GridValues(const PosteriorRequest& request)
    : run_(request.run),
      windows_(request.choice.windows),
      regularizer_(request.regularizer),
      is_exact_(request.options.exact),
      pool_(request.options.execution.n_threads),
      scan_(run_.loaded, run_.weights, windows_.size(), pool_),
      progress_(request.options.execution, "distribution", kPairs) {}

RegularizerValues GridValues::picked(ThetaValues values) const {
  return {std::move(values.regularizers[regularizer_]), std::move(values.losses)};
}

RegularizerValues GridValues::compute(std::span<const double> theta) {
  return picked(scan_.evaluate(
      windows_, theta, [&](std::size_t n_done, std::size_t n_total) { progress_.show(n_done, n_total); }));
}

const GridValues::Interpolated* GridValues::covering(const GridAxes& axes, double beta) const {
  for (const Interpolated& one : interpolated_)
    if (one.error * beta <= kDensityError && one.means.covers(axes)) return &one;
  return nullptr;
}

// Once to a part of the range of R; where that is not enough for this β, once more to as small a part as it
// takes.
const GridValues::Interpolated* GridValues::interpolate(const GridAxes& axes, double beta) {
  const ThetaGrid grid = grid_over_all(*run_.loaded.spec, axes);
  double tolerance = kInterpolationTolerance;
  while (tolerance > kLeastTolerance) {
    const std::optional<InterpolatedValues> found =
        interpolate_scan(scan_, run_.loaded, windows_, grid,
                         [&](std::size_t n_done, std::size_t n_total) { progress_.show(n_done, n_total); },
                         {.tolerance = tolerance, .loss_limit = run_.loss_limit()});
    if (!found) return nullptr;
    const std::vector<double>& values = found->values.regularizers[regularizer_];
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double range = *high - *low;
    interpolated_.push_back({found->means, found->error * range});
    if (const Interpolated* one = covering(axes, beta)) return one;
    tolerance = std::min(tolerance / 2, kDensityError / (beta * range));
  }
  return nullptr;
}

RegularizerValues GridValues::over(const GridAxes& axes, double beta) {
  if (const auto known = computed_.find(axes); known != computed_.end()) return known->second;
  if (!is_exact_) {
    const Interpolated* found = covering(axes, beta);
    if (found == nullptr) found = interpolate(axes, beta);
    if (found != nullptr) return picked(found->means.at(axes));
  }
  return computed_[axes] = compute(grid_over_all(*run_.loaded.spec, axes).theta());
}

RegularizerValues GridValues::at(std::span<const double> theta, double beta) {
  const std::size_t n_parameters = run_.loaded.spec->parameters.size(), n = theta.size() / n_parameters;
  RegularizerValues values{std::vector<double>(n), std::vector<double>(n)};
  std::vector<std::size_t> missing;
  std::vector<double> missing_theta;
  const auto set = [&](std::size_t i, const RegularizerValues& from, std::size_t k) {
    values.regularizers[i] = from.regularizers[k];
    values.losses[i] = from.losses[k];
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::span<const double> row = theta.subspan(i * n_parameters, n_parameters);
    GridAxes axes;
    for (double value : row) axes.push_back({value});
    if (const Interpolated* found = covering(axes, beta)) {
      set(i, picked(found->means.at(axes)), 0);
    } else {
      missing.push_back(i);
      missing_theta.insert(missing_theta.end(), row.begin(), row.end());
    }
  }
  if (missing.empty()) return values;
  const RegularizerValues computed = compute(missing_theta);
  for (std::size_t k = 0; k < missing.size(); ++k) set(missing[k], computed, k);
  return values;
}

}  // namespace greybox
