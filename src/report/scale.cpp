#include "report/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace greybox {
namespace {

// A range of fewer doubles than this has no ticks.
constexpr double kFewestSpacings = 1e4;

double round_step(double rough) {
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (double digit : {1.0, 2.0, 5.0})
    if (digit * power >= 0.999 * rough) return digit * power;
  return 10 * power;
}

// All labels of an axis have the digits that its step needs.
std::string label(double value, double step, double largest) {
  const int step_power = static_cast<int>(std::floor(std::log10(step) + 1e-9));
  if (largest >= 1e5 || largest < 1e-3) return value == 0 ? "0" : fmt::format("{:.3g}", value);
  return fmt::format("{:.{}f}", value, std::max(0, -step_power));
}

}  // namespace

std::vector<Tick> ticks(double low, double high, std::size_t n) {
  if (!(high > low) || !std::isfinite(high - low)) return {};
  // Neighbouring multiples of a step below the spacing of doubles could not be told apart, nor counted.
  const double spacing = std::max(std::abs(low), std::abs(high)) * std::numeric_limits<double>::epsilon();
  if (high - low < kFewestSpacings * spacing) return {};
  const double step = round_step((high - low) / static_cast<double>(std::max<std::size_t>(n, 1)));
  if (!std::isnormal(step)) return {};
  const double largest = std::max(std::abs(low), std::abs(high));
  std::vector<Tick> found;
  // A little room for the rounding of the ends.
  const double first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
  for (double k = first; k <= last; ++k) {
    const double value = k == 0 ? 0.0 : k * step;
    found.push_back({value, label(value, step, largest)});
  }
  return found;
}

std::vector<Tick> log_ticks(double low, double high, std::size_t n) {
  if (!(low > 0 && high > low) || !std::isfinite(high)) return {};
  const double first = std::floor(std::log10(low)), last = std::ceil(std::log10(high));
  const double n_powers = std::floor(std::log10(high) + 1e-9) - std::ceil(std::log10(low) - 1e-9) + 1;
  if (n_powers < 1) return ticks(low, high, n);
  const double stride = std::max(std::ceil(n_powers / static_cast<double>(std::max<std::size_t>(n, 1))), 1.0);
  std::vector<Tick> found;
  for (double power = stride * std::ceil(first / stride); power <= last; power += stride)
    for (double digit : {1.0, 2.0, 5.0}) {
      const double value = digit * std::pow(10, power);
      const bool is_wanted = digit == 1 || n_powers < 3;
      if (is_wanted && value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9))
        found.push_back({value, fmt::format("{:.3g}", value)});
    }
  return found;
}

}  // namespace greybox
