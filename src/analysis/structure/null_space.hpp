// The directions in parameter space along which a matrix of sensitivities vanishes.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace greybox {

struct NullSpace {
  // Largest first.
  Eigen::VectorXd singular_values;
  // Orthogonal projection onto the null space.
  Eigen::MatrixXd projection;
  std::size_t dimension = 0;
};

// Singular values below `tolerance` times the largest count as zero; all of them where the matrix is zero.
NullSpace null_space(const Eigen::MatrixXd& matrix, double tolerance);

// Parameters that some direction of the spaces moves, joined where one direction moves several of them. The
// projections onto these spaces are those of one model at several θ; entries up to `negligible` count as
// zero.
std::vector<std::vector<std::size_t>> tied_groups(const std::vector<Eigen::MatrixXd>& projections,
                                                  double negligible);

}  // namespace greybox
