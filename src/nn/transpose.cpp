#include "nn/transpose.hpp"

#include "nn/square.hpp"

namespace greybox {
namespace {

template <bool kAdds, class T>
void put_square(MatrixView<const T> from, MatrixView<T> to) {
  Square<T> x = turned(load_square<T>([&](std::size_t r) { return from.data + r * from.row; }));
  if constexpr (kAdds) {
    const Square<T> old = load_square<T>([&](std::size_t r) { return to.data + r * to.row; });
    for (std::size_t r = 0; r < kSide<T>; ++r) x[r] += old[r];
  }
  store_square<T>(x, to.data, to.row);
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
