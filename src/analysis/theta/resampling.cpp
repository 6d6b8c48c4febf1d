#include "analysis/theta/resampling.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "data/independent_windows.hpp"

namespace greybox {

Resampling resample(const WindowData& data, std::span<const std::size_t> windows, std::size_t n_sets,
                    std::uint64_t seed) {
  const std::vector<std::size_t> units = independent_units(data.windows, windows);
  const std::size_t n_units = units.empty() ? 0 : units.back() + 1;
  const Random random(seed, Purpose::analysis);
  Resampling result{n_sets, {}};
  for (std::size_t set = 0; set < n_sets; ++set) {
    std::vector<double> drawn(n_units);
    for (std::size_t k = 0; k < n_units; ++k) drawn[random.below(n_units, set, k)] += 1;
    for (std::size_t unit : units) result.counts.push_back(drawn[unit]);
  }
  return result;
}

double spread_over_sets(std::span<const double> values, std::span<const double> origin) {
  double sum = 0, squares = 0;
  const auto n = static_cast<double>(values.size());
  if (n < 2) return 0;
  for (std::size_t b = 0; b < values.size(); ++b) {
    const double value = values[b] - (origin.empty() ? 0 : origin[b]);
    sum += value;
    squares += value * value;
  }
  return std::sqrt(std::max(squares - sum * sum / n, 0.0) / (n - 1));
}

}  // namespace greybox
