// How far a landscape and networks retrained at fixed θ agree.
#include <algorithm>
#include <cmath>

#include "analysis/landscape/brute_force.hpp"
#include "core/median.hpp"

namespace greybox {
namespace {

// From 0; equal values share the mean of their ranks.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (double value : values) {
    const auto n_below = std::count_if(values.begin(), values.end(), [&](double v) { return v < value; });
    const auto n_equal = std::count(values.begin(), values.end(), value);
    ranks.push_back(static_cast<double>(n_below) + static_cast<double>(n_equal - 1) / 2);
  }
  return ranks;
}

double correlation_of_ranks(const std::vector<double>& a, const std::vector<double>& b) {
  const double middle = (static_cast<double>(a.size()) - 1) / 2;  // the mean of any ranks
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - middle) * (b[i] - middle);
    aa += (a[i] - middle) * (a[i] - middle);
    bb += (b[i] - middle) * (b[i] - middle);
  }
  return ab / std::sqrt(aa * bb);
}

RetrainedSummary summarise_one(const std::vector<RetrainedPoint>& points, std::size_t regularizer) {
  RetrainedSummary summary;
  summary.regularizer = points[0].values[regularizer].regularizer;
  std::vector<double> adaptive, retrained, differences;
  for (const RetrainedPoint& point : points) {
    const RetrainedValue& value = point.values[regularizer];
    if (std::isnan(value.adaptive) || std::isnan(value.retrained)) continue;
    adaptive.push_back(value.adaptive);
    retrained.push_back(value.retrained);
    differences.push_back(std::abs(value.adaptive - value.retrained));
    summary.n_within += value.is_within ? 1 : 0;
  }
  summary.n_points = adaptive.size();
  if (adaptive.empty()) return summary;
  const auto [low, high] = std::minmax_element(adaptive.begin(), adaptive.end());
  summary.median_difference = median_of(differences) / (*high - *low);
  summary.rank_correlation = correlation_of_ranks(ranks(adaptive), ranks(retrained));
  return summary;
}

}  // namespace

std::vector<RetrainedSummary> summarise(const std::vector<RetrainedPoint>& points) {
  std::vector<RetrainedSummary> summaries;
  for (std::size_t r = 0; r < points[0].values.size(); ++r) summaries.push_back(summarise_one(points, r));
  return summaries;
}

}  // namespace greybox
