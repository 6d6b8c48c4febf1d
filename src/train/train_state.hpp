// Everything that changes while a model learns: what a checkpoint holds.
#pragma once

#include <cstdint>
#include <span>

#include "core/aligned_buffer.hpp"
#include "core/limits.hpp"

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
  bool operator==(const FlatLayout&) const = default;
};

// Counters and sums; small numbers, all exact as doubles.
struct Counters {
  double n_updates = 0;
  // Complete ones.
  double epoch = 0;
  // Of the current epoch.
  double step = 0;
  double loss_sum = 0, regularizer_sum = 0, n_samples = 0;
  // Of the last complete epoch.
  double last_loss = kNaN, last_regularizer = kNaN;
  double best_validation = kInfinity;
  // Validations.
  double n_without_improvement = 0;
  // Of all sessions.
  double seconds = 0;
  // Of the loss, in mode aphynity.
  double multiplier = kNaN;
  // Updates for which θ was drawn again.
  double n_redrawn = 0;
};

// What counters and sums can be in a training.
struct CounterLimits {
  std::size_t n_epochs = 0;
  // Per epoch.
  std::size_t n_steps = 0, n_samples = 0;
  // Whether L and R count in the objective: they are finite then as long as the training goes on.
  bool has_loss = true, has_regularizer = false;
  bool has_multiplier = false;
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
  Counters counters;
};

}  // namespace greybox
