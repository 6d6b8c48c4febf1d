#include "analysis/theta/allowed_error.hpp"

#include <algorithm>
#include <cmath>

#include "core/limits.hpp"

namespace greybox {
namespace {

// A range smaller than this part of the largest magnitude counts as that.
constexpr double kLeastRange = 1e-2;
// Of the value itself, at θ that do not fit: enough for a picture.
constexpr double kOfPoor = 0.02;
constexpr std::size_t kFewestFitting = 4;
// What counts as rough, and how much more that may make of an allowed error.
constexpr double kOfRoughness = 1, kMostByRoughness = 2.5;

double range_of(const std::vector<double>& values, const std::vector<std::uint8_t>& is_left_out) {
  double low = kInfinity, high = -kInfinity;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_left_out[i] != 0 || !std::isfinite(values[i])) continue;
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
  }
  return low <= high ? std::max(high - low, kLeastRange * std::max(std::abs(low), std::abs(high))) : 0;
}

}  // namespace

AllowedError::AllowedError(const Quantities& values, const std::vector<std::uint8_t>& is_poor,
                           double tolerance, const std::vector<double>& smallest_ranges,
                           const std::vector<double>& roughness) {
  const std::vector<std::uint8_t> none(is_poor.size());
  const auto n_fitting = static_cast<std::size_t>(std::count(is_poor.begin(), is_poor.end(), 0));
  for (std::size_t q = 0; q < values.size(); ++q) {
    const double smallest = q < smallest_ranges.size() ? smallest_ranges[q] : 0;
    const double of_all = range_of(values[q], none);
    const double of_fitting = n_fitting < kFewestFitting ? of_all : range_of(values[q], is_poor);
    const double rough = q < roughness.size() ? kOfRoughness * roughness[q] : 0;
    const auto with_roughness = [&](double allowed) {
      return std::max(allowed, std::min(rough, kMostByRoughness * allowed));
    };
    allowed_.push_back(with_roughness(tolerance * std::max(of_fitting, smallest)));
    allowed_of_poor_.push_back(with_roughness(tolerance * std::max(of_all, smallest)));
  }
}

double AllowedError::times(std::size_t quantity, double foretold, double found, bool is_poor) const {
  const double distance = std::abs(foretold - found);
  if (distance == 0 || (!std::isfinite(foretold) && !std::isfinite(found))) return 0;
  if (!std::isfinite(distance)) return kInfinity;
  return distance /
         (is_poor ? std::max(allowed_of_poor_[quantity], kOfPoor * std::abs(found)) : allowed_[quantity]);
}

}  // namespace greybox
