// How likely measured values are under a model that did not learn from them.
#pragma once

#include <string>
#include <vector>

#include "greybox/predict.hpp"

namespace greybox {

// Sum of log-likelihoods and number of values, by window.
struct WindowScores {
  std::vector<double> sums, counts;
  // Of a value.
  double mean() const;
};

// Root mean square of the residuals of each output; of values that are not measured nothing counts.
std::vector<double> residual_sd(const Prediction& prediction, const std::vector<std::string>& outputs);

// Under normal errors of these standard deviations.
WindowScores scores_of(const Prediction& prediction, const std::vector<std::string>& outputs,
                       const std::vector<double>& sd);

}  // namespace greybox
