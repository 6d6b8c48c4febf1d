// `greybox augment`: an estimator taught by the trained model itself, at parameters that the data do not have
// (expert augmentation, Wehenkel et al. 2023).
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "greybox/train.hpp"

namespace greybox {

struct AugmentedRange {
  std::string name;  // of a parameter
  double low = 0, high = 0;
};

struct AugmentOptions {
  std::filesystem::path run;
  std::filesystem::path output;  // empty: RUN-augmented
  std::vector<AugmentedRange>
      theta;  // where to draw; parameters that are not named keep the bounds of the model
  std::map<std::string, double> at;  // the θ that the network belongs to; empty: the run's own
  std::size_t windows = 2000;        // to make
  std::size_t epochs = 100;          // of fitting the estimator
  std::uint64_t seed = 0;
  std::size_t n_threads = 0;  // 0: one per core; results do not depend on it
  std::function<void(std::size_t n_done, std::size_t n_all)> progress;  // epochs
  std::function<void(const EpochReport&)> on_epoch{};
  // Once true, the fit ends after its step, with a checkpoint; the same call continues it.
  const std::atomic<bool>* cancel = nullptr;
};

// Root of the mean squared error of a parameter's estimates.
struct EstimatorError {
  std::string name;
  double before = 0, after = 0;
};

struct AugmentReport {
  std::filesystem::path run;
  std::size_t n_windows = 0;           // made, without those that left the finite numbers
  std::vector<EstimatorError> errors;  // on the fifth of the made windows that was not learned from
  bool is_interrupted = false;
  // How the fit ended; `message` is a sentence about an outcome that is not `finished`.
  TrainOutcome outcome = TrainOutcome::finished;
  std::string message;
  std::vector<std::string> warnings;
  std::string json;
};

// Makes windows with the theory at drawn θ and the network as it is at its own θ, and fits the networks of
// [estimator] to give those θ back; everything else of the model stays. Writes a run folder of its own.
// Throws InputError for the user's mistakes (also: a model without [estimator]).
AugmentReport augment(const AugmentOptions& options);

}  // namespace greybox
