#include "analysis/theta/interpolant.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/theta/chebyshev.hpp"
#include "core/limits.hpp"

namespace greybox {
namespace {

constexpr std::size_t kFirstLevel = 3, kLastLevel = 7;
// A function is not smooth when so many levels in a row leave more than this part of the error before them;
// one alone may come before the function is resolved at all.
constexpr std::size_t kRoughLevels = 2;
constexpr double kTooRough = 0.5;
// An error is foretold where the last level changed no more than so many tolerances, and only so far below.
constexpr double kForetoldFrom = 30, kForetoldSafety = 3;

}  // namespace

Interpolant::Interpolant(std::size_t n_axes) : n_axes_(n_axes), levels_{kFirstLevel, kFirstLevel} {
  for (std::size_t axis = 0; axis < 2; ++axis)
    sizes_[axis] = axis < n_axes ? chebyshev_size(levels_[axis]) : 1;
}

std::optional<Interpolant> Interpolant::make(std::size_t n_axes, const QuantitiesAt& evaluate,
                                             const InterpolationLimits& limits) {
  Interpolant interpolant(n_axes);
  std::optional<std::size_t> refined;
  double before[2] = {0, 0};
  std::size_t n_rough = 0;
  while (interpolant.n_points() <= limits.most_points && interpolant.fill(evaluate)) {
    double errors[2] = {0, 0};
    for (std::size_t axis = 0; axis < n_axes; ++axis)
      errors[axis] = interpolant.error_along(axis, interpolant.levels_[axis], limits);
    if (interpolant.is_met(errors, limits)) return interpolant;
    if (refined) n_rough = errors[*refined] > kTooRough * before[*refined] ? n_rough + 1 : 0;
    if (n_rough == kRoughLevels) break;
    refined = errors[1] > errors[0] ? 1 : 0;
    std::copy_n(errors, 2, before);
    if (interpolant.levels_[*refined] == kLastLevel) break;
    interpolant.refine(*refined);
  }
  return std::nullopt;
}

std::optional<Interpolant> Interpolant::of_others(const QuantitiesAt& evaluate) const {
  Interpolant others = *this;
  others.values_.clear();
  return others.fill(evaluate) ? std::optional(others) : std::nullopt;
}

// False where a value is not finite.
bool Interpolant::fill(const QuantitiesAt& evaluate) {
  std::vector<std::size_t> places;
  std::vector<std::vector<double>> points;
  for (std::size_t place = 0; place < n_points(); ++place) {
    if (!values_.empty() && !std::isnan(values_[0][place])) continue;
    places.push_back(place);
    points.push_back({chebyshev_point(place / sizes_[1], levels_[0])});
    if (n_axes_ == 2) points.back().push_back(chebyshev_point(place % sizes_[1], levels_[1]));
  }
  const Quantities found = evaluate(points);
  values_.resize(found.size(), std::vector<double>(n_points(), kNaN));
  for (std::size_t q = 0; q < found.size(); ++q)
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!std::isfinite(found[q][i])) return false;
      values_[q][places[i]] = found[q][i];
    }
  return true;
}

void Interpolant::refine(std::size_t axis) {
  const std::size_t before[2] = {sizes_[0], sizes_[1]};
  sizes_[axis] = chebyshev_size(++levels_[axis]);
  for (std::vector<double>& values : values_) {
    std::vector<double> spread(n_points(), kNaN);
    for (std::size_t i = 0; i < before[0]; ++i)
      for (std::size_t j = 0; j < before[1]; ++j)
        spread[(axis == 0 ? 2 * i : i) * sizes_[1] + (axis == 1 ? 2 * j : j)] = values[i * before[1] + j];
    values = std::move(spread);
  }
}

double Interpolant::value(std::size_t quantity, std::size_t axis, std::size_t along,
                          std::size_t across) const {
  return values_[quantity][axis == 0 ? along * sizes_[1] + across : across * sizes_[1] + along];
}

// `errors` are those of the level before. From one level to the next the error of a smooth function falls at
// least by the same factor as before.
bool Interpolant::is_met(const double (&errors)[2], const InterpolationLimits& limits) {
  error_ = std::max(errors[0], errors[1]);
  if (error_ <= limits.tolerance) return true;
  if (!limits.may_foretell || error_ > kForetoldFrom * limits.tolerance) return false;
  double foretold = 0;
  for (std::size_t axis = 0; axis < n_axes_; ++axis) {
    if (errors[axis] == 0) continue;
    const double before = error_along(axis, levels_[axis] - 1, limits);
    foretold = std::max(foretold, errors[axis] * std::min(1.0, errors[axis] / before));
  }
  if (kForetoldSafety * foretold > limits.tolerance) return false;
  error_ = foretold;
  return true;
}

// What every other point of a level along an axis says about the points between.
double Interpolant::error_along(std::size_t axis, std::size_t level,
                                const InterpolationLimits& limits) const {
  const std::size_t stride = std::size_t{1} << (levels_[axis] - level);
  std::vector<double> between;
  for (std::size_t i = 1; i < chebyshev_size(level); i += 2) between.push_back(chebyshev_point(i, level));
  const std::vector<double> weights = interpolation_weights(level - 1, between);
  const std::size_t n_coarse = chebyshev_size(level - 1);
  double worst = 0;
  for (std::size_t q = 0; q < values_.size(); ++q) {
    const auto [low, high] = std::minmax_element(values_[q].begin(), values_[q].end());
    const double magnitude = std::max(std::abs(*low), std::abs(*high));
    double range = std::max(*high - *low, limits.least_range * magnitude);
    if (limits.smallest_ranges != nullptr && q < limits.smallest_ranges->size())
      range = std::max(range, (*limits.smallest_ranges)[q]);
    if (!(range > 0)) continue;
    for (std::size_t across = 0; across < sizes_[1 - axis]; ++across)
      for (std::size_t b = 0; b < between.size(); ++b) {
        double interpolated = 0;
        for (std::size_t i = 0; i < n_coarse; ++i)
          interpolated += weights[b * n_coarse + i] * value(q, axis, 2 * i * stride, across);
        const double exact = value(q, axis, (2 * b + 1) * stride, across);
        worst = std::max(worst, std::abs(interpolated - exact) / range);
      }
  }
  return worst;
}

Quantities Interpolant::at(const std::vector<std::vector<double>>& positions) const {
  const std::vector<double> first = interpolation_weights(levels_[0], positions[0]);
  const std::size_t n = positions[0].size(), m = n_axes_ == 2 ? positions[1].size() : 1;
  const std::vector<double> second =
      n_axes_ == 2 ? interpolation_weights(levels_[1], positions[1]) : std::vector<double>{1};
  Quantities all;
  std::vector<double> along(n * sizes_[1]);
  for (const std::vector<double>& values : values_) {
    std::fill(along.begin(), along.end(), 0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < sizes_[0]; ++k)
        for (std::size_t j = 0; j < sizes_[1]; ++j)
          along[i * sizes_[1] + j] += first[i * sizes_[0] + k] * values[k * sizes_[1] + j];
    std::vector<double>& result = all.emplace_back(n * m);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < m; ++j)
        for (std::size_t k = 0; k < sizes_[1]; ++k)
          result[i * m + j] += second[j * sizes_[1] + k] * along[i * sizes_[1] + k];
  }
  return all;
}

}  // namespace greybox
