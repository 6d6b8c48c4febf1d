#include "train/orthonormal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace greybox {
namespace {

constexpr std::size_t kBlock = 32;
// What is left of a vector after the second pass is all of it, unless nothing but rounding was left after the
// first.
template <class T>
constexpr T kEnoughLeft = T(0.5);
template <class T>
constexpr T kNothingLeft = T(1e-20);
template <class T>
constexpr T kSomethingLeft = T(1e-3);

// As sums side by side, so that no addition has to wait for the one before it.
template <class T>
T dot(const T* a, const T* b, std::size_t n) {
  constexpr std::size_t kLanes = 16;
  std::array<T, kLanes> lanes{};
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::size_t k = 0; k < kLanes; ++k) lanes[k] += a[i + k] * b[i + k];
  for (; i < n; ++i) lanes[i % kLanes] += a[i] * b[i];
  return std::accumulate(lanes.begin(), lanes.end(), T{0});
}

// Takes out of a vector what it has in common with some others, and returns the length of what is left, to
// which it is scaled.
template <class T>
T leave_out_of(T* own, const T* others, std::size_t n_others, std::size_t n) {
  for (const T* other = others; other != others + n_others * n; other += n) {
    const T share = dot(own, other, n);
    for (std::size_t i = 0; i < n; ++i) own[i] -= share * other[i];
  }
  const T length = std::sqrt(dot(own, own, n));
  if (length > kNothingLeft<T>)
    for (std::size_t i = 0; i < n; ++i) own[i] /= length;
  return length;
}

// Some vector apart from the first `v`, in the place of the next, which has nothing of its own: of the axes,
// one of which has at least the root of 1 / n.
template <class T>
void make_up(T* vectors, std::size_t v, std::size_t n) {
  T* own = vectors + v * n;
  for (std::size_t axis = v; axis < v + n; ++axis) {
    std::fill_n(own, n, T{0});
    own[axis % n] = 1;
    const T left = leave_out_of(own, vectors, v, n);
    if (leave_out_of(own, vectors, v, n) >= kEnoughLeft<T> && left > kSomethingLeft<T>) return;
  }
}

}  // namespace

template <class T>
void Orthonormalizer<T>::leave_out(T* vectors, std::size_t n_before, std::size_t n_block, std::size_t n) {
  if (n_before == 0) return;
  T* block = vectors + n_before * n;
  shares_.ensure(n_block * n_before);
  operand_.pack(transposed(by_rows<T>(vectors, n_before, n)));
  result_.multiply(by_rows<T>(block, n_block, n), operand_);
  result_.unpack(0, 1, shares_.data());
  operand_.pack(by_rows<T>(vectors, n_before, n));
  result_.multiply(by_rows<T>(shares_.data(), n_block, n_before), operand_);
  result_.unpack(1, -1, block);
}

template <class T>
void Orthonormalizer<T>::run(T* vectors, std::size_t n) {
  // Squares of what is very small would vanish.
  for (T* own = vectors; own != vectors + n * n; own += n) {
    T largest = 0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(own[i]));
    if (largest > 0)
      for (std::size_t i = 0; i < n; ++i) own[i] /= largest;
  }
  for (std::size_t first = 0; first < n; first += kBlock) {
    const std::size_t n_block = std::min(kBlock, n - first);
    T* block = vectors + first * n;
    leave_out(vectors, first, n_block, n);
    for (std::size_t v = 0; v < n_block; ++v) leave_out_of(block + v * n, block, v, n);
    leave_out(vectors, first, n_block, n);
    for (std::size_t v = 0; v < n_block; ++v)
      if (leave_out_of(block + v * n, block, v, n) < kEnoughLeft<T>) make_up(vectors, first + v, n);
  }
}

template class Orthonormalizer<float>;
template class Orthonormalizer<double>;

}  // namespace greybox
