#include "analysis/theta/chebyshev.hpp"

#include <cmath>
#include <numbers>

namespace greybox {

double chebyshev_point(std::size_t i, std::size_t level) {
  const auto n = static_cast<double>(chebyshev_size(level) - 1);
  return 0.5 - 0.5 * std::cos(std::numbers::pi * static_cast<double>(i) / n);
}

// The second barycentric formula (Berrut & Trefethen, SIAM Review 2004).
std::vector<double> interpolation_weights(std::size_t level, std::span<const double> targets) {
  const std::size_t n = chebyshev_size(level);
  std::vector<double> weights(targets.size() * n);
  for (std::size_t t = 0; t < targets.size(); ++t) {
    double* row = weights.data() + t * n;
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double distance = targets[t] - chebyshev_point(i, level);
      if (std::abs(distance) < 1e-14) {
        for (std::size_t k = 0; k < n; ++k) row[k] = k == i ? 1 : 0;
        sum = 1;
        break;
      }
      const double size = i == 0 || i + 1 == n ? 0.5 : 1;
      row[i] = (i % 2 == 0 ? size : -size) / distance;
      sum += row[i];
    }
    for (std::size_t i = 0; i < n; ++i) row[i] /= sum;
  }
  return weights;
}

}  // namespace greybox
