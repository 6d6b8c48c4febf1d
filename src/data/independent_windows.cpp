#include "data/independent_windows.hpp"

namespace greybox {
namespace {

constexpr std::size_t kFewSeries = 10;  // fewer than these hardly tell how series differ

bool overlap(const Window& before, const Window& window) {
  return before.series == window.series && window.first_row < before.first_row + before.n_rows;
}

std::size_t count_series(const std::vector<Window>& windows, std::span<const std::size_t> chosen) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    n += i == 0 || windows[chosen[i]].series != windows[chosen[i - 1]].series;
  return n;
}

}  // namespace

std::vector<std::size_t> independent_units(const std::vector<Window>& windows,
                                           std::span<const std::size_t> chosen) {
  const bool whole_series = count_series(windows, chosen) >= kFewSeries;
  std::vector<std::size_t> units;
  std::size_t unit = 0;
  const Window* first = nullptr;  // of the unit
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Window& window = windows[chosen[i]];
    const bool joins =
        i > 0 && overlap(windows[chosen[i - 1]], window) && (whole_series || overlap(*first, window));
    if (!joins) {
      unit += i > 0;
      first = &window;
    }
    units.push_back(unit);
  }
  return units;
}

std::size_t count_independent(const std::vector<Window>& windows, std::span<const std::size_t> chosen) {
  const std::vector<std::size_t> units = independent_units(windows, chosen);
  return units.empty() ? 0 : units.back() + 1;
}

}  // namespace greybox
