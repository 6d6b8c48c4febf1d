// A tile of sums held in registers: the piece that every matrix product is made of.
#if defined(GREYBOX_NN_GEMM_TILE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef GREYBOX_NN_GEMM_TILE_INL_HPP
#undef GREYBOX_NN_GEMM_TILE_INL_HPP
#else
#define GREYBOX_NN_GEMM_TILE_INL_HPP
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "nn/gemm.hpp"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Tallest tile of one or two vectors: its sums (rows × vectors), the vectors of B and one of A must fit in
// the registers.
template <std::size_t kVectors>
#if HWY_IS_ASAN || defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kMaxRows = 3;  // tall tiles take minutes to compile when every access is checked
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
constexpr std::size_t kMaxRows = kVectors == 1 ? 18 : 14;
#else
constexpr std::size_t kMaxRows = kVectors == 1 ? 12 : 6;
#endif

template <class T>
using Vector = hn::Vec<hn::ScalableTag<T>>;

template <std::size_t kRows, std::size_t kVectors, class T>
using Tile = Vector<T>[kRows][kVectors];

// Along which index neighbours of A are neighbours in memory: a stride that is known makes shorter addresses.
enum class Along { inner, rows };

// Where one tile of a product reads and writes.
template <class T>
struct Place {
  const T *a, *b, *init, *mask;
  T* c;
};

template <std::size_t kRows, std::size_t kVectors, class T>
HWY_INLINE void clear(Tile<kRows, kVectors, T>& tile) {
  HWY_UNROLL(18)
  for (std::size_t r = 0; r < kRows; ++r) {
    HWY_UNROLL(2)
    for (std::size_t v = 0; v < kVectors; ++v) tile[r][v] = hn::Zero(hn::ScalableTag<T>());
  }
}

template <std::size_t kRows, std::size_t kVectors, class T>
HWY_INLINE void load(const T* from, std::ptrdiff_t row, Tile<kRows, kVectors, T>& tile) {
  const hn::ScalableTag<T> d;
  HWY_UNROLL(18)
  for (std::size_t r = 0; r < kRows; ++r) {
    HWY_UNROLL(2)
    for (std::size_t v = 0; v < kVectors; ++v) tile[r][v] = hn::LoadU(d, from + r * row + v * hn::Lanes(d));
  }
}

template <std::size_t kRows, std::size_t kVectors, Along kAlong, class T>
HWY_INLINE void accumulate(const Product<T>& p, const T* a, const T* b, Tile<kRows, kVectors, T>& tile) {
  // A pointer for every few rows: with one alone, the distances of all rows would not fit in the registers.
  constexpr std::size_t kShared = kAlong == Along::rows ? kRows : 4;
  constexpr std::size_t kPointers = (kRows + kShared - 1) / kShared;
  const hn::ScalableTag<T> d;
  const std::ptrdiff_t a_row = kAlong == Along::rows ? 1 : p.a_row;
  const std::ptrdiff_t a_inner = kAlong == Along::inner ? 1 : p.a_inner;
  const std::ptrdiff_t b_inner = p.b_inner;
  const T* rows[kPointers];
  HWY_UNROLL(5)
  for (std::size_t i = 0; i < kPointers; ++i) rows[i] = a + i * kShared * a_row;
  HWY_UNROLL(4)
  for (std::size_t k = p.n_inner; k > 0; --k) {
    Vector<T> column[kVectors];
    HWY_UNROLL(2)
    for (std::size_t v = 0; v < kVectors; ++v) column[v] = hn::LoadU(d, b + v * hn::Lanes(d));
    HWY_UNROLL(18)
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto x = hn::Set(d, rows[r / kShared][r % kShared * a_row]);
      HWY_UNROLL(2)
      for (std::size_t v = 0; v < kVectors; ++v) tile[r][v] = hn::MulAdd(x, column[v], tile[r][v]);
    }
    HWY_UNROLL(5)
    for (std::size_t i = 0; i < kPointers; ++i) rows[i] += a_inner;
    b += b_inner;
  }
}

// Values pass where `mask`, or without a mask the value itself, is above zero; elsewhere they are scaled.
template <std::size_t kRows, std::size_t kVectors, class T>
HWY_INLINE void leak(T slope, const T* mask, std::ptrdiff_t mask_row, Tile<kRows, kVectors, T>& tile) {
  const hn::ScalableTag<T> d;
  const auto factor = hn::Set(d, slope);
  HWY_UNROLL(18)
  for (std::size_t r = 0; r < kRows; ++r) {
    HWY_UNROLL(2)
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto x = tile[r][v];
      const auto sign = mask ? hn::LoadU(d, mask + r * mask_row + v * hn::Lanes(d)) : x;
      // A comparison, not a maximum: NaN and infinity come through.
      tile[r][v] = hn::IfThenElse(hn::Gt(sign, hn::Zero(d)), x, hn::Mul(x, factor));
    }
  }
}

template <std::size_t kRows, std::size_t kVectors, class T>
HWY_INLINE void store(const Tile<kRows, kVectors, T>& tile, T* to, std::ptrdiff_t row) {
  const hn::ScalableTag<T> d;
  HWY_UNROLL(18)
  for (std::size_t r = 0; r < kRows; ++r) {
    HWY_UNROLL(2)
    for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(tile[r][v], d, to + r * row + v * hn::Lanes(d));
  }
}

// Two vectors reuse each value of A twice; one wastes fewer lanes when the columns fill an odd, small number.
template <class T>
std::size_t vectors_per_panel(std::size_t columns) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  const std::size_t n_vectors = (columns + lanes - 1) / lanes;
  return n_vectors % 2 == 1 && n_vectors < 5 ? 1 : 2;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#endif
