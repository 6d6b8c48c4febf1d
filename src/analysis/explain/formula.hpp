// A short formula for numbers at points: terms chosen one by one, their number by cross-validation.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace greybox {

struct FormulaFit {
  // Indices of terms, in the order in which they were chosen, with their coefficients.
  std::vector<std::size_t> terms;
  std::vector<double> coefficients;
  // Root mean squared errors on points left out, by number of terms from 0 on.
  std::vector<double> rmse_by_size;
  // Of the number of terms chosen.
  double rmse = 0;
};

// `library`: points × terms; `group` of each point: points of a group are left out together, and
// there are two groups or more. The number of terms is the smallest whose error is within one standard error
// of the lowest.
FormulaFit fit_formula(const Eigen::MatrixXd& library, const Eigen::VectorXd& target,
                       const std::vector<std::size_t>& group, std::size_t most_terms);

}  // namespace greybox
