// Where the parameters of a prediction come from when their values are not given.
#pragma once

#include <cstdint>
#include <string>

namespace greybox {

enum class ThetaFrom : std::uint8_t {
  // The model's [estimator]; else the run's own θ, which predictions of mode tailored adapt to each window;
  // else the last estimate.
  automatic,
  // What was learned with the weights, in modes with one θ.
  run,
  // The last estimate that is one θ for all windows.
  estimate,
  // The last distribution: its mean, and its draws where several are asked for.
  posterior,
  // Each window's own, from the model's [estimator].
  estimator,
  // Each window's own, by steps down the regularizer from the run's θ, as in the training (mode tailored).
  tailored,
};

std::string to_string(ThetaFrom origin);
// Throws InputError for a name that is none.
ThetaFrom theta_from_named(const std::string& name);

}  // namespace greybox
