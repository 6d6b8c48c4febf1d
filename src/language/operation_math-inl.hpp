// Elementwise operations: the value y and the partial derivatives ∂ of y by each argument, each written once.
// Gradients and tangents both follow from the partials. Conventions where a derivative does not exist are
// PyTorch's.
#if defined(GREYBOX_LANGUAGE_OPERATION_MATH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef GREYBOX_LANGUAGE_OPERATION_MATH_INL_HPP
#undef GREYBOX_LANGUAGE_OPERATION_MATH_INL_HPP
#else
#define GREYBOX_LANGUAGE_OPERATION_MATH_INL_HPP
#endif

#include <cmath>
#include <cstddef>
#include <type_traits>

#include "hwy/highway.h"
#include "language/operation.hpp"
#include "language/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <Operation operation, std::size_t arity>
struct Elementwise {
  static constexpr Operation kOperation = operation;
  static constexpr std::size_t kArity = arity;
};

// By which argument a partial derivative is taken.
template <std::size_t i>
using By = std::integral_constant<std::size_t, i>;

template <class D>
hn::Vec<D> number(D d, double value) {
  return hn::Set(d, static_cast<hn::TFromD<D>>(value));
}

// 1 where the mask holds, 0 elsewhere.
template <class D, class M>
hn::Vec<D> indicator(D d, M mask) {
  return hn::IfThenElseZero(mask, number(d, 1));
}

// Highway's Ne leaves out NaN, which differs from everything.
template <class V>
auto differ(V a, V b) {
  return hn::Not(hn::Eq(a, b));
}

// partial · change, where a zero on either side means that nothing flows, even if the other is infinite or
// NaN: a branch not chosen by `where` must not poison the gradient.
template <class D, class V>
V chain(D d, V partial, V change) {
  const V zero = hn::Zero(d);
  const auto nothing_flows = hn::Or(hn::Eq(partial, zero), hn::Eq(change, zero));
  return hn::IfThenZeroElse(nothing_flows, hn::Mul(partial, change));
}

// a + b;  ∂a = 1, ∂b = 1
struct Add : Elementwise<Operation::add, 2> {
  template <class D, class V>
  static V value(D, V a, V b) {
    return hn::Add(a, b);
  }
  template <std::size_t i, class D, class V>
  static V partial(By<i>, D d, V, V, V) {
    return number(d, 1);
  }
};

// a - b;  ∂a = 1, ∂b = -1
struct Subtract : Elementwise<Operation::subtract, 2> {
  template <class D, class V>
  static V value(D, V a, V b) {
    return hn::Sub(a, b);
  }
  template <std::size_t i, class D, class V>
  static V partial(By<i>, D d, V, V, V) {
    return number(d, i == 0 ? 1 : -1);
  }
};

// a b;  ∂a = b, ∂b = a
struct Multiply : Elementwise<Operation::multiply, 2> {
  template <class D, class V>
  static V value(D, V a, V b) {
    return hn::Mul(a, b);
  }
  template <class D, class V>
  static V partial(By<0>, D, V, V, V b) {
    return b;
  }
  template <class D, class V>
  static V partial(By<1>, D, V, V a, V) {
    return a;
  }
};

// a / b;  ∂a = 1 / b, ∂b = -y / b
struct Divide : Elementwise<Operation::divide, 2> {
  template <class D, class V>
  static V value(D, V a, V b) {
    return hn::Div(a, b);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V, V b) {
    return hn::Div(number(d, 1), b);
  }
  template <class D, class V>
  static V partial(By<1>, D, V y, V, V b) {
    return hn::Neg(hn::Div(y, b));
  }
};

// -x;  ∂ = -1
struct Negate : Elementwise<Operation::negate, 1> {
  template <class D, class V>
  static V value(D, V x) {
    return hn::Neg(x);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V) {
    return number(d, -1);
  }
};

// x²;  ∂ = 2 x
struct Square : Elementwise<Operation::square, 1> {
  template <class D, class V>
  static V value(D, V x) {
    return hn::Mul(x, x);
  }
  template <class D, class V>
  static V partial(By<0>, D, V, V x) {
    return hn::Add(x, x);
  }
};

// a^b;  ∂a = b a^(b-1), 0 where b = 0;  ∂b = y log a, 0 where a = 0 and b ≥ 0
struct Power : Elementwise<Operation::power, 2> {
  template <class D, class V>
  static V value(D d, V a, V b) {
    return math::lane_by_lane(
        d, [](auto v, auto w) { return std::pow(v, w); }, a, b);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V a, V b) {
    const V slope = hn::Mul(b, value(d, a, hn::Sub(b, number(d, 1))));
    return hn::IfThenZeroElse(hn::Eq(b, hn::Zero(d)), slope);
  }
  template <class D, class V>
  static V partial(By<1>, D d, V y, V a, V b) {
    const V zero = hn::Zero(d);
    const auto is_flat = hn::And(hn::Eq(a, zero), hn::Ge(b, zero));
    return hn::IfThenZeroElse(is_flat, hn::Mul(y, math::log(d, a)));
  }
};

// 1 where a and b compare so, else 0;  ∂a = 0, ∂b = 0
template <Operation operation>
struct Comparison : Elementwise<operation, 2> {
  template <class D, class V>
  static V value(D d, V a, V b) {
    if constexpr (operation == Operation::less) return indicator(d, hn::Lt(a, b));
    if constexpr (operation == Operation::less_equal) return indicator(d, hn::Le(a, b));
    if constexpr (operation == Operation::greater) return indicator(d, hn::Gt(a, b));
    if constexpr (operation == Operation::greater_equal) return indicator(d, hn::Ge(a, b));
    if constexpr (operation == Operation::equal) return indicator(d, hn::Eq(a, b));
    if constexpr (operation == Operation::not_equal) return indicator(d, differ(a, b));
  }
  template <std::size_t i, class D, class V>
  static V partial(By<i>, D d, V, V, V) {
    return hn::Zero(d);
  }
};

// a where c ≠ 0, else b;  ∂c = 0, ∂ of the chosen branch = 1, of the other 0
struct Where : Elementwise<Operation::where, 3> {
  template <class D, class V>
  static V value(D d, V c, V a, V b) {
    return hn::IfThenElse(differ(c, hn::Zero(d)), a, b);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V, V, V) {
    return hn::Zero(d);
  }
  template <class D, class V>
  static V partial(By<1>, D d, V, V c, V, V) {
    return indicator(d, differ(c, hn::Zero(d)));
  }
  template <class D, class V>
  static V partial(By<2>, D d, V, V c, V, V) {
    return indicator(d, hn::Eq(c, hn::Zero(d)));
  }
};

// |x|;  ∂ = sign x, 0 at 0
struct Abs : Elementwise<Operation::abs, 1> {
  template <class D, class V>
  static V value(D, V x) {
    return hn::Abs(x);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V x) {
    return sign(d, x);
  }
  // Zero and NaN are their own sign.
  template <class D, class V>
  static V sign(D d, V x) {
    const V zero = hn::Zero(d);
    return hn::IfThenElse(hn::Gt(x, zero), number(d, 1), hn::IfThenElse(hn::Lt(x, zero), number(d, -1), x));
  }
};

// -1, 0 or 1;  ∂ = 0
struct Sign : Elementwise<Operation::sign, 1> {
  template <class D, class V>
  static V value(D d, V x) {
    return Abs::sign(d, x);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V) {
    return hn::Zero(d);
  }
};

// The smaller, NaN if either is;  ∂ = 1 for the smaller, 0 for the larger, ½ each for equals
struct Min : Elementwise<Operation::min, 2> {
  template <class D, class V>
  static V value(D, V a, V b) {
    return hn::IfThenElse(hn::Or(hn::Lt(a, b), hn::IsNaN(a)), a, b);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V a, V b) {
    return share(d, a, b);
  }
  template <class D, class V>
  static V partial(By<1>, D d, V, V a, V b) {
    return share(d, b, a);
  }

 private:
  template <class D, class V>
  static V share(D d, V own, V other) {
    const V unless_larger = hn::IfThenZeroElse(hn::Gt(own, other), number(d, 1));
    return hn::IfThenElse(hn::Eq(own, other), number(d, 0.5), unless_larger);
  }
};

// The larger, NaN if either is;  ∂ = 1 for the larger, 0 for the smaller, ½ each for equals
struct Max : Elementwise<Operation::max, 2> {
  template <class D, class V>
  static V value(D, V a, V b) {
    return hn::IfThenElse(hn::Or(hn::Gt(a, b), hn::IsNaN(a)), a, b);
  }
  template <std::size_t i, class D, class V>
  static V partial(By<i> by, D d, V y, V a, V b) {
    return Min::partial(by, d, y, hn::Neg(a), hn::Neg(b));
  }
};

// min(max(x, l), h);  ∂x = 1 in [l, h];  ∂l = 1 below;  ∂h = 1 above and where l > h
struct Clamp : Elementwise<Operation::clamp, 3> {
  template <class D, class V>
  static V value(D d, V x, V l, V h) {
    return Min::value(d, Max::value(d, x, l), h);
  }
  template <class D, class V>
  static V partial(By<0>, D d, V, V x, V l, V h) {
    return indicator(d, hn::And(hn::Ge(x, l), hn::Le(x, h)));
  }
  template <class D, class V>
  static V partial(By<1>, D d, V, V x, V l, V h) {
    return indicator(d, hn::And(hn::Lt(x, l), hn::Le(l, h)));
  }
  template <class D, class V>
  static V partial(By<2>, D d, V, V x, V l, V h) {
    return indicator(d, hn::Or(hn::Gt(x, h), hn::Gt(l, h)));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#endif
