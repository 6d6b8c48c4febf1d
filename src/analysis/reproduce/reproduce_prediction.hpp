// Predictions of some windows of a run, beside what was observed there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/run/opened_run.hpp"
#include "model/prediction.hpp"

namespace greybox {

struct PredictedWindows {
  OpenedRun run;
  std::vector<std::size_t> windows;
  Prediction prediction;

  // The row of the table that an output of a window is compared with.
  std::size_t row(std::size_t window, std::size_t output) const;
  double time(std::size_t window, std::size_t output) const;
  const std::vector<double>& values(const std::string& name) const;  // [window][output][point]
  // Of one window and output, point by point.
  std::vector<double> predicted_field(const std::string& name, std::size_t window, std::size_t output) const;
  std::vector<double> observed_field(const std::string& name, std::size_t window, std::size_t output) const;
};

using ChooseWindows = std::function<std::vector<std::size_t>(const PreparedData&)>;

// `theta` has one value per parameter, or none: then the model's estimator gives it.
PredictedWindows predict_windows(const Run& run, const ChooseWindows& choose,
                                 const std::vector<double>& theta, std::size_t n_threads);

}  // namespace greybox
