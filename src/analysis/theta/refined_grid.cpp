#include "analysis/theta/refined_grid.hpp"

#include <algorithm>
#include <cmath>

#include "core/limits.hpp"

namespace greybox {
namespace {

// On either side of a point that is foretold.
constexpr std::size_t kReach = 3;
// Of the points of a grid, all of the level that has at least so many are computed.
constexpr std::size_t kOneOf = 40, kFewestOfOne = 17, kFewestOfTwo = 81;

void sort_and_join(std::vector<std::size_t>& places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
}

}  // namespace

// A weighted sum of neighbours; of none where one of the two nearest is no number.
struct RefinedGrid::Stencil {
  std::size_t n = 0;
  std::size_t places[2 * kReach];
  double weights[2 * kReach];

  double of(const std::vector<double>& values) const {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += weights[i] * values[places[i]];
    return sum;
  }
};

RefinedGrid::RefinedGrid(std::vector<std::vector<double>> positions) : positions_(std::move(positions)) {
  if (positions_.size() == 1) positions_.push_back({0.0});
  for (const std::vector<double>& of_axis : positions_) axes_.emplace_back(of_axis.size());
  is_known_.resize(positions_[0].size() * positions_[1].size());
}

std::size_t RefinedGrid::n_levels() const {
  return std::max(axes_[0].n_levels(), axes_[1].n_levels());
}

std::vector<std::size_t> RefinedGrid::lattice(std::size_t level) const {
  std::vector<std::size_t> places;
  for (const std::size_t i : axes_[0].points(level))
    for (const std::size_t j : axes_[1].points(level)) places.push_back(place(i, j));
  return places;
}

std::size_t RefinedGrid::full_level() const {
  const std::size_t fewest = axes_[1].n_points() == 1 ? kFewestOfOne : kFewestOfTwo;
  std::size_t level = 0;
  while (level + 1 < n_levels() &&
         axes_[0].points(level).size() * axes_[1].points(level).size() < std::max(fewest, size() / kOneOf))
    ++level;
  return level;
}

bool RefinedGrid::refine(const ValuesAt& values_at, const Judge& judge, std::size_t most_points) {
  const std::size_t full = full_level();
  std::size_t n_known = 0;
  std::vector<double> apart;
  for (std::size_t level = 0; level < n_levels(); ++level) {
    std::vector<std::size_t> places = level <= full ? lattice(level) : wanted(level, apart);
    std::erase_if(places, [&](std::size_t place) { return is_known(place); });
    n_known += places.size();
    if (n_known > most_points) return false;
    if (!places.empty()) find(places, values_at);
    apart.assign(size(), 0.0);
    if (level == 0) continue;
    foretell(level, values_, [&](const std::vector<std::size_t>& of, const Quantities& foretold) {
      Quantities exact;
      for (const std::vector<double>& all : values_)
        for (exact.emplace_back(); const std::size_t place : of) exact.back().push_back(all[place]);
      const std::vector<double> judged = judge(of, foretold, exact);
      for (std::size_t i = 0; i < of.size(); ++i) apart[of[i]] = judged[i];
    });
  }
  return true;
}

void RefinedGrid::compute(const std::vector<std::size_t>& places, const ValuesAt& values_at) {
  std::vector<std::size_t> missing = places;
  sort_and_join(missing);
  std::erase_if(missing, [&](std::size_t place) { return is_known(place); });
  if (missing.empty()) return;
  find(missing, values_at);
  fill(values_);
}

// The first that are found tell how many quantities there are.
void RefinedGrid::find(const std::vector<std::size_t>& places, const ValuesAt& values_at) {
  const Quantities found = values_at(places);
  values_.resize(found.size(), std::vector<double>(size(), kNaN));
  set_known(places, found, values_);
  for (const std::size_t place : places) is_known_[place] = 1;
}

std::vector<std::size_t> RefinedGrid::known() const {
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < size(); ++place)
    if (is_known(place)) places.push_back(place);
  return places;
}

Quantities RefinedGrid::filled(const Quantities& found) const {
  Quantities values(found.size(), std::vector<double>(size(), kNaN));
  set_known(known(), found, values);
  fill(values);
  return values;
}

void RefinedGrid::set_known(const std::vector<std::size_t>& places, const Quantities& found,
                            Quantities& values) const {
  for (std::size_t q = 0; q < found.size(); ++q)
    for (std::size_t i = 0; i < places.size(); ++i) values[q][places[i]] = found[q][i];
}

void RefinedGrid::fill(Quantities& values) const {
  for (std::size_t level = 1; level < n_levels(); ++level) foretell(level, values, {});
}

// Beside points of the level before that are far from what was foretold, and where only some of those around
// are numbers.
std::vector<std::size_t> RefinedGrid::wanted(std::size_t level, const std::vector<double>& apart) const {
  std::vector<std::size_t> places;
  for (const BisectedInterval& first : axes_[0].intervals(level - 1))
    for (const BisectedInterval& second : axes_[1].intervals(level - 1)) {
      std::size_t n_numbers = 0;
      double most = 0;
      for (const std::size_t i : {first.low, first.high})
        for (const std::size_t j : {second.low, second.high}) {
          n_numbers += std::isfinite(values_[0][place(i, j)]) ? 1 : 0;
          most = std::max(most, apart[place(i, j)]);
        }
      if (most <= 1 && (n_numbers == 0 || n_numbers == 4)) continue;
      for (const std::size_t i : {first.low, first.middle, first.high})
        for (const std::size_t j : {second.low, second.middle, second.high})
          if ((first.is_divided() && i == first.middle) || (second.is_divided() && j == second.middle))
            places.push_back(place(i, j));
    }
  sort_and_join(places);
  return places;
}

// The middles of edges come first, and those of cells from them.
void RefinedGrid::foretell(std::size_t level, Quantities& values, const Compare& compare) const {
  std::vector<Point> along_first, along_second, inside;
  const std::vector<BisectedInterval> rows = axes_[0].intervals(level - 1),
                                      columns = axes_[1].intervals(level - 1);
  for (const BisectedInterval& row : rows)
    if (row.is_divided())
      for (const std::size_t j : axes_[1].points(level - 1)) along_first.push_back({{row.middle, j}});
  for (const BisectedInterval& column : columns)
    if (column.is_divided())
      for (const std::size_t i : axes_[0].points(level - 1)) along_second.push_back({{i, column.middle}});
  for (const BisectedInterval& row : rows)
    for (const BisectedInterval& column : columns)
      if (row.is_divided() && column.is_divided()) inside.push_back({{row.middle, column.middle}});
  foretell_some(level, along_first, true, false, values, compare);
  foretell_some(level, along_second, false, true, values, compare);
  foretell_some(level, inside, true, true, values, compare);
}

void RefinedGrid::foretell_some(std::size_t level, const std::vector<Point>& points, bool along_first,
                                bool along_second, Quantities& values, const Compare& compare) const {
  std::vector<std::size_t> compared;
  Quantities foretold(values.size());
  for (const Point& point : points) {
    const std::size_t own = place(point.along[0], point.along[1]);
    if (is_known(own) && !compare) continue;
    const Stencil first = along_first ? stencil(0, level, point, values) : Stencil{};
    const Stencil second = along_second ? stencil(1, level, point, values) : Stencil{};
    const double n = (first.n > 0 ? 1 : 0) + (second.n > 0 ? 1 : 0);
    if (is_known(own)) compared.push_back(own);
    for (std::size_t q = 0; q < values.size(); ++q) {
      const double value = n > 0 ? (first.of(values[q]) + second.of(values[q])) / n : kNaN;
      if (is_known(own))
        foretold[q].push_back(value);
      else
        values[q][own] = value;
    }
  }
  if (compare && !compared.empty()) compare(compared, foretold);
}

RefinedGrid::Stencil RefinedGrid::stencil(std::size_t axis, std::size_t level, const Point& point,
                                          const Quantities& values) const {
  const std::vector<std::size_t>& nodes = axes_[axis].points(level - 1);
  const auto place_of = [&](std::size_t node) {
    return axis == 0 ? place(nodes[node], point.along[1]) : place(point.along[0], nodes[node]);
  };
  const auto is_number = [&](std::size_t node) { return std::isfinite(values[0][place_of(node)]); };
  const auto above = static_cast<std::size_t>(
      std::lower_bound(nodes.begin(), nodes.end(), point.along[axis]) - nodes.begin());
  std::size_t n_below = 0, n_above = 0;
  while (n_below < above && n_below < 2 * kReach && is_number(above - n_below - 1)) ++n_below;
  while (above + n_above < nodes.size() && n_above < 2 * kReach && is_number(above + n_above)) ++n_above;
  Stencil result;
  if (n_below == 0 || n_above == 0) return result;
  // At borders the other side has more.
  const std::size_t n_before = n_below;
  n_below = std::min(n_below, 2 * kReach - std::min(n_above, kReach));
  n_above = std::min(n_above, 2 * kReach - std::min(n_before, kReach));
  result.n = n_below + n_above;
  const double x = positions_[axis][point.along[axis]];
  for (std::size_t i = 0; i < result.n; ++i) {
    const std::size_t node = above - n_below + i;
    result.places[i] = place_of(node);
    result.weights[i] = 1;
    for (std::size_t k = 0; k < result.n; ++k) {
      const double at = positions_[axis][nodes[above - n_below + k]];
      if (k != i) result.weights[i] *= (x - at) / (positions_[axis][nodes[node]] - at);
    }
  }
  return result;
}

}  // namespace greybox
