#include "analysis/structure/null_space.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <numeric>

namespace greybox {
namespace {

// Rows may be many thousands: their triangle has the same singular values.
Eigen::MatrixXd triangle_of(const Eigen::MatrixXd& matrix) {
  if (matrix.rows() <= matrix.cols()) return matrix;
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(matrix);
  return qr.matrixQR().topRows(matrix.cols()).triangularView<Eigen::Upper>();
}

// Whether some direction moves both; a parameter with itself: that moves it.
bool moves(const std::vector<Eigen::MatrixXd>& projections, double negligible, std::size_t i, std::size_t j) {
  return std::ranges::any_of(projections, [&](const Eigen::MatrixXd& projection) {
    return std::abs(projection(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j))) > negligible;
  });
}

}  // namespace

NullSpace null_space(const Eigen::MatrixXd& matrix, double tolerance) {
  const Eigen::Index n = matrix.cols();
  NullSpace result{Eigen::VectorXd::Zero(n), Eigen::MatrixXd::Zero(n, n), 0};
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(triangle_of(matrix), Eigen::ComputeFullV);
  result.singular_values.head(svd.singularValues().size()) = svd.singularValues();
  const double limit = tolerance * result.singular_values(0);
  for (Eigen::Index k = 0; k < n; ++k) {
    if (result.singular_values(k) > limit) continue;
    result.projection += svd.matrixV().col(k) * svd.matrixV().col(k).transpose();
    ++result.dimension;
  }
  return result;
}

std::vector<std::vector<std::size_t>> tied_groups(const std::vector<Eigen::MatrixXd>& projections,
                                                  double negligible) {
  const std::size_t n = projections.empty() ? 0 : static_cast<std::size_t>(projections[0].rows());
  std::vector<std::size_t> label(n);
  std::iota(label.begin(), label.end(), 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      if (label[i] != label[j] && moves(projections, negligible, i, j))
        std::ranges::replace(label, label[j], label[i]);
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::size_t> group;
    for (std::size_t j = 0; j < n; ++j)
      if (label[j] == i && moves(projections, negligible, j, j)) group.push_back(j);
    if (!group.empty()) groups.push_back(group);
  }
  return groups;
}

}  // namespace greybox
