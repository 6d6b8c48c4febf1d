#include "analysis/theta/between_points.hpp"

#include <algorithm>
#include <cmath>

#include "core/limits.hpp"

namespace greybox {
namespace {

// On either side.
constexpr std::size_t kSides = 3;

struct AxisWeights {
  std::size_t first = 0;
  std::vector<double> weights;
};

AxisWeights weights_at(const std::vector<double>& nodes, double x, std::size_t n_sides) {
  const auto above =
      static_cast<std::size_t>(std::upper_bound(nodes.begin(), nodes.end(), x) - nodes.begin());
  const std::size_t n = std::min(2 * n_sides, nodes.size());
  AxisWeights result{std::min(above - std::min(above, n_sides), nodes.size() - n), {}};
  for (std::size_t i = 0; i < n; ++i) {
    double weight = 1;
    for (std::size_t k = 0; k < n; ++k)
      if (k != i)
        weight *= (x - nodes[result.first + k]) / (nodes[result.first + i] - nodes[result.first + k]);
    result.weights.push_back(weight);
  }
  return result;
}

double sum_of(const std::vector<double>& values, const AxisWeights& first, const AxisWeights& second,
              std::size_t n_last) {
  double sum = 0;
  for (std::size_t i = 0; i < first.weights.size(); ++i)
    for (std::size_t j = 0; j < second.weights.size(); ++j)
      sum += first.weights[i] * second.weights[j] * values[(first.first + i) * n_last + second.first + j];
  return sum;
}

}  // namespace

std::vector<double> between_points(const std::vector<std::vector<double>>& positions,
                                   const Quantities& values, std::span<const double> at) {
  std::vector<double> result(values.size(), kNaN);
  for (std::size_t k = 0; k < positions.size(); ++k)
    if (!(at[k] >= positions[k].front() && at[k] <= positions[k].back())) return result;
  const std::size_t n_last = positions.size() == 2 ? positions[1].size() : 1;
  // Beside what is no number the nearest points have to do.
  for (const std::size_t n_sides : {kSides, std::size_t{1}}) {
    const AxisWeights first = weights_at(positions[0], at[0], n_sides);
    const AxisWeights second =
        positions.size() == 2 ? weights_at(positions[1], at[1], n_sides) : AxisWeights{0, {1}};
    for (std::size_t q = 0; q < values.size(); ++q) result[q] = sum_of(values[q], first, second, n_last);
    if (std::all_of(result.begin(), result.end(), [](double value) { return std::isfinite(value); })) break;
  }
  return result;
}

}  // namespace greybox
