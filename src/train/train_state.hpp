// Everything that changes while a model learns: what a checkpoint holds.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "core/aligned_buffer.hpp"

namespace greybox {

// Where numbers stand in the flat vector: the weights, padded to whole cache lines, then what is learned
// beside them.
struct FlatLayout {
  std::size_t n_weights = 0;
  std::size_t learned_begin = 0;
  std::size_t n_learned = 0;

  template <class T>
  static FlatLayout of(std::size_t n_weights, std::size_t n_learned) {
    return {n_weights, padded<T>(n_weights), n_learned};
  }
  std::size_t size() const { return learned_begin + n_learned; }
};

// Counters and sums; small numbers, all exact as doubles.
struct Progress {
  double n_updates = 0;
  double epoch = 0;                                             // complete ones
  double step = 0;                                              // of the current epoch
  double loss_sum = 0, regularizer_sum = 0, n_samples = 0;      // of the current epoch
  double last_loss = std::numeric_limits<double>::quiet_NaN();  // of the last complete epoch
  double last_regularizer = std::numeric_limits<double>::quiet_NaN();
  double best_validation = std::numeric_limits<double>::infinity();
  double n_without_improvement = 0;                              // validations
  double seconds = 0;                                            // of all sessions
  double multiplier = std::numeric_limits<double>::quiet_NaN();  // of the loss, in mode aphynity
};

template <class T>
struct TrainState {
  explicit TrainState(const FlatLayout& flat)
      : layout(flat),
        parameters(flat.size()),
        first_moments(flat.size()),
        second_moments(flat.size()),
        best(flat.size()) {}

  std::span<const T> weights() const { return parameters.span().first(layout.n_weights); }
  std::span<T> learned() { return parameters.span().subspan(layout.learned_begin, layout.n_learned); }
  std::span<const T> learned() const {
    return parameters.span().subspan(layout.learned_begin, layout.n_learned);
  }

  FlatLayout layout;
  AlignedBuffer<T> parameters, first_moments, second_moments;
  AlignedBuffer<T> best;  // parameters at the best validation
  Progress progress;
};

}  // namespace greybox
