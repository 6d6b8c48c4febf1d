// Everything that changes while a model learns: what a checkpoint holds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned_buffer.hpp"
#include "core/limits.hpp"

namespace greybox {

// Where numbers stand in the flat vector: the weights, what is learned beside them, and the noise that is
// estimated. Each but the last is padded to whole cache lines.
struct FlatLayout {
  std::size_t n_weights = 0;
  std::size_t learned_begin = 0;
  std::size_t n_learned = 0;
  std::size_t noise_begin = 0;
  std::size_t n_noise = 0;

  template <class T>
  static FlatLayout of(std::size_t n_weights, std::size_t n_learned, std::size_t n_noise = 0) {
    const std::size_t learned_begin = padded<T>(n_weights);
    return {n_weights, learned_begin, n_learned, padded<T>(learned_begin + n_learned), n_noise};
  }
  std::size_t size() const { return n_noise > 0 ? noise_begin + n_noise : learned_begin + n_learned; }
  bool operator==(const FlatLayout&) const = default;
};

template <class T>
std::span<T> noise_in(std::span<T> flat, const FlatLayout& layout) {
  return layout.n_noise > 0 ? flat.subspan(layout.noise_begin, layout.n_noise) : std::span<T>();
}

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
  // Of recipe "auto": the highest rate, and the epochs after which rates fall; NaN before they are known.
  double peak_rate = kNaN, falls_from = kNaN;
  // Looks at the landscape, its change from the last but one to the last, looks in a row without smaller
  // errors, and whether (1) it has settled.
  double n_looks = 0, landscape_change = kNaN, n_calm = 0, has_settled = 0;
  // Updates that were done when the moments were last set to 0, which update rules correct for.
  double moments_from = 0;
  // Of recipe "auto": how often its epochs were doubled.
  double n_doublings = 0;
};

// What counters and sums can be in a training.
struct CounterLimits {
  std::size_t n_epochs = 0;
  // Per epoch.
  std::size_t n_steps = 0, n_samples = 0;
  // Whether L and R count in the objective: they are finite then as long as the training goes on.
  bool has_loss = true, has_regularizer = false;
  bool has_multiplier = false;
  // Whether the recipe is "auto".
  bool has_recipe = false;
  // How often its epochs may have been doubled.
  std::size_t n_doublings = 0;
};

template <class T>
struct TrainState {
  explicit TrainState(const FlatLayout& flat, std::size_t n_curvature = 0)
      : layout(flat),
        parameters(flat.size()),
        first_moments(flat.size()),
        second_moments(flat.size()),
        best(flat.size()),
        curvature(n_curvature) {}

  // The numbers that the training is for: averaged where there is an average.
  const AlignedBuffer<T>& outcome() const {
    return average.size() > 0 && counters.n_updates > 0 ? average : parameters;
  }
  std::span<const T> weights() const { return parameters.span().first(layout.n_weights); }
  std::span<T> learned() { return parameters.span().subspan(layout.learned_begin, layout.n_learned); }
  std::span<const T> learned() const {
    return parameters.span().subspan(layout.learned_begin, layout.n_learned);
  }

  std::span<T> noise() { return noise_in(parameters.span(), layout); }
  std::span<const T> noise() const { return noise_in(parameters.span(), layout); }

  FlatLayout layout;
  AlignedBuffer<T> parameters, first_moments, second_moments;
  AlignedBuffer<T> best;       // parameters at the best validation
  AlignedBuffer<T> curvature;  // what the update rule keeps beside the moments
  // Of recipe "auto", else empty: the average of the parameters, and the landscape at the last look.
  AlignedBuffer<T> average;
  std::vector<double> landscape;
  Counters counters;
};

}  // namespace greybox
