// How parameters move along a gradient: the part of a training step that is exchanged as a whole.
#pragma once

#include <cstdint>

#include "core/aligned_buffer.hpp"

namespace greybox {

// The buffers of an update: all of the same size. Only the first `n_decayed` parameters decay; the count
// fills whole cache lines, as the kernels work on those.
template <class T>
struct UpdateVectors {
  AlignedBuffer<T>* parameters;
  // Clipped by value in place.
  AlignedBuffer<T>* gradient;
  AlignedBuffer<T>* first_moments;
  AlignedBuffer<T>* second_moments;
  std::size_t n_decayed;
  // Whatever else the rule keeps.
  AlignedBuffer<T>* curvature = nullptr;
};

template <class T>
class UpdateRule {
 public:
  virtual ~UpdateRule() = default;

  // One update of all parameters, `n_updates` after the moments were 0; allocates nothing. When the gradient
  // is not finite, changes no parameter and returns false.
  virtual bool update(double rate, std::uint64_t n_updates, const UpdateVectors<T>& vectors) = 0;
  // Numbers that the rule keeps beside the moments.
  virtual std::size_t n_curvature() const { return 0; }
};

}  // namespace greybox
