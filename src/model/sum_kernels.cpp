#include "model/sum_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/sum_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which sets the target.
#include <hwy/highway.h>

#include "core/double_sum-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace greybox::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

template <class T>
HWY_INLINE V load(const T* from) {
  return as_double<T>(hn::LoadU(NarrowTag<T>(), from));
}

// Differences are rounded in the model's own type.
template <class T>
HWY_INLINE V difference(const T* a, const T* b) {
  const NarrowTag<T> d;
  return as_double<T>(hn::Sub(hn::LoadU(d, a), hn::LoadU(d, b)));
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
void squared_differences(std::size_t n, const T* a, const T* b, double weight, double* sums) {
  const V w = hn::Set(D(), weight);
  add(n, sums, [&](std::size_t i) {
    const V residual = difference(a + i, b + i);
    return hn::Mul(hn::Mul(w, residual), residual);
  });
}

template <class T>
double sum_squared_differences(std::size_t n, const T* a, const T* b) {
  return sum_in_double(n, [&](std::size_t i, std::size_t left) HWY_ATTR {
    const V residual = as_double<T>(hn::Sub(load_narrow(a + i, left), load_narrow(b + i, left)));
    return hn::Mul(residual, residual);
  });
}

// What is exported cannot be overloaded.
void weighted_float(std::size_t n, const float* weight, const float* value, double* sums) {
  weighted(n, weight, value, sums);
}
void weighted_double(std::size_t n, const double* weight, const double* value, double* sums) {
  weighted(n, weight, value, sums);
}
void squared_differences_float(std::size_t n, const float* a, const float* b, double weight, double* sums) {
  squared_differences(n, a, b, weight, sums);
}
void squared_differences_double(std::size_t n, const double* a, const double* b, double weight,
                                double* sums) {
  squared_differences(n, a, b, weight, sums);
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
void add_squared_differences(std::size_t n, const float* a, const float* b, double weight, double* sums) {
  HWY_DYNAMIC_DISPATCH(squared_differences_float)(n, a, b, weight, sums);
}
void add_squared_differences(std::size_t n, const double* a, const double* b, double weight, double* sums) {
  HWY_DYNAMIC_DISPATCH(squared_differences_double)(n, a, b, weight, sums);
}
double sum_of_squared_differences(std::size_t n, const float* a, const float* b) {
  return HWY_DYNAMIC_DISPATCH(sum_squared_differences_float)(n, a, b);
}
double sum_of_squared_differences(std::size_t n, const double* a, const double* b) {
  return HWY_DYNAMIC_DISPATCH(sum_squared_differences_double)(n, a, b);
}

}  // namespace greybox
#endif
