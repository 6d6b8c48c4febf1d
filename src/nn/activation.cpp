// Activation functions over arrays, compiled once per SIMD target and chosen at run time.
#include "nn/activation.hpp"

#include <algorithm>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/activation.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which sets the target.
#include "nn/activation-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace {

// to[i] = f(from[i], to[i]), a vector at a time; the last one goes through a buffer.
template <class T, class F>
HWY_INLINE void map(std::size_t n, const T* from, T* to, const F& f) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(f(hn::LoadU(d, from + i), hn::LoadU(d, to + i)), d, to + i);
  }
  if (i == n) return;
  HWY_ALIGN T last_from[hn::MaxLanes(d)] = {};
  HWY_ALIGN T last_to[hn::MaxLanes(d)] = {};
  std::copy(from + i, from + n, last_from);
  std::copy(to + i, to + n, last_to);
  hn::Store(f(hn::Load(d, last_from), hn::Load(d, last_to)), d, last_to);
  std::copy_n(last_to, n - i, to + i);
}

template <class Function>
struct Value {
  template <class V>
  HWY_INLINE V operator()(V x, V) const {
    return Function::value(hn::DFromV<V>(), x);
  }
};

template <class Function>
struct TimesDerivative {
  template <class V>
  HWY_INLINE V operator()(V kept, V gradient) const {
    return hn::Mul(gradient, Function::derivative(hn::DFromV<V>(), kept));
  }
};

template <template <class> class Action, class T>
void map_activation(Activation activation, std::size_t n, const T* from, T* to) {
  switch (activation) {
    case Activation::leaky_relu:
      return map(n, from, to, Action<Rectifier<true>>());
    case Activation::relu:
      return map(n, from, to, Action<Rectifier<false>>());
    case Activation::tanh:
      return map(n, from, to, Action<Tanh>());
    case Activation::silu:
      return map(n, from, to, Action<Silu>());
    case Activation::softplus:
      return map(n, from, to, Action<Softplus>());
    case Activation::gelu:
      return map(n, from, to, Action<Gelu>());
    case Activation::sigmoid:
      return map(n, from, to, Action<Sigmoid>());
  }
}

}  // namespace

void activate_float(Activation activation, std::size_t n, const float* x, float* y) {
  map_activation<Value>(activation, n, x, y);
}
void activate_double(Activation activation, std::size_t n, const double* x, double* y) {
  map_activation<Value>(activation, n, x, y);
}
void derivative_float(Activation activation, std::size_t n, const float* kept, float* gradient) {
  map_activation<TimesDerivative>(activation, n, kept, gradient);
}
void derivative_double(Activation activation, std::size_t n, const double* kept, double* gradient) {
  map_activation<TimesDerivative>(activation, n, kept, gradient);
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {

HWY_EXPORT(activate_float);
HWY_EXPORT(activate_double);
HWY_EXPORT(derivative_float);
HWY_EXPORT(derivative_double);

std::optional<double> leaky_slope(Activation activation) {
  switch (activation) {
    case Activation::leaky_relu:
      return 0.01;
    case Activation::relu:
      return 0.0;
    default:
      return std::nullopt;
  }
}

bool derivative_needs_input(Activation activation) {
  return activation == Activation::silu || activation == Activation::softplus ||
         activation == Activation::gelu;
}

template <class T>
void activate(Activation activation, std::size_t n, const T* x, T* y) {
  if constexpr (std::is_same_v<T, float>) {
    HWY_DYNAMIC_DISPATCH(activate_float)(activation, n, x, y);
  } else {
    HWY_DYNAMIC_DISPATCH(activate_double)(activation, n, x, y);
  }
}

template <class T>
void multiply_by_derivative(Activation activation, std::size_t n, const T* kept, T* gradient) {
  if constexpr (std::is_same_v<T, float>) {
    HWY_DYNAMIC_DISPATCH(derivative_float)(activation, n, kept, gradient);
  } else {
    HWY_DYNAMIC_DISPATCH(derivative_double)(activation, n, kept, gradient);
  }
}

template void activate(Activation, std::size_t, const float*, float*);
template void activate(Activation, std::size_t, const double*, double*);
template void multiply_by_derivative(Activation, std::size_t, const float*, float*);
template void multiply_by_derivative(Activation, std::size_t, const double*, double*);

}  // namespace greybox
#endif
