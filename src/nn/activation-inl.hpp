// The activation functions, each with its value and its derivative, on vectors of the current SIMD target.
#if defined(GREYBOX_NN_ACTIVATION_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef GREYBOX_NN_ACTIVATION_INL_HPP
#undef GREYBOX_NN_ACTIVATION_INL_HPP
#else
#define GREYBOX_NN_ACTIVATION_INL_HPP
#endif

#include <cmath>
#include <cstddef>
#include <numbers>
#include <type_traits>

#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::Vec<D> constant(D d, double value) {
  return hn::Set(d, static_cast<hn::TFromD<D>>(value));
}

// Highway's exp, and minimum and maximum on x86, lose a NaN.
template <class V>
HWY_INLINE V or_nan(V x, V y) {
  return hn::IfThenElse(hn::IsNaN(x), x, y);
}

// x·P(x²)/Q(x²) on [-4, 4]; beyond, erf is ±1 to float rounding.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V erf(D d, float, V x) {
  static constexpr float kP[] = {-1.60960333262415e-02f, -2.95459980854025e-03f, -7.34990630326855e-04f,
                                 -5.69250639462346e-05f, -2.10102402082508e-06f, 2.77068142495902e-08f,
                                 -2.72614225801306e-10f};
  static constexpr float kQ[] = {-1.42647390514189e-02f, -7.37332916720468e-03f, -1.68282697438203e-03f,
                                 -2.13374055278905e-04f, -1.45660718464996e-05f};
  const auto bounded = hn::Max(hn::Min(x, hn::Set(d, 4.0f)), hn::Set(d, -4.0f));
  const auto square = hn::Mul(bounded, bounded);
  auto p = hn::Set(d, kP[6]);
  for (int i = 5; i >= 0; --i) p = hn::MulAdd(p, square, hn::Set(d, kP[i]));
  auto q = hn::Set(d, kQ[4]);
  for (int i = 3; i >= 0; --i) q = hn::MulAdd(q, square, hn::Set(d, kQ[i]));
  return or_nan(x, hn::Div(hn::Mul(bounded, p), q));
}

// Double is for checking: the library's function, lane by lane.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V erf(D d, double, V x) {
  HWY_ALIGN double lanes[hn::MaxLanes(D())];
  hn::Store(x, d, lanes);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) lanes[i] = std::erf(lanes[i]);
  return hn::Load(d, lanes);
}

// σ(x) = x > 0 ? x : slope·x, σ' from the value, which has the sign of x
template <bool kLeaky>
struct Rectifier {
  static constexpr double kSlope = kLeaky ? 0.01 : 0.0;
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V value(D d, V x) {
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(x, constant(d, kSlope)));
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V derivative(D d, V y) {
    return hn::IfThenElse(hn::Gt(y, hn::Zero(d)), constant(d, 1), constant(d, kSlope));
  }
};

// σ' = 1 - σ²
struct Tanh {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V value(D d, V x) {
    return or_nan(x, hn::Tanh(d, x));
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V derivative(D d, V y) {
    return hn::NegMulAdd(y, y, constant(d, 1));
  }
};

// σ(x) = 1 / (1 + exp(-x)) without overflow, σ' = σ (1 - σ)
struct Sigmoid {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V value(D d, V x) {
    const V e = hn::Exp(d, hn::Neg(hn::Abs(x)));
    const V numerator = hn::IfThenElse(hn::Gt(x, hn::Zero(d)), constant(d, 1), e);
    return or_nan(x, hn::Div(numerator, hn::Add(constant(d, 1), e)));
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V derivative(D, V y) {
    return hn::NegMulAdd(y, y, y);
  }
};

// σ(x) = x s, σ' = s (1 + x (1 - s)), s = sigmoid(x)
struct Silu {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V value(D d, V x) {
    return hn::Mul(x, Sigmoid::value(d, x));
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V derivative(D d, V x) {
    const V s = Sigmoid::value(d, x);
    return hn::Mul(s, hn::MulAdd(x, hn::Sub(constant(d, 1), s), constant(d, 1)));
  }
};

// σ(x) = log(1 + exp(x)) = max(x, 0) + log1p(exp(-|x|)), σ' = sigmoid(x)
struct Softplus {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V value(D d, V x) {
    const V rest = hn::Log1p(d, hn::Exp(d, hn::Neg(hn::Abs(x))));
    return or_nan(x, hn::Add(hn::Max(x, hn::Zero(d)), rest));
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V derivative(D d, V x) {
    return Sigmoid::value(d, x);
  }
};

// σ(x) = x Φ(x), σ' = Φ(x) + x φ(x), with the normal distribution Φ(x) = (1 + erf(x/√2)) / 2 and its density
// φ
struct Gelu {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V normal(D d, V x) {
    const V half = constant(d, 0.5);
    return hn::MulAdd(half, erf(d, hn::TFromD<D>{}, hn::Mul(x, constant(d, std::numbers::sqrt2 / 2))), half);
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V value(D d, V x) {
    return hn::Mul(x, normal(d, x));
  }
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V derivative(D d, V x) {
    const V exponential = hn::Exp(d, hn::Mul(hn::Mul(x, x), constant(d, -0.5)));
    const V density = hn::Mul(exponential, constant(d, std::numbers::inv_sqrtpi * std::numbers::sqrt2 / 2));
    return hn::MulAdd(x, density, normal(d, x));
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#endif
