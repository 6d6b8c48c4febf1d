// A training on one batch: every window of a data file, a fresh θ per sample in every step, AdamW.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/loaded_model.hpp"
#include "train/learner.hpp"

namespace greybox::bench {

struct TrainingOptions {
  std::string model, data;
  std::string weights;        // weights.npz; empty: drawn anew
  std::vector<double> theta;  // of `check`; empty: the middle of the bounds
  double lambda = -1;         // negative: the model file's
  std::size_t n_threads = 1;
  // Processes that take the same steps; null: this one alone.
  Communicator* others = nullptr;
};

class Training {
 public:
  explicit Training(const TrainingOptions& options);

  std::size_t n_samples() const { return windows_.size(); }

  struct Check {
    std::vector<double> theta;
    double loss, regularizer;
    double step_flops;
  };
  // The objective at the given weights and one θ for all samples, by an engine of its own.
  Check check();

  // Makes ready for steps, from the given weights.
  void start();
  // Throws std::runtime_error when it diverges.
  void step();

 private:
  ObjectiveRanges ranges() const { return {windows_.size(), windows_.size()}; }
  std::vector<float> weights(const std::vector<ModelTensor>& tensors) const;
  std::vector<double> theta() const;

  TrainingOptions options_;
  LoadedModel loaded_;
  ThreadPool pool_;
  std::vector<std::size_t> windows_;
  ObjectiveOptions objective_;
  std::unique_ptr<Learner<float>> learner_;
  std::unique_ptr<TrainState<float>> state_;
};

}  // namespace greybox::bench
