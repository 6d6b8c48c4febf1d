// A dense matrix in the form in which the matrix kernel takes its right operand and leaves its result.
#pragma once

#include "core/aligned_buffer.hpp"
#include "nn/gemm.hpp"

namespace greybox {

// Any strides: element (i, j) lies at i · row + j · column.
template <class T>
struct Strided {
  const T* data;
  std::size_t rows, columns;
  std::size_t row, column;
};

template <class T>
Strided<T> by_rows(const T* data, std::size_t rows, std::size_t columns) {
  return {data, rows, columns, columns, 1};
}

template <class T>
Strided<T> transposed(const Strided<T>& matrix) {
  return {matrix.data, matrix.columns, matrix.rows, matrix.column, matrix.row};
}

// Memory is asked for when a larger matrix comes than any before.
template <class T>
class Panels {
 public:
  void pack(const Strided<T>& from);
  // this ← a · b
  void multiply(const Strided<T>& a, const Panels& b);
  // to ← keep · to + factor · this, row by row.
  void unpack(T keep, T factor, T* to) const;

 private:
  void resize(std::size_t rows, std::size_t columns);

  std::size_t rows_ = 0, columns_ = 0, width_ = 1;
  AlignedBuffer<T> data_;
};

extern template class Panels<float>;
extern template class Panels<double>;

}  // namespace greybox
