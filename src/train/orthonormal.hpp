// Orthonormal vectors from any: Gram and Schmidt's method, done twice, block by block so that most of it are
// matrix products. Vectors that depend on those before them become some that do not.
#pragma once

#include <cstddef>

#include "core/aligned_buffer.hpp"
#include "train/panels.hpp"

namespace greybox {

template <class T>
class Orthonormalizer {
 public:
  // In place: `n` vectors of `n` numbers, one after the other. Memory is asked for when there are more than
  // ever before.
  void run(T* vectors, std::size_t n);

 private:
  // Takes out of the vectors of a block what they have in common with those before.
  void leave_out(T* vectors, std::size_t n_before, std::size_t n_block, std::size_t n);

  Panels<T> operand_, result_;
  AlignedBuffer<T> shares_;
};

extern template class Orthonormalizer<float>;
extern template class Orthonormalizer<double>;

}  // namespace greybox
