// Names for combinations of parameters that are determined where they alone are not.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace greybox {

// At one θ: values of the tied parameters, and the projection of their changes onto those without effect; the
// changes in units of `ranges`.
struct TiedPoint {
  std::vector<double> theta;
  Eigen::MatrixXd projection;
};

struct NameOptions {
  // At most so many combinations.
  std::size_t n_wanted = 1;
  // How exact the projections are, as a part of a direction's length.
  double tolerance = 1e-3;
};

// Combinations such as `a·b`, `a + 2·b`, `a^2 + b^2`, `a·exp(b)` whose value no direction without effect
// changes, at any of the points; independent of each other. Fewer where none of these forms fits.
std::vector<std::string> determined_combinations(const std::vector<std::string>& names,
                                                 const std::vector<TiedPoint>& points,
                                                 const std::vector<double>& ranges,
                                                 const NameOptions& options);

}  // namespace greybox
