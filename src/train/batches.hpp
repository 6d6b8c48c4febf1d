// Which windows make up which step: shuffled anew each epoch, as a pure function of the seed and the epoch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/objective.hpp"

namespace greybox {

struct BatchOptions {
  // Training windows per step; more than there are mean all.
  std::size_t batch = 1;
  // Samples per training window.
  std::size_t draws = 1;
  std::uint64_t seed = 0;
};

struct Batch {
  std::span<const std::size_t> windows;  // one per sample
  ObjectiveRanges ranges;
};

class Batches {
 public:
  // `regularized` windows, shared out evenly over the steps, count for R alone (transductive learning).
  // `train` may not be empty. Throws InputError when a step would have too many samples.
  Batches(std::vector<std::size_t> train, std::vector<std::size_t> regularized, const BatchOptions& options);

  std::size_t n_steps() const { return (train_.size() + options_.batch - 1) / options_.batch; }
  // Samples in a step at most.
  std::size_t capacity() const { return windows_.size(); }

  void begin_epoch(std::uint64_t epoch);
  // The last step of an epoch may be smaller. Valid until the next call.
  Batch step(std::size_t step);

 private:
  std::vector<std::size_t> train_, regularized_;        // as given
  std::vector<std::size_t> train_order_, other_order_;  // shuffled
  std::vector<std::size_t> windows_;
  BatchOptions options_;
};

}  // namespace greybox
