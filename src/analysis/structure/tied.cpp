#include "analysis/structure/tied.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/structure/invariant.hpp"
#include "analysis/structure/null_space.hpp"
#include "analysis/structure/sensitivity.hpp"

namespace greybox {
namespace {

// A name that is off by more than this is not the combination.
constexpr double kLoosest = 0.03;

// The part of the lost directions that concerns a group of parameters.
TiedPoint part_of(const LostDirections& lost, const std::vector<std::size_t>& group) {
  const auto n = static_cast<Eigen::Index>(group.size());
  TiedPoint point{{}, Eigen::MatrixXd(n, n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto row = static_cast<Eigen::Index>(group[static_cast<std::size_t>(i)]);
    point.theta.push_back(lost.theta[static_cast<std::size_t>(row)]);
    for (Eigen::Index j = 0; j < n; ++j)
      point.projection(i, j) =
          lost.projection(row, static_cast<Eigen::Index>(group[static_cast<std::size_t>(j)]));
  }
  return point;
}

TiedParameters describe(const std::vector<std::size_t>& group, const std::vector<LostDirections>& lost,
                        const ThetaBox& box, const ModelSpec& spec, double negligible) {
  TiedParameters tied;
  std::vector<TiedPoint> points;
  std::vector<double> ranges;
  for (const LostDirections& one : lost) points.push_back(part_of(one, group));
  for (const std::size_t p : group) {
    tied.parameters.push_back(spec.parameters[p].name);
    ranges.push_back(range_of(box, p));
  }
  const auto n_lost = static_cast<std::size_t>(std::lround(points[0].projection.trace()));
  tied.n_determined = group.size() - std::min(n_lost, group.size());
  if (tied.n_determined > 0)
    tied.combinations = determined_combinations(
        tied.parameters, points, ranges,
        {.n_wanted = tied.n_determined, .tolerance = std::min(10 * negligible, kLoosest)});
  return tied;
}

}  // namespace

std::vector<TiedParameters> tied_parameters(const std::vector<LostDirections>& lost, const ThetaBox& box,
                                            const ModelSpec& spec, double negligible) {
  std::vector<Eigen::MatrixXd> projections;
  for (const LostDirections& one : lost) projections.push_back(one.projection);
  std::vector<TiedParameters> all;
  for (const std::vector<std::size_t>& group : tied_groups(projections, negligible))
    all.push_back(describe(group, lost, box, spec, negligible));
  return all;
}

}  // namespace greybox
