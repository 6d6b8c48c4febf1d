// Bootstrap over the data: how often each window counts in each resampled set.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/samples.hpp"

namespace greybox {

struct Resampling {
  std::size_t n_sets = 0;
  std::vector<double> counts;  // [set][window]

  std::span<const double> set(std::size_t number) const {
    const std::size_t n_windows = counts.size() / n_sets;
    return std::span(counts).subspan(number * n_windows, n_windows);
  }
};

// Draws with replacement what may be taken as independent: windows; whole series where their windows
// overlap; or, of few series, stretches of overlapping windows no shorter than a window.
Resampling resample(const WindowData& data, std::span<const std::size_t> windows, std::size_t n_sets,
                    std::uint64_t seed);

// Fewer independent units tell nothing about how R would differ on other data.
inline constexpr std::size_t kFewestUnits = 6;

// The unit of resampling that each window belongs to, counted from 0.
std::vector<std::size_t> independent_units(const WindowData& data, std::span<const std::size_t> windows);
std::size_t count_independent(const WindowData& data, std::span<const std::size_t> windows);

// Standard deviation over the sets, of values or of their differences to an origin; 0 of less than two.
double spread_over_sets(std::span<const double> values, std::span<const double> origin = {});

}  // namespace greybox
