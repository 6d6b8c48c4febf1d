// Sums in double, whatever the type of their terms: so a sum over many floats is as accurate as its terms.
#if defined(GREYBOX_CORE_DOUBLE_SUM_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef GREYBOX_CORE_DOUBLE_SUM_INL_HPP
#undef GREYBOX_CORE_DOUBLE_SUM_INL_HPP
#else
#define GREYBOX_CORE_DOUBLE_SUM_INL_HPP
#endif

#include <cstddef>
#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// As many values of T as a vector has doubles.
template <class T>
using NarrowTag = hn::Rebind<T, hn::ScalableTag<double>>;

template <class T>
HWY_INLINE hn::Vec<hn::ScalableTag<double>> as_double(hn::Vec<NarrowTag<T>> values) {
  if constexpr (std::is_same_v<T, double>) {
    return values;
  } else {
    return hn::PromoteTo(hn::ScalableTag<double>(), values);
  }
}

// Zero where fewer than a vector are left.
template <class T>
HWY_INLINE hn::Vec<NarrowTag<T>> load_narrow(const T* from, std::size_t left) {
  const NarrowTag<T> d;
  return left >= hn::Lanes(d) ? hn::LoadU(d, from) : hn::MaskedLoad(hn::FirstN(d, left), d, from);
}

// Σ over `count` terms: term(i, left) gives a vector of doubles, those from i on, zero where none are left.
template <class Term>
HWY_INLINE double sum_in_double(std::size_t count, const Term& term) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  // Two sums, because one chain of additions would be bound by their latency.
  auto even = hn::Zero(d), odd = even;
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    even = hn::Add(even, term(i, count - i));
    odd = hn::Add(odd, term(i + lanes, count - i - lanes));
  }
  for (; i < count; i += lanes) even = hn::Add(even, term(i, count - i));
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#endif
