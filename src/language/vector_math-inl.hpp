// Mathematical functions on vectors: Highway's approximations (at most 4 units in the last place) where they
// hold, the standard library lane by lane where they do not: huge arguments, infinities and NaN.
#if defined(GREYBOX_LANGUAGE_VECTOR_MATH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef GREYBOX_LANGUAGE_VECTOR_MATH_INL_HPP
#undef GREYBOX_LANGUAGE_VECTOR_MATH_INL_HPP
#else
#define GREYBOX_LANGUAGE_VECTOR_MATH_INL_HPP
#endif

#include <cmath>
#include <limits>

#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace math {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class Function, class... V>
HWY_NOINLINE hn::Vec<D> lane_by_lane(D d, Function function, V... x) {
  using T = hn::TFromD<D>;
  HWY_ALIGN T lanes[sizeof...(V)][hn::MaxLanes(D())];
  std::size_t argument = 0;
  (hn::Store(x, d, lanes[argument++]), ...);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    if constexpr (sizeof...(V) == 1) lanes[0][i] = function(lanes[0][i]);
    if constexpr (sizeof...(V) == 2) lanes[0][i] = function(lanes[0][i], lanes[1][i]);
  }
  return hn::Load(d, lanes[0]);
}

// `fast` in the lanes where it is accurate, `exact` in the others. A lane's result never depends on its
// neighbours.
template <class D, class V, class M, class Function>
V guarded(D d, V x, M is_accurate, V fast, Function exact) {
  if (HWY_LIKELY(hn::AllTrue(d, is_accurate))) return fast;
  return hn::IfThenElse(is_accurate, fast, lane_by_lane(d, exact, x));
}

// Highway's range reduction of sine and cosine holds up to here.
template <class D, class V>
auto is_moderate_angle(D d, V x) {
  return hn::Le(hn::Abs(x), hn::Set(d, hn::TFromD<D>(39000)));
}

template <class D, class V>
V sin(D d, V x) {
  return guarded(d, x, is_moderate_angle(d, x), hn::Sin(d, x), [](auto v) { return std::sin(v); });
}

template <class D, class V>
V cos(D d, V x) {
  return guarded(d, x, is_moderate_angle(d, x), hn::Cos(d, x), [](auto v) { return std::cos(v); });
}

// Below, underflow is Highway's own; above, it would wrap around.
template <class D, class V>
V exp(D d, V x) {
  const auto largest = hn::Set(d, hn::TFromD<D>(sizeof(hn::TFromD<D>) == 4 ? 88.0 : 709.0));
  return guarded(d, x, hn::Le(x, largest), hn::Exp(d, x), [](auto v) { return std::exp(v); });
}

template <class D, class V>
V log(D d, V x) {
  const auto largest = hn::Set(d, std::numeric_limits<hn::TFromD<D>>::max());
  const auto is_accurate = hn::And(hn::Gt(x, hn::Zero(d)), hn::Le(x, largest));
  return guarded(d, x, is_accurate, hn::Log(d, x), [](auto v) { return std::log(v); });
}

template <class D, class V>
V log1p(D d, V x) {
  using T = hn::TFromD<D>;
  const auto largest = hn::Set(d, std::numeric_limits<T>::max());
  const auto is_accurate = hn::And(hn::Gt(x, hn::Set(d, T(-1))), hn::Le(x, largest));
  return guarded(d, x, is_accurate, hn::Log1p(d, x), [](auto v) { return std::log1p(v); });
}

// 1 / (1 + e^-x), from e^-|x| so that nothing overflows.
template <class D, class V>
V sigmoid(D d, V x) {
  const auto one = hn::Set(d, hn::TFromD<D>(1));
  const V small = exp(d, hn::Neg(hn::Abs(x)));
  return hn::Div(hn::IfThenElse(hn::Ge(x, hn::Zero(d)), one, small), hn::Add(one, small));
}

// log(1 + e^x) = max(x, 0) + log(1 + e^-|x|)
template <class D, class V>
V softplus(D d, V x) {
  return hn::Add(hn::Max(x, hn::Zero(d)), log1p(d, exp(d, hn::Neg(hn::Abs(x)))));
}

}  // namespace math
}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#endif
