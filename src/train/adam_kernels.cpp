#include "train/adam_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "train/adam_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greybox::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Chosen by comparison: the minimum and maximum of some processors swallow NaN, and a diverged run would look
// healthy.
template <class T>
T clip(T* HWY_RESTRICT gradient, std::size_t n, T limit) {
  const hn::ScalableTag<T> d;
  const auto high = hn::Set(d, limit), low = hn::Set(d, -limit);
  auto sum = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    auto g = hn::Load(d, gradient + i);
    g = hn::IfThenElse(hn::Gt(g, high), high, g);
    g = hn::IfThenElse(hn::Lt(g, low), low, g);
    hn::Store(g, d, gradient + i);
    sum = hn::MulAdd(g, g, sum);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

template <class T>
void update(const AdamPass<T>& pass, const AdamFactors<T>& factors) {
  const hn::ScalableTag<T> d;
  const auto beta1 = hn::Set(d, static_cast<T>(kBeta1)), rest1 = hn::Set(d, static_cast<T>(1 - kBeta1));
  const auto beta2 = hn::Set(d, static_cast<T>(factors.beta2)),
             rest2 = hn::Set(d, static_cast<T>(1 - factors.beta2));
  const auto epsilon = hn::Set(d, static_cast<T>(kAdamEpsilon));
  const auto scale = hn::Set(d, factors.gradient_scale), keep = hn::Set(d, factors.keep);
  const auto step = hn::Set(d, factors.step), second_root = hn::Set(d, factors.second_root);
  for (std::size_t i = 0; i < pass.n; i += hn::Lanes(d)) {
    const auto g = hn::Mul(scale, hn::Load(d, pass.gradient + i));
    const auto m = hn::MulAdd(beta1, hn::Load(d, pass.first_moments + i), hn::Mul(rest1, g));
    const auto v = hn::MulAdd(beta2, hn::Load(d, pass.second_moments + i), hn::Mul(rest2, hn::Mul(g, g)));
    const auto denominator = hn::MulAdd(hn::Sqrt(v), second_root, epsilon);
    const auto p = hn::Mul(keep, hn::Load(d, pass.parameters + i));
    hn::Store(m, d, pass.first_moments + i);
    hn::Store(v, d, pass.second_moments + i);
    hn::Store(hn::NegMulAdd(step, hn::Div(m, denominator), p), d, pass.parameters + i);
  }
}

// What is exported cannot be overloaded.
float clip_float(float* g, std::size_t n, float limit) {
  return clip(g, n, limit);
}
double clip_double(double* g, std::size_t n, double limit) {
  return clip(g, n, limit);
}
void update_float(const AdamPass<float>& pass, const AdamFactors<float>& factors) {
  update(pass, factors);
}
void update_double(const AdamPass<double>& pass, const AdamFactors<double>& factors) {
  update(pass, factors);
}

}  // namespace
}  // namespace greybox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {

HWY_EXPORT(clip_float);
HWY_EXPORT(clip_double);
HWY_EXPORT(update_float);
HWY_EXPORT(update_double);

float clip_by_value(float* gradient, std::size_t n, float limit) {
  return HWY_DYNAMIC_DISPATCH(clip_float)(gradient, n, limit);
}
double clip_by_value(double* gradient, std::size_t n, double limit) {
  return HWY_DYNAMIC_DISPATCH(clip_double)(gradient, n, limit);
}
void update_parameters(const AdamPass<float>& pass, const AdamFactors<float>& factors) {
  HWY_DYNAMIC_DISPATCH(update_float)(pass, factors);
}
void update_parameters(const AdamPass<double>& pass, const AdamFactors<double>& factors) {
  HWY_DYNAMIC_DISPATCH(update_double)(pass, factors);
}

}  // namespace greybox
#endif
