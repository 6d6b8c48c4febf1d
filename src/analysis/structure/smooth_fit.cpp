#include "analysis/structure/smooth_fit.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

namespace greybox {
namespace {

// Inputs with zero mean and unit variance; those that do not vary tell nothing and are left out.
Eigen::MatrixXd standardised(const Eigen::MatrixXd& inputs) {
  std::vector<Eigen::VectorXd> columns;
  for (Eigen::Index k = 0; k < inputs.cols(); ++k) {
    const Eigen::VectorXd centred = inputs.col(k).array() - inputs.col(k).mean();
    const double spread = std::sqrt(centred.squaredNorm() / static_cast<double>(inputs.rows()));
    if (spread > 1e-9 * (1e-300 + inputs.col(k).cwiseAbs().maxCoeff()))
      columns.emplace_back(centred / spread);
  }
  Eigen::MatrixXd result(inputs.rows(), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) result.col(static_cast<Eigen::Index>(k)) = columns[k];
  return result;
}

// Bumps of the given width, and polynomials of third degree, which bumps continue badly beyond the data.
Eigen::MatrixXd kernel_of(const Eigen::MatrixXd& inputs, double width) {
  const auto n_inputs = static_cast<double>(std::max<Eigen::Index>(inputs.cols(), 1));
  const Eigen::MatrixXd products = inputs * inputs.transpose();
  const Eigen::VectorXd squares = products.diagonal();
  const Eigen::MatrixXd distances =
      squares.replicate(1, inputs.rows()) + squares.transpose().replicate(inputs.rows(), 1) - 2 * products;
  return (-distances.array() / (2 * width * width * n_inputs)).exp() +
         10 * (1 + products.array() / n_inputs).cube();
}

// y - prediction of y from the other points, for ridge regression: (G y) / diag G with G = (K + penalty)⁻¹.
Eigen::MatrixXd left_out_residuals(const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>& kernel,
                                   double penalty, const Eigen::MatrixXd& targets) {
  const Eigen::VectorXd inverse = (kernel.eigenvalues().array().max(0) + penalty).inverse();
  const Eigen::MatrixXd& q = kernel.eigenvectors();
  const Eigen::VectorXd diagonal = q.cwiseAbs2() * inverse;
  return diagonal.cwiseInverse().asDiagonal() * (q * (inverse.asDiagonal() * (q.transpose() * targets)));
}

// The better the columns that can be explained are, the smaller: a mean of logarithms.
double mean_log_size(const Eigen::MatrixXd& residuals, const Eigen::MatrixXd& targets) {
  double sum = 0;
  for (Eigen::Index k = 0; k < targets.cols(); ++k)
    if (const double size = targets.col(k).norm(); size > 0)
      sum += std::log(std::max(residuals.col(k).norm() / size, 1e-6));
  return sum;
}

}  // namespace

Eigen::MatrixXd unexplained(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) {
  const Eigen::MatrixXd scaled = standardised(inputs);
  Eigen::MatrixXd best;
  double lowest = INFINITY;
  for (const double width : {0.3, 1.0, 3.0}) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> kernel(kernel_of(scaled, width));
    for (const double penalty : {1e-8, 1e-5, 1e-2}) {
      Eigen::MatrixXd residuals = left_out_residuals(kernel, penalty, targets);
      const double size = mean_log_size(residuals, targets);
      if (size < lowest) {
        lowest = size;
        best = std::move(residuals);
      }
    }
  }
  return best;
}

}  // namespace greybox
