// Rows that meet weights of their own: a matrix, or a scale and a shift, for every sample.
#pragma once

#include <cstddef>

namespace greybox {

// For each sample s a matrix [input][width] and behind it a row of `width`, `stride` after those of s - 1;
// width is a whole number of cache lines.
struct SampleMatrices {
  std::size_t n_samples = 0, n_inputs = 0, width = 0;
  std::size_t stride = 0;
};

// Rows of samples, `stride` apart.
template <class T>
struct SampleRows {
  T* data = nullptr;
  std::size_t stride = 0;
};

template <class T>
struct SampleMatrixKernels {
  // y_s = x_s W_s + b_s: all `width` of y.
  void (*multiply)(const SampleMatrices& size, const T* matrices, SampleRows<const T> x, SampleRows<T> y);
  // x_s = W_s y_s, and zeros up to the end of the cache line. Behind the features of y there are zeros too.
  void (*multiply_transposed)(const SampleMatrices& size, const T* matrices, SampleRows<const T> y,
                              SampleRows<T> x);
  // dW_s += Σ_k x_ks dy_ks and db_s += Σ_k dy_ks over k < n_slots, each of which has n_samples rows; the last
  // k first, so that it is the same how many slots are added at a time on the way back.
  void (*add_outer_products)(const SampleMatrices& size, std::size_t n_slots, SampleRows<const T> x,
                             SampleRows<const T> grad_y, T* grad_matrices);

  // Instead of matrices a row of `width` scales and behind it one of shifts: y_s = (1 + scale_s) z_s +
  // shift_s.
  void (*scale_and_shift)(const SampleMatrices& size, const T* films, SampleRows<const T> z, SampleRows<T> y);
  // Its adjoint: adds to the gradients of scales and shifts, and turns that of y into that of z.
  void (*scale_and_shift_backward)(const SampleMatrices& size, const T* films, SampleRows<const T> z,
                                   SampleRows<T> gradient, T* grad_films);
};

// For this CPU.
template <class T>
const SampleMatrixKernels<T>& sample_matrix_kernels();

extern template const SampleMatrixKernels<float>& sample_matrix_kernels();
extern template const SampleMatrixKernels<double>& sample_matrix_kernels();

}  // namespace greybox
