// Sums of states, compiled once per SIMD target and chosen at run time: over samples for scalars, where the
// step size varies along the array; over grid points for fields, where it is constant.
#include "ode/state_sums.hpp"

#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ode/state_sums.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which sets the target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Vector = hn::Vec<hn::ScalableTag<T>>;

// What is done with a vector of the sum: results from it, the sizes and what stood there before.
struct Move {
  template <class V>
  static HWY_INLINE V apply(V sum, V size, V before) {
    return hn::IfThenElse(is_moving(size), hn::MulAdd(size, sum, before), before);
  }
  template <class V>
  static HWY_INLINE auto is_moving(V size) {
    return hn::Ne(size, hn::Zero(hn::DFromV<V>()));
  }
};

struct Scale {
  template <class V>
  static HWY_INLINE V apply(V sum, V size, V) {
    return hn::IfThenElseZero(Move::is_moving(size), hn::Mul(size, sum));
  }
};

struct Add {
  template <class V>
  static HWY_INLINE V apply(V sum, V size, V before) {
    return hn::IfThenElse(Move::is_moving(size), hn::Add(before, sum), before);
  }
};

// `count` values from `first` on. Arrays may be read, not written, a vector past their end.
template <class Use, class T, class SizeAt>
HWY_INLINE void run(const WeightedSum<T>& sum, std::size_t first, std::size_t count, const SizeAt& size_at,
                    const T* from, T* to) {
  const hn::ScalableTag<T> d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const std::size_t at = first + i;
    Vector<T> total = hn::Zero(d);
    for (std::size_t j = 0; j < sum.size(); ++j)
      total = hn::MulAdd(hn::Set(d, sum.weight(j)), hn::LoadU(d, sum.term(j) + at), total);
    const Vector<T> result = Use::apply(total, size_at(i), hn::LoadU(d, from + at));
    if (HWY_LIKELY(i + hn::Lanes(d) <= count))
      hn::StoreU(result, d, to + at);
    else
      hn::BlendedStore(result, hn::FirstN(d, count - i), d, to + at);
  }
}

template <class Use, class T>
void for_all(const StateBatch& batch, const T* sizes, const WeightedSum<T>& sum, const T* from, T* to) {
  const hn::ScalableTag<T> d;
  for (std::size_t c = 0; c < batch.layout.n_components(); ++c) {
    const std::size_t offset = batch.layout.offset(c), width = batch.layout.width(c);
    if (width == 1) {
      run<Use>(
          sum, offset, batch.n_samples, [&](std::size_t i) HWY_ATTR { return hn::LoadU(d, sizes + i); }, from,
          to);
      continue;
    }
    for (std::size_t sample = 0; sample < batch.n_samples; ++sample) {
      const Vector<T> size = hn::Set(d, sizes[sample]);
      run<Use>(
          sum, offset + sample * width, width, [&](std::size_t) HWY_ATTR { return size; }, from, to);
    }
  }
}

template <class T>
constexpr StateSumKernels<T> kKernels{
    .move = for_all<Move, T>, .scale = for_all<Scale, T>, .add = for_all<Add, T>};

}  // namespace

const StateSumKernels<float>& state_sums_float() {
  return kKernels<float>;
}
const StateSumKernels<double>& state_sums_double() {
  return kKernels<double>;
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {

HWY_EXPORT(state_sums_float);
HWY_EXPORT(state_sums_double);

template <class T>
const StateSumKernels<T>& state_sum_kernels() {
  if constexpr (std::is_same_v<T, float>) {
    return HWY_DYNAMIC_DISPATCH(state_sums_float)();
  } else {
    return HWY_DYNAMIC_DISPATCH(state_sums_double)();
  }
}

template const StateSumKernels<float>& state_sum_kernels();
template const StateSumKernels<double>& state_sum_kernels();

}  // namespace greybox
#endif
