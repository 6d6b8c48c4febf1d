// AdamW (decoupled weight decay) over one flat vector, after clipping by value and then by norm, as PyTorch
// does it.
#pragma once

#include <cstdint>
#include <limits>

#include "core/aligned_buffer.hpp"

namespace greybox {

struct AdamOptions {
  double weight_decay = 0.01;
  double clip_value = std::numeric_limits<double>::infinity();
  double clip_norm = std::numeric_limits<double>::infinity();
};

// The buffers of a step: all of the same size. Only the first `n_decayed` parameters decay; the count fills
// whole cache lines, as the kernels work on those.
template <class T>
struct AdamVectors {
  AlignedBuffer<T>* parameters;
  AlignedBuffer<T>* gradient;  // clipped by value in place
  AlignedBuffer<T>* first_moments;
  AlignedBuffer<T>* second_moments;
  std::size_t n_decayed;
};

// One step, the `n_updates`-th before it counted from 0. When the gradient is not finite, changes no
// parameter and returns false.
template <class T>
bool adam_step(const AdamOptions& options, double rate, std::uint64_t n_updates,
               const AdamVectors<T>& vectors);

extern template bool adam_step(const AdamOptions&, double, std::uint64_t, const AdamVectors<float>&);
extern template bool adam_step(const AdamOptions&, double, std::uint64_t, const AdamVectors<double>&);

}  // namespace greybox
