#include "analysis/theta/plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace greybox {
namespace {

constexpr double kMainShare = 0.3;  // components that a label names, as parts of the unit vector
constexpr double kNegligible = 1e-9;

// Bounds as rows of a·(s, t) ≤ b for the coordinates s, t of the plane.
struct HalfPlanes {
  Eigen::MatrixX2d a;
  Eigen::VectorXd b;
};

HalfPlanes half_planes(const ThetaBox& box, const std::vector<double>& origin, const Directions& directions) {
  const Eigen::VectorXd half = half_ranges(box);
  const auto n = directions.rows();
  HalfPlanes planes{Eigen::MatrixX2d(2 * n, 2), Eigen::VectorXd(2 * n)};
  for (Eigen::Index p = 0; p < n; ++p) {
    const auto place = static_cast<std::size_t>(p);
    planes.a.row(p) = directions.row(p);
    planes.a.row(n + p) = -directions.row(p);
    planes.b[p] = (box.likely_high()[place] - origin[place]) / half[p];
    planes.b[n + p] = (origin[place] - box.likely_low()[place]) / half[p];
  }
  return planes;
}

// The smallest box around the polygon that the half planes share: its corners are where two borders meet and
// no other is crossed.
Eigen::Matrix2d extent(const HalfPlanes& planes) {
  Eigen::Matrix2d ends;  // columns: lowest, highest
  ends.col(0).setConstant(std::numeric_limits<double>::infinity());
  ends.col(1) = -ends.col(0);
  for (Eigen::Index i = 0; i < planes.b.size(); ++i)
    for (Eigen::Index j = i + 1; j < planes.b.size(); ++j) {
      Eigen::Matrix2d borders;
      borders << planes.a.row(i), planes.a.row(j);
      if (std::abs(borders.determinant()) < kNegligible) continue;
      const Eigen::Vector2d corner = borders.inverse() * Eigen::Vector2d(planes.b[i], planes.b[j]);
      if ((planes.a * corner - planes.b).maxCoeff() > kNegligible) continue;
      ends.col(0) = ends.col(0).cwiseMin(corner);
      ends.col(1) = ends.col(1).cwiseMax(corner);
    }
  return ends;
}

// "0.71 a − 0.70 b": the main parameters of a direction, largest first.
std::string label_of(const std::vector<ParameterSpec>& parameters, const Eigen::VectorXd& direction) {
  std::vector<std::size_t> order(parameters.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto part = [&](std::size_t p) { return direction[static_cast<Eigen::Index>(p)]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(part(a)) > std::abs(part(b)); });
  std::string label;
  for (std::size_t p : order) {
    if (!label.empty() && std::abs(part(p)) < kMainShare) break;
    const char* sign = part(p) < 0 ? (label.empty() ? "−" : " − ") : (label.empty() ? "" : " + ");
    label += fmt::format("{}{:.2f} {}", sign, std::abs(part(p)), parameters[p].name);
  }
  return label;
}

}  // namespace

Eigen::VectorXd half_ranges(const ThetaBox& box) {
  Eigen::VectorXd half(static_cast<Eigen::Index>(box.size()));
  for (std::size_t p = 0; p < box.size(); ++p)
    half[static_cast<Eigen::Index>(p)] = (box.likely_high()[p] - box.likely_low()[p]) / 2;
  return half;
}

ThetaGrid plane_grid(const std::vector<ParameterSpec>& parameters, const std::vector<double>& origin,
                     const Directions& directions, const std::string& view) {
  const ThetaBox box(parameters);
  const Eigen::Matrix2d ends = extent(half_planes(box, origin, directions));
  ThetaGrid grid{{}, {}, origin, view, {}};
  for (Eigen::Index k = 0; k < 2; ++k) {
    const Eigen::VectorXd scaled = directions.col(k).cwiseProduct(half_ranges(box));
    grid.directions.emplace_back(scaled.begin(), scaled.end());
    grid.axes.push_back({fmt::format("view.{}", k + 1), "", label_of(parameters, directions.col(k)),
                         evenly_spaced_values(ends(k, 0), ends(k, 1), kGridPoints)});
  }
  return grid;
}

}  // namespace greybox
