// Vector kernels of normalisation and activation on rows of pixels, channels innermost.
#pragma once

#include <cstddef>

namespace greybox {

// Rows of raw convolution results z, without gaps: `stride` values per pixel (whole panels), of which
// `n_channels` count.
// A channel is normalised to n = scale·(z - mean) + shift and activated to n > 0 ? n : slope·n; slope 1
// leaves n as it is. Arrays over channels have `stride` values.
template <class T>
struct RawRows {
  std::size_t n_rows = 0;
  std::size_t n_pixels = 0;  // per row
  std::size_t n_channels = 0;
  std::size_t stride = 0;
  const T* z = nullptr;
  const T* mean = nullptr;
  const T* scale = nullptr;
  const T* shift = nullptr;
  T slope = 1;
};

// How the pixels of an image lie in memory.
struct PixelLayout {
  std::size_t stride = 0;  // values from one pixel to the next
  std::size_t pitch = 0;   // values from one row to the next
};

// Images with n_channels values per pixel are written without gaps, and up to a vector past a row's end. Sums
// over pixels are added to arrays over channels, row by row.
template <class T>
struct NormRowKernels {
  // Activated values.
  void (*activate)(const RawRows<T>& rows, T* result, PixelLayout layout);
  // Adds Σ (z - mean) and Σ (z - mean)².
  void (*add_moments)(const RawRows<T>& rows, double* sum, double* sum_squares);
  // Turns the gradient of the activated values into that of the normalised ones, g, both with the stride of
  // z, and adds Σ g and Σ g·(z - mean).
  void (*deactivate)(const RawRows<T>& rows, const T* grad_activated, std::size_t grad_pitch, T* g,
                     std::size_t g_pitch, double* sum, double* sum_products);
  // The gradient of z: scale·g + tilt·(z - mean) + offset, given arrays `tilt` and `offset` over channels.
  void (*denormalise)(const RawRows<T>& rows, const T* g, std::size_t g_pitch, const T* tilt, const T* offset,
                      T* result, PixelLayout layout);
};

// The kernels for this CPU.
template <class T>
const NormRowKernels<T>& norm_row_kernels();

extern template const NormRowKernels<float>& norm_row_kernels();
extern template const NormRowKernels<double>& norm_row_kernels();

}  // namespace greybox
