// An estimator taught by the trained model itself, at parameters that the data do not have (expert
// augmentation, Wehenkel et al. 2023).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "greybox/run.hpp"

namespace greybox {

struct AugmentedRange {
  // Of a parameter.
  std::string name;
  double low = 0, high = 0;
};

struct AugmentOptions {
  // Where to draw θ; parameters that are not named keep the bounds of the model.
  std::vector<AugmentedRange> theta{};
  // The θ that the network belongs to; empty: the run's own.
  Theta at{};
  // To make.
  std::size_t windows = 2000;
  // Of fitting the estimator.
  std::size_t epochs = 100;
  std::uint64_t seed = 0;
  // Where the new run is kept; empty: in memory. An interrupted one is continued.
  std::filesystem::path folder{};
  Execution execution{};
};

// Root mean squared error of a parameter's estimates.
struct EstimatorError {
  std::string name;
  double before = 0, after = 0;
};

struct Augmentation {
  // The run with the fitted estimator.
  Run run;
  // Made, without those that became non-finite.
  std::size_t n_windows = 0;
  // On the fifth of the made windows that was not learned from; empty unless the fit is finished.
  std::vector<EstimatorError> errors;
  std::vector<std::string> warnings;
};

// Makes windows with the theory at drawn θ and the network as it is at its own θ, and fits the networks of
// [estimator] to give those θ back; everything else of the model stays. Throws InputError for the user's
// mistakes (also: a model without [estimator]).
Augmentation augment(const Run& run, const AugmentOptions& options = {});

std::string to_json(const Augmentation& augmentation);

}  // namespace greybox
