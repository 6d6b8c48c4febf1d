#include "analysis/theta/resampling.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"

namespace greybox {
namespace {

constexpr std::size_t kFewSeries = 10;  // fewer than these hardly tell how series differ

// Windows stand in the order of the table.
bool overlap(const Window& before, const Window& window) {
  return before.series == window.series && window.first_row < before.first_row + before.n_rows;
}

std::size_t count_series(const WindowData& data, std::span<const std::size_t> windows) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < windows.size(); ++i)
    n += i == 0 || data.windows[windows[i]].series != data.windows[windows[i - 1]].series;
  return n;
}

}  // namespace

std::vector<std::size_t> independent_units(const WindowData& data, std::span<const std::size_t> windows) {
  const bool whole_series = count_series(data, windows) >= kFewSeries;
  std::vector<std::size_t> units;
  std::size_t unit = 0;
  const Window* first = nullptr;  // of the unit
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const Window& window = data.windows[windows[i]];
    const bool joins =
        i > 0 && overlap(data.windows[windows[i - 1]], window) && (whole_series || overlap(*first, window));
    if (!joins) {
      unit += i > 0;
      first = &window;
    }
    units.push_back(unit);
  }
  return units;
}

Resampling resample(const WindowData& data, std::span<const std::size_t> windows, std::size_t n_sets,
                    std::uint64_t seed) {
  const std::vector<std::size_t> units = independent_units(data, windows);
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

std::size_t count_independent(const WindowData& data, std::span<const std::size_t> windows) {
  const std::vector<std::size_t> units = independent_units(data, windows);
  return units.empty() ? 0 : units.back() + 1;
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
