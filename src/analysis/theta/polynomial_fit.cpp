#include "analysis/theta/polynomial_fit.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

#include "analysis/theta/even_points.hpp"

namespace greybox {
namespace {

// Of the diagonal, which is about 1.
constexpr double kRidge = 1e-10;
constexpr std::size_t kHighestDegree = 16;

std::size_t n_terms_of(std::size_t n_axes, std::size_t degree) {
  std::size_t n = 1;
  for (std::size_t k = 1; k <= n_axes; ++k) n = n * (degree + k) / k;
  return n;
}

// All powers of one term after the other whose sum is at most `left`.
void add_powers(std::vector<std::size_t>& term, std::size_t axis, std::size_t left,
                std::vector<std::size_t>& powers) {
  if (axis == term.size()) {
    powers.insert(powers.end(), term.begin(), term.end());
    return;
  }
  for (term[axis] = 0; term[axis] <= left; ++term[axis])
    add_powers(term, axis + 1, left - term[axis], powers);
  term[axis] = 0;
}

}  // namespace

PolynomialFit::PolynomialFit(std::size_t n_axes, std::size_t most_terms) : n_axes_(n_axes) {
  while (degree_ < kHighestDegree && n_terms_of(n_axes, degree_ + 1) <= most_terms) ++degree_;
  std::vector<std::size_t> term(n_axes);
  add_powers(term, 0, degree_, powers_);
  chebyshev_.resize(n_axes * (degree_ + 1));
  chebyshev_slopes_.resize(chebyshev_.size());
  terms_.resize(n_terms());
  term_slopes_.resize(powers_.size());
}

std::vector<double> PolynomialFit::points(std::size_t n_points, std::size_t n_axes) {
  std::vector<double> points = spread_evenly(n_points, n_axes);
  for (double& x : points) x = -std::cos(std::numbers::pi * x);
  return points;
}

// Scaled so that terms are orthonormal over the points.
void PolynomialFit::set_terms(std::span<const double> x) const {
  for (std::size_t axis = 0; axis < n_axes_; ++axis) {
    double* value = chebyshev_.data() + axis * (degree_ + 1);
    double* slope = chebyshev_slopes_.data() + axis * (degree_ + 1);
    value[0] = 1;
    slope[0] = 0;
    if (degree_ > 0) {
      value[1] = x[axis];
      slope[1] = 1;
    }
    for (std::size_t k = 2; k <= degree_; ++k) {
      value[k] = 2 * x[axis] * value[k - 1] - value[k - 2];
      slope[k] = 2 * value[k - 1] + 2 * x[axis] * slope[k - 1] - slope[k - 2];
    }
    for (std::size_t k = 1; k <= degree_; ++k) {
      value[k] *= std::numbers::sqrt2;
      slope[k] *= std::numbers::sqrt2;
    }
  }
  for (std::size_t term = 0; term < n_terms(); ++term) {
    const std::size_t* powers = powers_.data() + term * n_axes_;
    double product = 1;
    for (std::size_t axis = 0; axis < n_axes_; ++axis)
      product *= chebyshev_[axis * (degree_ + 1) + powers[axis]];
    terms_[term] = product;
    for (std::size_t axis = 0; axis < n_axes_; ++axis) {
      double slope = chebyshev_slopes_[axis * (degree_ + 1) + powers[axis]];
      for (std::size_t other = 0; other < n_axes_ && slope != 0; ++other)
        if (other != axis) slope *= chebyshev_[other * (degree_ + 1) + powers[other]];
      term_slopes_[term * n_axes_ + axis] = slope;
    }
  }
}

void PolynomialFit::fit(std::span<const double> points, const std::vector<std::vector<double>>& values) {
  const std::size_t n_points = points.size() / n_axes_;
  Eigen::MatrixXd basis(n_points, n_terms());
  for (std::size_t i = 0; i < n_points; ++i) {
    set_terms(points.subspan(i * n_axes_, n_axes_));
    for (std::size_t k = 0; k < n_terms(); ++k)
      basis(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = terms_[k];
  }
  Eigen::MatrixXd normal = basis.transpose() * basis / static_cast<double>(n_points);
  normal.diagonal().array() += kRidge;
  const Eigen::LLT<Eigen::MatrixXd> factor(normal);
  coefficients_.clear();
  for (const std::vector<double>& of_quantity : values) {
    const Eigen::Map<const Eigen::VectorXd> target(of_quantity.data(), static_cast<Eigen::Index>(n_points));
    const Eigen::VectorXd solved = factor.solve(basis.transpose() * target / static_cast<double>(n_points));
    coefficients_.emplace_back(solved.data(), solved.data() + solved.size());
  }
}

void PolynomialFit::evaluate(std::span<const double> x, std::span<double> values,
                             std::span<double> slopes) const {
  set_terms(x);
  std::fill(slopes.begin(), slopes.end(), 0.0);
  for (std::size_t q = 0; q < coefficients_.size(); ++q) {
    double sum = 0;
    for (std::size_t term = 0; term < terms_.size(); ++term) {
      const double c = coefficients_[q][term];
      sum += c * terms_[term];
      for (std::size_t axis = 0; axis < n_axes_; ++axis)
        slopes[q * n_axes_ + axis] += c * term_slopes_[term * n_axes_ + axis];
    }
    values[q] = sum;
  }
}

}  // namespace greybox
