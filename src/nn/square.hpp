// Square pieces of matrices in vectors of 128 bits, which every processor has: what transposition is made of.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

namespace greybox {

template <class T>
inline constexpr std::size_t kSide = 16 / sizeof(T);

// The compiler's own vectors: they need no choice of instructions at run time.
template <class T>
struct Line {
  using Vector [[gnu::vector_size(16)]] = T;
};

template <class T>
using Square = std::array<typename Line<T>::Vector, kSide<T>>;

inline Square<double> turned(const Square<double>& x) {
  return {__builtin_shufflevector(x[0], x[1], 0, 2), __builtin_shufflevector(x[0], x[1], 1, 3)};
}

inline Square<float> turned(const Square<float>& x) {
  const auto even_low = __builtin_shufflevector(x[0], x[2], 0, 4, 1, 5);
  const auto even_high = __builtin_shufflevector(x[0], x[2], 2, 6, 3, 7);
  const auto odd_low = __builtin_shufflevector(x[1], x[3], 0, 4, 1, 5);
  const auto odd_high = __builtin_shufflevector(x[1], x[3], 2, 6, 3, 7);
  return {__builtin_shufflevector(even_low, odd_low, 0, 4, 1, 5),
          __builtin_shufflevector(even_low, odd_low, 2, 6, 3, 7),
          __builtin_shufflevector(even_high, odd_high, 0, 4, 1, 5),
          __builtin_shufflevector(even_high, odd_high, 2, 6, 3, 7)};
}

// Line r begins at line(r).
template <class T, class F>
Square<T> load_square(F&& line) {
  Square<T> x;
  for (std::size_t r = 0; r < kSide<T>; ++r) std::memcpy(&x[r], line(r), sizeof(x[r]));
  return x;
}

template <class T>
void store_square(const Square<T>& x, T* to, std::size_t row) {
  for (std::size_t r = 0; r < kSide<T>; ++r) std::memcpy(to + r * row, &x[r], sizeof(x[r]));
}

}  // namespace greybox
