// Windows of several runs of the same data that none of them learned from.
#pragma once

#include <string>
#include <vector>

#include "greybox/predict.hpp"

namespace greybox {

struct HeldOut {
  // "test", or "validation" where there is no test split.
  std::string split;
  // Of each run, in the same order: the windows to judge on, and those to measure errors on.
  std::vector<std::vector<std::size_t>> test, calibration;
  // Observed in all models.
  std::vector<std::string> outputs;
  std::vector<std::string> warnings;
};

// Throws InputError when nothing is left.
HeldOut held_out_by_all(const std::vector<Run>& runs);

// The run's prediction for these windows of its own data; θ empty: the model's [estimator], or none.
Prediction predict_windows(const Run& run, const std::vector<std::size_t>& windows, const Theta& theta,
                           const std::vector<std::string>& regularizers, const Execution& execution);

}  // namespace greybox
