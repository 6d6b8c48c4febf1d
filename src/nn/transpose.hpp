// Transposition of small matrices.
#pragma once

#include <cstddef>

namespace greybox {

// A row-major matrix inside a larger one.
template <class T>
struct MatrixView {
  T* data;
  std::size_t row;  // from one row to the next
};

// to[c][r] = from[r][c] for r < rows and c < columns.
template <class T>
void transpose(std::size_t rows, std::size_t columns, MatrixView<const T> from, MatrixView<T> to);

// to[c][r] += from[r][c].
template <class T>
void add_transposed(std::size_t rows, std::size_t columns, MatrixView<const T> from, MatrixView<T> to);

extern template void transpose(std::size_t, std::size_t, MatrixView<const float>, MatrixView<float>);
extern template void transpose(std::size_t, std::size_t, MatrixView<const double>, MatrixView<double>);
extern template void add_transposed(std::size_t, std::size_t, MatrixView<const float>, MatrixView<float>);
extern template void add_transposed(std::size_t, std::size_t, MatrixView<const double>, MatrixView<double>);

}  // namespace greybox
