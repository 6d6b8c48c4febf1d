// A long series seen through a sliding window: what overlapping windows say, averaged day by day.
#pragma once

#include <string>
#include <vector>

#include "analysis/reproduce/reproduce_prediction.hpp"

namespace greybox {

// One value per snapshot of the series; NaN where no window reaches.
struct SlidingAverages {
  std::vector<double> time;
  std::vector<std::vector<double>> observed, predicted;  // [observed variable]
  std::vector<std::vector<double>> theta;                // [parameter]
  std::vector<double> network_norm;                      // ‖f_D‖²
  std::vector<double> nrmse_percent;                     // of the range of the series
  double total_nrmse_percent = 0;
};

// Runs the model with its estimator over all windows of the series.
SlidingAverages slide_over(const Run& run, const std::string& series, std::size_t n_threads);

double mean_of(const std::vector<double>& values);  // of those that are numbers

}  // namespace greybox
