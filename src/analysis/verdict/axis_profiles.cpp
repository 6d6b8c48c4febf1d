#include "analysis/verdict/axis_profiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/median.hpp"

namespace greybox {
namespace {

constexpr std::size_t kFewAxes = 2, kFinePositions = 41, kCoarsePositions = 21;
// Around the best point: distances from it, as parts of the spacing.
constexpr double kClosest = 1.0 / 64, kCloser = 1.0 / 4;
constexpr std::size_t kMostCentres = 8;
// Ends of descents that count as points of the valley.
constexpr std::size_t kValleyStarts = 24;
constexpr double kLowEnds = 0.3;
// Where a profile is low, as a part of the rise over the prior; and of the gaps there, how many count.
constexpr double kLowPart = 0.1, kMostGaps = 0.9;

std::vector<std::size_t> others(const ProfileOptions& options, std::size_t axis) {
  std::vector<std::size_t> free;
  for (std::size_t other : options.axes)
    if (other != axis) free.push_back(other);
  return free;
}

double low_end_limit(const QuantityProfiles& lowest) {
  return lowest.best.value + kLowEnds * (lowest.median - lowest.best.value);
}

// Another low point of the valley, near this position: profiles may lead from one minimum to another.
const DescentPoint* nearest_end(const QuantityProfiles& lowest, std::size_t axis, double position) {
  const double limit = low_end_limit(lowest);
  const DescentPoint* nearest = nullptr;
  for (const DescentPoint& end : lowest.ends)
    if (end.value <= limit &&
        (nearest == nullptr || std::abs(end.u[axis] - position) < std::abs(nearest->u[axis] - position)))
      nearest = &end;
  return nearest;
}

}  // namespace

std::vector<std::vector<double>> spread_points(const ProfileOptions& options, std::size_t n) {
  // Additive recurrence with the generalised golden ratio (Roberts): even for any number of points.
  const auto n_axes = static_cast<double>(options.axes.size());
  double ratio = 2;
  for (int step = 0; step < 50; ++step) ratio = std::pow(1 + ratio, 1 / (n_axes + 1));
  std::vector<std::vector<double>> points;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> u = options.held;
    for (std::size_t k = 0; k < options.axes.size(); ++k) {
      const double x = 0.5 + static_cast<double>(i + 1) * std::pow(ratio, -static_cast<double>(k + 1));
      u[options.axes[k]] = x - std::floor(x);
    }
    points.push_back(std::move(u));
  }
  return points;
}

double descent_accuracy(const QuantityProfiles& profiles, std::size_t axis) {
  const double rise = std::max(profiles.median - profiles.best.value, 0.0);
  std::vector<double> gaps{0};
  for (const ProfilePoint& point : profiles.axes[axis])
    if (point.value < profiles.best.value + kLowPart * rise) gaps.push_back(point.gap);
  // Some descents end in other minima.
  const auto most =
      gaps.begin() + static_cast<std::ptrdiff_t>(kMostGaps * static_cast<double>(gaps.size() - 1));
  std::nth_element(gaps.begin(), most, gaps.end());
  return std::max({*most, profiles.last_fall, kConverged * rise});
}

std::vector<double> profile_positions(const QuantityProfiles& lowest, std::size_t axis, std::size_t n_axes) {
  const std::size_t n = n_axes <= kFewAxes ? kFinePositions : kCoarsePositions;
  const double spacing = 1 / static_cast<double>(n - 1);
  std::vector<double> positions;
  const auto add = [&](double position) {
    if (position >= 0 && position <= 1) positions.push_back(position);
  };
  const auto add_around = [&](double centre, double closest) {
    add(centre);
    for (double share = 2; share >= closest; share /= 2)
      for (double side : {-1.0, 1.0}) add(centre + side * share * spacing);
  };
  for (std::size_t k = 0; k < n; ++k) add(static_cast<double>(k) * spacing);
  add_around(lowest.best.u[axis], kClosest);
  std::vector<double> centres{lowest.best.u[axis]};
  for (const DescentPoint& end : lowest.ends) {
    const auto is_near = [&](double centre) { return std::abs(centre - end.u[axis]) < spacing / 2; };
    if (end.value > low_end_limit(lowest) || centres.size() > kMostCentres ||
        std::any_of(centres.begin(), centres.end(), is_near))
      continue;
    centres.push_back(end.u[axis]);
    add_around(end.u[axis], kCloser);
  }
  std::sort(positions.begin(), positions.end());
  positions.erase(
      std::unique(positions.begin(), positions.end(), [](double a, double b) { return b - a < 1e-9; }),
      positions.end());
  return positions;
}

QuantityProfiles find_lowest(Descent& descent, const ProfileOptions& options,
                             const std::vector<std::vector<double>>& spread,
                             const std::vector<double>& values) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isfinite(values[i])) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  QuantityProfiles found;
  found.spread_values = values;
  found.median = median_of(values);
  found.best.value = std::numeric_limits<double>::infinity();
  // The lowest, and some from all over the rest: a valley has many ends.
  std::vector<std::size_t> starts(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(std::min(options.n_starts, order.size())));
  const std::size_t stride = std::max<std::size_t>(1, order.size() / kValleyStarts);
  for (std::size_t k = options.n_starts; k < order.size(); k += stride) starts.push_back(order[k]);
  for (std::size_t start : starts) {
    found.ends.push_back(descent.minimise(spread[start], options.axes));
    if (found.ends.back().value < found.best.value) found.best = found.ends.back();
  }
  return found;
}

std::vector<ProfilePoint> profile_along(Descent& descent, const ProfileOptions& options,
                                        const QuantityProfiles& lowest, std::size_t axis,
                                        const std::vector<double>& positions) {
  const std::vector<std::size_t> free = others(options, axis);
  std::vector<ProfilePoint> points(positions.size());
  const auto start = static_cast<std::size_t>(
      std::lower_bound(positions.begin(), positions.end(), lowest.best.u[axis]) - positions.begin());
  const auto descend = [&](std::size_t i, const std::vector<double>& from) {
    DescentPoint found;
    found.value = std::numeric_limits<double>::infinity();
    std::vector<const std::vector<double>*> starts{&from};
    if (const DescentPoint* end = nearest_end(lowest, axis, positions[i])) starts.push_back(&end->u);
    for (const std::vector<double>* start_point : starts) {
      std::vector<double> u = *start_point;
      u[axis] = positions[i];
      DescentPoint one = descent.minimise(u, free);
      if (found.u.empty() || one.value < found.value) found = std::move(one);
    }
    points[i] = {found.u, found.value, 0, {}};
  };
  const auto repeat = [&](std::size_t i, const std::vector<double>& from) {
    std::vector<double> u = from;
    u[axis] = positions[i];
    DescentPoint found = descent.minimise(u, free);
    points[i].gap = std::abs(found.value - points[i].value);
    if (found.value < points[i].value) {
      points[i].u = std::move(found.u);
      points[i].value = found.value;
    }
  };
  std::vector<double> from = lowest.best.u;
  for (std::size_t i = std::min(start, positions.size() - 1); i < positions.size(); ++i) {
    descend(i, from);
    from = points[i].u;
  }
  from = lowest.best.u;
  for (std::size_t i = start; i > 0; --i) {
    descend(i - 1, from);
    from = points[i - 1].u;
  }
  if (free.empty()) return points;
  // Back again from both ends.
  for (std::size_t i = positions.size() - 1; i > start; --i) repeat(i - 1, points[i].u);
  for (std::size_t i = 1; i <= start && i < positions.size(); ++i) repeat(i, points[i - 1].u);
  return points;
}

}  // namespace greybox
