// Products of rows with matrices of their own, compiled once per SIMD target and chosen at run time.
#include "nn/sample_matrices.hpp"

#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/sample_matrices.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which sets the target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Widths are whole cache lines, and a vector is one at most.
template <class T>
using Line = hn::CappedTag<T, 64 / sizeof(T)>;

// Four vectors of outputs at a time, or what is left of them: so many sums wait for each other less.
template <std::size_t kVectors, class T>
HWY_INLINE void multiply_columns(std::size_t n_inputs, std::size_t width, const T* matrix, const T* x, T* y) {
  const Line<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const T* bias = matrix + n_inputs * width;
  auto y0 = hn::Load(d, bias);
  auto y1 = y0, y2 = y0, y3 = y0;
  if constexpr (kVectors == 4) {
    y1 = hn::Load(d, bias + lanes);
    y2 = hn::Load(d, bias + 2 * lanes);
    y3 = hn::Load(d, bias + 3 * lanes);
  }
  for (std::size_t i = 0; i < n_inputs; ++i) {
    const auto factor = hn::Set(d, x[i]);
    const T* row = matrix + i * width;
    y0 = hn::MulAdd(factor, hn::Load(d, row), y0);
    if constexpr (kVectors == 4) {
      y1 = hn::MulAdd(factor, hn::Load(d, row + lanes), y1);
      y2 = hn::MulAdd(factor, hn::Load(d, row + 2 * lanes), y2);
      y3 = hn::MulAdd(factor, hn::Load(d, row + 3 * lanes), y3);
    }
  }
  hn::Store(y0, d, y);
  if constexpr (kVectors == 4) {
    hn::Store(y1, d, y + lanes);
    hn::Store(y2, d, y + 2 * lanes);
    hn::Store(y3, d, y + 3 * lanes);
  }
}

template <class T>
void multiply_each(const SampleMatrices& size, const T* matrices, SampleRows<const T> x, SampleRows<T> y) {
  const std::size_t lanes = hn::Lanes(Line<T>());
  for (std::size_t s = 0; s < size.n_samples; ++s) {
    const T *matrix = matrices + s * size.stride, *from = x.data + s * x.stride;
    T* to = y.data + s * y.stride;
    std::size_t v = 0;
    for (; v + 4 * lanes <= size.width; v += 4 * lanes)
      multiply_columns<4>(size.n_inputs, size.width, matrix + v, from, to + v);
    for (; v < size.width; v += lanes)
      multiply_columns<1>(size.n_inputs, size.width, matrix + v, from, to + v);
  }
}

template <class T>
void multiply_each_transposed(const SampleMatrices& size, const T* matrices, SampleRows<const T> y,
                              SampleRows<T> x) {
  const Line<T> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t s = 0; s < size.n_samples; ++s) {
    const T *matrix = matrices + s * size.stride, *from = y.data + s * y.stride;
    T* to = x.data + s * x.stride;
    for (std::size_t i = 0; i < size.n_inputs; ++i) {
      const T* row = matrix + i * size.width;
      auto sum = hn::Mul(hn::Load(d, row), hn::Load(d, from));
      for (std::size_t v = lanes; v < size.width; v += lanes)
        sum = hn::MulAdd(hn::Load(d, row + v), hn::Load(d, from + v), sum);
      to[i] = hn::GetLane(hn::SumOfLanes(d, sum));
    }
    // So that whole cache lines can be read.
    for (std::size_t i = size.n_inputs; i % (64 / sizeof(T)) != 0; ++i) to[i] = 0;
  }
}

// The factors of x; the last row, that of the bias, has 1.
template <class T>
HWY_INLINE void add_outer_row(std::size_t n_slots, std::size_t n_vectors, const T* x, std::size_t x_slot,
                              const T* grad_y, std::size_t y_slot, T* row) {
  const Line<T> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t v = 0; v < n_vectors * lanes; v += lanes) {
    auto sum = hn::Load(d, row + v);
    for (std::size_t k = n_slots; k-- > 0;) {
      const auto gradient = hn::Load(d, grad_y + k * y_slot + v);
      sum = x == nullptr ? hn::Add(sum, gradient) : hn::MulAdd(hn::Set(d, x[k * x_slot]), gradient, sum);
    }
    hn::Store(sum, d, row + v);
  }
}

template <class T>
void add_outer_products(const SampleMatrices& size, std::size_t n_slots, SampleRows<const T> x,
                        SampleRows<const T> grad_y, T* grad_matrices) {
  const std::size_t n_vectors = size.width / hn::Lanes(Line<T>());
  const std::size_t x_slot = size.n_samples * x.stride, y_slot = size.n_samples * grad_y.stride;
  for (std::size_t s = 0; s < size.n_samples; ++s) {
    T* matrix = grad_matrices + s * size.stride;
    const T *from = x.data + s * x.stride, *gradient = grad_y.data + s * grad_y.stride;
    for (std::size_t i = 0; i < size.n_inputs; ++i)
      add_outer_row(n_slots, n_vectors, from + i, x_slot, gradient, y_slot, matrix + i * size.width);
    add_outer_row<T>(n_slots, n_vectors, nullptr, 0, gradient, y_slot, matrix + size.n_inputs * size.width);
  }
}

template <class T>
void scale_and_shift(const SampleMatrices& size, const T* films, SampleRows<const T> z, SampleRows<T> y) {
  const Line<T> d;
  for (std::size_t s = 0; s < size.n_samples; ++s) {
    const T *scale = films + s * size.stride, *shift = scale + size.width, *from = z.data + s * z.stride;
    T* to = y.data + s * y.stride;
    for (std::size_t v = 0; v < size.width; v += hn::Lanes(d)) {
      const auto value = hn::Load(d, from + v);
      hn::Store(hn::MulAdd(hn::Load(d, scale + v), value, hn::Add(value, hn::Load(d, shift + v))), d, to + v);
    }
  }
}

template <class T>
void scale_and_shift_backward(const SampleMatrices& size, const T* films, SampleRows<const T> z,
                              SampleRows<T> gradient, T* grad_films) {
  const Line<T> d;
  for (std::size_t s = 0; s < size.n_samples; ++s) {
    const T *scale = films + s * size.stride, *from = z.data + s * z.stride;
    T *grad_scale = grad_films + s * size.stride, *grad_shift = grad_scale + size.width;
    T* g = gradient.data + s * gradient.stride;
    for (std::size_t v = 0; v < size.width; v += hn::Lanes(d)) {
      const auto grad = hn::Load(d, g + v);
      hn::Store(hn::MulAdd(grad, hn::Load(d, from + v), hn::Load(d, grad_scale + v)), d, grad_scale + v);
      hn::Store(hn::Add(grad, hn::Load(d, grad_shift + v)), d, grad_shift + v);
      hn::Store(hn::MulAdd(hn::Load(d, scale + v), grad, grad), d, g + v);
    }
  }
}

template <class T>
constexpr SampleMatrixKernels<T> kKernels{multiply_each<T>, multiply_each_transposed<T>,
                                          add_outer_products<T>, scale_and_shift<T>,
                                          scale_and_shift_backward<T>};

}  // namespace

const SampleMatrixKernels<float>& sample_matrices_float() {
  return kKernels<float>;
}
const SampleMatrixKernels<double>& sample_matrices_double() {
  return kKernels<double>;
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {

HWY_EXPORT(sample_matrices_float);
HWY_EXPORT(sample_matrices_double);

template <class T>
const SampleMatrixKernels<T>& sample_matrix_kernels() {
  if constexpr (std::is_same_v<T, float>) {
    return HWY_DYNAMIC_DISPATCH(sample_matrices_float)();
  } else {
    return HWY_DYNAMIC_DISPATCH(sample_matrices_double)();
  }
}

template const SampleMatrixKernels<float>& sample_matrix_kernels();
template const SampleMatrixKernels<double>& sample_matrix_kernels();

}  // namespace greybox
#endif
