#include "analysis/theta/plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace greybox {
namespace {

constexpr double kMainShare = 0.3;  // components that a label names, as parts of the unit vector
constexpr double kNegligible = 1e-9;

// A bound: s·x + t·y ≤ b for the coordinates x, y of the plane.
struct HalfPlane {
  double s, t, b;
};

std::vector<HalfPlane> half_planes(const ThetaBox& box, const std::vector<double>& origin,
                                   const TwoDirections& directions) {
  const std::vector<double> half = half_ranges(box);
  std::vector<HalfPlane> planes;
  for (std::size_t p = 0; p < half.size(); ++p) {
    const double s = directions[0][p], t = directions[1][p];
    planes.push_back({s, t, (box.likely_high()[p] - origin[p]) / half[p]});
    planes.push_back({-s, -t, (origin[p] - box.likely_low()[p]) / half[p]});
  }
  return planes;
}

using Corner = std::array<double, 2>;

// Where two borders meet, by Cramer's rule.
std::optional<Corner> corner_of(const HalfPlane& one, const HalfPlane& other) {
  const double determinant = one.s * other.t - one.t * other.s;
  if (std::abs(determinant) < kNegligible) return {};
  return Corner{(one.b * other.t - one.t * other.b) / determinant,
                (one.s * other.b - one.b * other.s) / determinant};
}

bool are_all_kept(const std::vector<HalfPlane>& planes, const Corner& at) {
  return std::all_of(planes.begin(), planes.end(), [&](const HalfPlane& plane) {
    return plane.s * at[0] + plane.t * at[1] - plane.b <= kNegligible;
  });
}

struct Extent {
  Corner low, high;
};

// The smallest box around the polygon that the half planes share: its corners are where two borders meet and
// no other is crossed.
Extent extent(const std::vector<HalfPlane>& planes) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Extent ends{{far, far}, {-far, -far}};
  for (std::size_t i = 0; i < planes.size(); ++i)
    for (std::size_t j = i + 1; j < planes.size(); ++j) {
      const std::optional<Corner> corner = corner_of(planes[i], planes[j]);
      if (!corner || !are_all_kept(planes, *corner)) continue;
      for (std::size_t k = 0; k < 2; ++k) {
        ends.low[k] = std::min(ends.low[k], (*corner)[k]);
        ends.high[k] = std::max(ends.high[k], (*corner)[k]);
      }
    }
  return ends;
}

// "0.71 a − 0.70 b": the main parameters of a direction, largest first.
std::string label_of(const std::vector<ParameterSpec>& parameters, const std::vector<double>& direction) {
  std::vector<std::size_t> order(parameters.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(direction[a]) > std::abs(direction[b]);
  });
  std::string label;
  for (std::size_t p : order) {
    if (!label.empty() && std::abs(direction[p]) < kMainShare) break;
    const char* sign = direction[p] < 0 ? (label.empty() ? "−" : " − ") : (label.empty() ? "" : " + ");
    label += fmt::format("{}{:.2f} {}", sign, std::abs(direction[p]), parameters[p].name);
  }
  return label;
}

}  // namespace

std::vector<double> half_ranges(const ThetaBox& box) {
  std::vector<double> half;
  for (std::size_t p = 0; p < box.size(); ++p)
    half.push_back((box.likely_high()[p] - box.likely_low()[p]) / 2);
  return half;
}

ThetaGrid plane_grid(const std::vector<ParameterSpec>& parameters, const std::vector<double>& origin,
                     const TwoDirections& directions, const std::string& view) {
  const ThetaBox box(parameters);
  const std::vector<double> half = half_ranges(box);
  const Extent ends = extent(half_planes(box, origin, directions));
  ThetaGrid grid{{}, {}, origin, view, {}};
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<double>& scaled = grid.directions.emplace_back(directions[k]);
    for (std::size_t p = 0; p < scaled.size(); ++p) scaled[p] *= half[p];
    grid.axes.push_back({fmt::format("view.{}", k + 1), "", label_of(parameters, directions[k]),
                         evenly_spaced_values(ends.low[k], ends.high[k], kGridPoints), false});
  }
  return grid;
}

}  // namespace greybox
