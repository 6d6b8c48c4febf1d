#include "model/sum_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/sum_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which sets the target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greybox::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

HWY_INLINE V load(const double* from) {
  return hn::LoadU(D(), from);
}
HWY_INLINE V load(const float* from) {
  return hn::PromoteTo(D(), hn::LoadU(hn::Rebind<float, D>(), from));
}

// Differences are rounded in the model's own type.
HWY_INLINE V difference(const double* a, const double* b) {
  return hn::Sub(load(a), load(b));
}
HWY_INLINE V difference(const float* a, const float* b) {
  const hn::Rebind<float, D> d;
  return hn::PromoteTo(D(), hn::Sub(hn::LoadU(d, a), hn::LoadU(d, b)));
}

// sums[i] += f(i), a vector at a time.
template <class F>
HWY_INLINE void add(std::size_t n, double* sums, const F& f) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d))
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), f(i)), d, sums + i);
}

template <class T>
void weighted(std::size_t n, const T* weight, const T* value, double* sums) {
  add(n, sums, [&](std::size_t i) {
    const V w = load(weight + i);
    return hn::IfThenZeroElse(hn::Eq(w, hn::Zero(D())), hn::Mul(w, load(value + i)));
  });
}

template <class T>
void squared_differences(std::size_t n, const T* a, const T* b, double* sums) {
  add(n, sums, [&](std::size_t i) {
    const V residual = difference(a + i, b + i);
    return hn::Mul(residual, residual);
  });
}

template <class T>
double sum_squared_differences(std::size_t n, const T* a, const T* b) {
  const D d;
  // Two sums, because one chain of additions would be bound by their latency.
  V even = hn::Zero(d), odd = even;
  std::size_t i = 0;
  for (; i + 2 * hn::Lanes(d) <= n; i += 2 * hn::Lanes(d)) {
    const V first = difference(a + i, b + i), second = difference(a + i + hn::Lanes(d), b + i + hn::Lanes(d));
    even = hn::MulAdd(first, first, even);
    odd = hn::MulAdd(second, second, odd);
  }
  double rest = 0;
  for (; i < n; ++i) {
    const auto residual = static_cast<double>(a[i] - b[i]);
    rest += residual * residual;
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd))) + rest;
}

// What is exported cannot be overloaded.
void weighted_float(std::size_t n, const float* weight, const float* value, double* sums) {
  weighted(n, weight, value, sums);
}
void weighted_double(std::size_t n, const double* weight, const double* value, double* sums) {
  weighted(n, weight, value, sums);
}
void squared_differences_float(std::size_t n, const float* a, const float* b, double* sums) {
  squared_differences(n, a, b, sums);
}
void squared_differences_double(std::size_t n, const double* a, const double* b, double* sums) {
  squared_differences(n, a, b, sums);
}

double sum_squared_differences_float(std::size_t n, const float* a, const float* b) {
  return sum_squared_differences(n, a, b);
}
double sum_squared_differences_double(std::size_t n, const double* a, const double* b) {
  return sum_squared_differences(n, a, b);
}

}  // namespace
}  // namespace greybox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {

HWY_EXPORT(weighted_float);
HWY_EXPORT(weighted_double);
HWY_EXPORT(squared_differences_float);
HWY_EXPORT(squared_differences_double);
HWY_EXPORT(sum_squared_differences_float);
HWY_EXPORT(sum_squared_differences_double);

void add_weighted(std::size_t n, const float* weight, const float* value, double* sums) {
  HWY_DYNAMIC_DISPATCH(weighted_float)(n, weight, value, sums);
}
void add_weighted(std::size_t n, const double* weight, const double* value, double* sums) {
  HWY_DYNAMIC_DISPATCH(weighted_double)(n, weight, value, sums);
}
void add_squared_differences(std::size_t n, const float* a, const float* b, double* sums) {
  HWY_DYNAMIC_DISPATCH(squared_differences_float)(n, a, b, sums);
}
void add_squared_differences(std::size_t n, const double* a, const double* b, double* sums) {
  HWY_DYNAMIC_DISPATCH(squared_differences_double)(n, a, b, sums);
}
double sum_of_squared_differences(std::size_t n, const float* a, const float* b) {
  return HWY_DYNAMIC_DISPATCH(sum_squared_differences_float)(n, a, b);
}
double sum_of_squared_differences(std::size_t n, const double* a, const double* b) {
  return HWY_DYNAMIC_DISPATCH(sum_squared_differences_double)(n, a, b);
}

}  // namespace greybox
#endif
