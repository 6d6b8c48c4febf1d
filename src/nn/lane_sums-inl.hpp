// Sums of the lanes of several vectors at once, which takes half the instructions of one after another.
#if defined(GREYBOX_NN_LANE_SUMS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef GREYBOX_NN_LANE_SUMS_INL_HPP
#undef GREYBOX_NN_LANE_SUMS_INL_HPP
#else
#define GREYBOX_NN_LANE_SUMS_INL_HPP
#endif

#include <cstddef>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Vector = hn::Vec<hn::ScalableTag<T>>;

#if HWY_TARGET != HWY_SCALAR

// Sums of lanes of a and b, in turn: half as many lanes are left to be added.
template <class V>
HWY_INLINE V add_in_turn(V a, V b) {
  const hn::DFromV<V> d;
  return hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
}

// Adds up the blocks of 128 bits, within which lanes are interleaved.
template <class D>
HWY_INLINE auto add_blocks(D d, hn::Vec<D> v) {
  if constexpr (hn::MaxLanes(d) * sizeof(hn::TFromD<D>) == 16) {
    return v;
  } else {
    const hn::Half<D> half;
    return add_blocks(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
}

// The sums of the lanes of as many vectors as a block has lanes, side by side in every block, where they are
// still to be added up over the blocks.
template <class T>
HWY_INLINE Vector<T> sum_in_blocks(const Vector<T>* v) {
  if constexpr (sizeof(T) == 4) {
    return add_in_turn(add_in_turn(v[0], v[2]), add_in_turn(v[1], v[3]));
  } else {
    return add_in_turn(v[0], v[1]);
  }
}

// Adds up the blocks of as many vectors as a vector has blocks; the result's block i comes from vector i.
template <class T>
HWY_INLINE Vector<T> gather_blocks(const Vector<T>* v) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kBlocks = hn::MaxLanes(hn::ScalableTag<T>()) * sizeof(T) / 16;
  if constexpr (kBlocks == 1) {
    return v[0];
  } else if constexpr (kBlocks == 2) {
    return hn::Add(hn::ConcatLowerLower(d, v[1], v[0]), hn::ConcatUpperUpper(d, v[1], v[0]));
  } else {
    const auto even = hn::Add(hn::ConcatLowerLower(d, v[2], v[0]), hn::ConcatUpperUpper(d, v[2], v[0]));
    const auto odd = hn::Add(hn::ConcatLowerLower(d, v[3], v[1]), hn::ConcatUpperUpper(d, v[3], v[1]));
    return hn::Add(hn::OddEvenBlocks(odd, even), hn::SwapAdjacentBlocks(hn::OddEvenBlocks(even, odd)));
  }
}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#endif
