// The elementwise functions of one and two numbers: value y and partial derivatives ∂, each written once.
#if defined(GREYBOX_LANGUAGE_FUNCTION_MATH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef GREYBOX_LANGUAGE_FUNCTION_MATH_INL_HPP
#undef GREYBOX_LANGUAGE_FUNCTION_MATH_INL_HPP
#else
#define GREYBOX_LANGUAGE_FUNCTION_MATH_INL_HPP
#endif

#include "language/operation_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {

// sin x;  ∂ = cos x
struct Sin : Elementwise<Operation::sin, 1> {
  template <class D, class V>
  static V value(D d, V x) {
    return math::sin(d, x);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V x) {
    return math::cos(d, x);
  }
};

// cos x;  ∂ = -sin x
struct Cos : Elementwise<Operation::cos, 1> {
  template <class D, class V>
  static V value(D d, V x) {
    return math::cos(d, x);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V x) {
    return hn::Neg(math::sin(d, x));
  }
};

// tan x;  ∂ = 1 + y²
struct Tan : Elementwise<Operation::tan, 1> {
  template <class D, class V>
  static V value(D d, V x) {
    return math::lane_by_lane(
        d, [](auto v) { return std::tan(v); }, x);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V y, V) {
    return hn::MulAdd(y, y, number(d, 1));
  }
};

// asin x;  ∂ = 1 / √((1 - x)(1 + x))
struct Asin : Elementwise<Operation::asin, 1> {
  template <class D, class V>
  static V value(D d, V x) {
    return math::lane_by_lane(
        d, [](auto v) { return std::asin(v); }, x);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V x) {
    const V one = number(d, 1);
    return hn::Div(one, hn::Sqrt(hn::Mul(hn::Sub(one, x), hn::Add(one, x))));
  }
};

// acos x;  ∂ = -1 / √((1 - x)(1 + x))
struct Acos : Elementwise<Operation::acos, 1> {
  template <class D, class V>
  static V value(D d, V x) {
    return math::lane_by_lane(
        d, [](auto v) { return std::acos(v); }, x);
  }
  template <class D, class V>
  static V partial(By<0> by, D d, V y, V x) {
    return hn::Neg(Asin::partial(by, d, y, x));
  }
};

// atan x;  ∂ = 1 / (1 + x²)
struct Atan : Elementwise<Operation::atan, 1> {
  template <class D, class V>
  static V value(D d, V x) {
    return hn::Atan(d, x);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V x) {
    return hn::Div(number(d, 1), hn::MulAdd(x, x, number(d, 1)));
  }
};

// atan2(a, b), the angle of the point (b, a);  ∂a = b / (a² + b²), ∂b = -a / (a² + b²)
struct Atan2 : Elementwise<Operation::atan2, 2> {
  template <class D, class V>
  static V value(D d, V a, V b) {
    return math::lane_by_lane(
        d, [](auto v, auto w) { return std::atan2(v, w); }, a, b);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V a, V b) {
    return over_radius_squared(d, b, a, b);
  }
  template <class D, class V>
  static V partial(By<1>, D d, V, V a, V b) {
    return hn::Neg(over_radius_squared(d, a, a, b));
  }

 private:
  // x / (a² + b²), scaled so that the squares neither overflow nor vanish.
  template <class D, class V>
  static V over_radius_squared(D, V x, V a, V b) {
    const V scale = hn::Max(hn::Abs(a), hn::Abs(b));
    const V u = hn::Div(a, scale), v = hn::Div(b, scale);
    return hn::Div(hn::Div(hn::Div(x, scale), hn::MulAdd(u, u, hn::Mul(v, v))), scale);
  }
};

// sinh x;  ∂ = cosh x
struct Sinh : Elementwise<Operation::sinh, 1> {
  template <class D, class V>
  static V value(D d, V x) {
    return math::lane_by_lane(
        d, [](auto v) { return std::sinh(v); }, x);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V x) {
    return math::lane_by_lane(
        d, [](auto v) { return std::cosh(v); }, x);
  }
};

// cosh x;  ∂ = sinh x
struct Cosh : Elementwise<Operation::cosh, 1> {
  template <class D, class V>
  static V value(D d, V x) {
    return Sinh::partial(By<0>(), d, x, x);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V x) {
    return Sinh::value(d, x);
  }
};

// tanh x;  ∂ = 1 - y²
struct Tanh : Elementwise<Operation::tanh, 1> {
  template <class D, class V>
  static V value(D d, V x) {
    return hn::Tanh(d, x);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V y, V) {
    return hn::NegMulAdd(y, y, number(d, 1));
  }
};

// e^x;  ∂ = y
struct Exp : Elementwise<Operation::exp, 1> {
  template <class D, class V>
  static V value(D d, V x) {
    return math::exp(d, x);
  }
  template <class D, class V>
  static V partial(By<0>, D, V y, V) {
    return y;
  }
};

// log x;  ∂ = 1 / x
struct Log : Elementwise<Operation::log, 1> {
  template <class D, class V>
  static V value(D d, V x) {
    return math::log(d, x);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V x) {
    return hn::Div(number(d, 1), x);
  }
};

// log(1 + x);  ∂ = 1 / (1 + x)
struct Log1p : Elementwise<Operation::log1p, 1> {
  template <class D, class V>
  static V value(D d, V x) {
    return math::log1p(d, x);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V x) {
    return hn::Div(number(d, 1), hn::Add(number(d, 1), x));
  }
};

// √x;  ∂ = 1 / (2 y)
struct Sqrt : Elementwise<Operation::sqrt, 1> {
  template <class D, class V>
  static V value(D, V x) {
    return hn::Sqrt(x);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V y, V) {
    return hn::Div(number(d, 0.5), y);
  }
};

// 1 / (1 + e^-x);  ∂ = y (1 - y)
struct Sigmoid : Elementwise<Operation::sigmoid, 1> {
  template <class D, class V>
  static V value(D d, V x) {
    return math::sigmoid(d, x);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V y, V) {
    return hn::Mul(y, hn::Sub(number(d, 1), y));
  }
};

// log(1 + e^x);  ∂ = 1 / (1 + e^-x)
struct Softplus : Elementwise<Operation::softplus, 1> {
  template <class D, class V>
  static V value(D d, V x) {
    return math::softplus(d, x);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V x) {
    return math::sigmoid(d, x);
  }
};

// x;  ∂ = 0 by definition
struct Stop : Elementwise<Operation::stop, 1> {
  template <class D, class V>
  static V value(D, V x) {
    return x;
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V) {
    return number(d, 0);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#endif
