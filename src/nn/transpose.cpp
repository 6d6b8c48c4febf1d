#include "nn/transpose.hpp"

#include <array>
#include <cstring>

namespace greybox {
namespace {

template <class T>
constexpr std::size_t kSide = 16 / sizeof(T);

// The compiler's own vectors: no instruction beyond the baseline is needed.
template <class T>
struct Line {
  using Vector [[gnu::vector_size(16)]] = T;
};

template <class T>
using Square = std::array<typename Line<T>::Vector, kSide<T>>;

Square<double> turned(const Square<double>& x) {
  return {__builtin_shufflevector(x[0], x[1], 0, 2), __builtin_shufflevector(x[0], x[1], 1, 3)};
}

Square<float> turned(const Square<float>& x) {
  const auto even_low = __builtin_shufflevector(x[0], x[2], 0, 4, 1, 5);
  const auto even_high = __builtin_shufflevector(x[0], x[2], 2, 6, 3, 7);
  const auto odd_low = __builtin_shufflevector(x[1], x[3], 0, 4, 1, 5);
  const auto odd_high = __builtin_shufflevector(x[1], x[3], 2, 6, 3, 7);
  return {__builtin_shufflevector(even_low, odd_low, 0, 4, 1, 5),
          __builtin_shufflevector(even_low, odd_low, 2, 6, 3, 7),
          __builtin_shufflevector(even_high, odd_high, 0, 4, 1, 5),
          __builtin_shufflevector(even_high, odd_high, 2, 6, 3, 7)};
}

template <class T>
Square<T> load(MatrixView<const T> from) {
  Square<T> x;
  for (std::size_t r = 0; r < kSide<T>; ++r) std::memcpy(&x[r], from.data + r * from.row, sizeof(x[r]));
  return x;
}

template <class T>
void store(const Square<T>& x, MatrixView<T> to) {
  for (std::size_t r = 0; r < kSide<T>; ++r) std::memcpy(to.data + r * to.row, &x[r], sizeof(x[r]));
}

template <bool kAdds, class T>
void put_square(MatrixView<const T> from, MatrixView<T> to) {
  Square<T> x = turned(load(from));
  if constexpr (kAdds) {
    const Square<T> old = load<T>({to.data, to.row});
    for (std::size_t r = 0; r < kSide<T>; ++r) x[r] += old[r];
  }
  store(x, to);
}

template <bool kAdds, class T>
void put(T value, T& to) {
  to = kAdds ? to + value : value;
}

template <bool kAdds, class T>
void put_transposed(std::size_t rows, std::size_t columns, MatrixView<const T> from, MatrixView<T> to) {
  const auto source = [&](std::size_t r, std::size_t c) { return from.data + r * from.row + c; };
  const auto target = [&](std::size_t r, std::size_t c) { return to.data + c * to.row + r; };
  const std::size_t whole_rows = rows - rows % kSide<T>, whole_columns = columns - columns % kSide<T>;
  for (std::size_t r = 0; r < whole_rows; r += kSide<T>)
    for (std::size_t c = 0; c < whole_columns; c += kSide<T>)
      put_square<kAdds, T>({source(r, c), from.row}, {target(r, c), to.row});
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = r < whole_rows ? whole_columns : 0; c < columns; ++c)
      put<kAdds>(*source(r, c), *target(r, c));
}

}  // namespace

template <class T>
void transpose(std::size_t rows, std::size_t columns, MatrixView<const T> from, MatrixView<T> to) {
  put_transposed<false>(rows, columns, from, to);
}

template <class T>
void add_transposed(std::size_t rows, std::size_t columns, MatrixView<const T> from, MatrixView<T> to) {
  put_transposed<true>(rows, columns, from, to);
}

template void transpose(std::size_t, std::size_t, MatrixView<const float>, MatrixView<float>);
template void transpose(std::size_t, std::size_t, MatrixView<const double>, MatrixView<double>);
template void add_transposed(std::size_t, std::size_t, MatrixView<const float>, MatrixView<float>);
template void add_transposed(std::size_t, std::size_t, MatrixView<const double>, MatrixView<double>);

}  // namespace greybox
