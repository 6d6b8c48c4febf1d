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

// Draws with replacement what may be taken as independent (data/independent_windows.hpp).
Resampling resample(const WindowData& data, std::span<const std::size_t> windows, std::size_t n_sets,
                    std::uint64_t seed);

// Standard deviation over the sets, of values or of their differences to an origin; 0 of less than two.
double spread_over_sets(std::span<const double> values, std::span<const double> origin = {});

}  // namespace greybox
