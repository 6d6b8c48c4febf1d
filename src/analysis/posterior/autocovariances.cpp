#include "analysis/posterior/autocovariances.hpp"

#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <utility>

namespace greybox {
namespace {

using Spectrum = std::vector<std::complex<double>>;

void put_in_reversed_order(Spectrum& values) {
  for (std::size_t i = 1, j = 0; i < values.size(); ++i) {
    std::size_t bit = values.size() / 2;
    for (; (j & bit) != 0; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(values[i], values[j]);
  }
}

// Cooley & Tukey (1965), in place; the number of values is a power of two.
void transform(Spectrum& values) {
  const std::size_t n = values.size();
  Spectrum turns(n / 2);
  for (std::size_t k = 0; k < turns.size(); ++k)
    turns[k] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  put_in_reversed_order(values);
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t first = 0; first < n; first += 2 * half)
      for (std::size_t k = first; k < first + half; ++k) {
        const std::complex<double> turned = values[k + half] * turns[(k - first) * (n / (2 * half))];
        values[k + half] = values[k] - turned;
        values[k] += turned;
      }
}

}  // namespace

std::vector<double> autocovariances(std::span<const double> chain) {
  const auto n = static_cast<double>(chain.size());
  const double mean = std::accumulate(chain.begin(), chain.end(), 0.0) / n;
  // With as many zeros behind, the end does not meet the beginning.
  Spectrum values(std::bit_ceil(2 * chain.size()));
  for (std::size_t i = 0; i < chain.size(); ++i) values[i] = chain[i] - mean;
  transform(values);
  for (std::complex<double>& value : values) value = std::norm(value);
  transform(values);  // of an even function: its own inverse, but for the factor
  std::vector<double> all;
  for (std::size_t lag = 0; lag < chain.size(); ++lag)
    all.push_back(values[lag].real() / static_cast<double>(values.size()) / n);
  return all;
}

}  // namespace greybox
