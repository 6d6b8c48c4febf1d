// Vector kernels of normalisation and activation on rows of pixels, channels innermost.
#pragma once

#include <cstddef>

namespace greybox {

// A row of raw convolution results z: `stride` values per pixel (whole panels), of which `n_channels` count.
// A channel is normalised to n = scale·(z - mean) + shift and activated to n > 0 ? n : slope·n; slope 1
// leaves n as it is. Arrays over channels have `stride` values.
template <class T>
struct RawRow {
  std::size_t n_pixels = 0;
  std::size_t n_channels = 0;
  std::size_t stride = 0;
  const T* z = nullptr;
  const T* mean = nullptr;
  const T* scale = nullptr;
  const T* shift = nullptr;
  T slope = 1;
};

// Results with `result_stride` = n_channels are written without gaps, and up to a vector past the row's end.
template <class T>
struct NormRowKernels {
  // Activated values of the row.
  void (*activate)(const RawRow<T>& row, T* result, std::size_t result_stride);
  // Adds Σ (z - mean) and Σ (z - mean)² over the pixels to the arrays `sum` and `sum_squares` over channels.
  void (*add_moments)(const RawRow<T>& row, double* sum, double* sum_squares);
  // Turns the gradient of the activated values into that of the normalised ones, g, with the row's stride,
  // and adds Σ g and Σ g·(z - mean).
  void (*deactivate)(const RawRow<T>& row, const T* grad_activated, T* g, double* sum, double* sum_products);
  // The gradient of z: scale·g + tilt·(z - mean) + offset, given arrays `tilt` and `offset` over channels.
  void (*denormalise)(const RawRow<T>& row, const T* g, const T* tilt, const T* offset, T* result,
                      std::size_t result_stride);
};

// The kernels for this CPU.
template <class T>
const NormRowKernels<T>& norm_row_kernels();

extern template const NormRowKernels<float>& norm_row_kernels();
extern template const NormRowKernels<double>& norm_row_kernels();

}  // namespace greybox
