// Between fields, one array each, and rows of pixels that hold the values of all fields together.
#pragma once

#include <cstddef>

namespace greybox {

// Rows of pixels: value c of pixel x in row y is pixels[y·pitch + x·stride + c]; in field c it is number
// y·width + x from `offset` on.
struct PixelRows {
  std::size_t n_rows = 0;
  std::size_t width = 0;
  std::size_t stride = 0;
  std::size_t pitch = 0;
  std::size_t n_fields = 0;
  std::size_t offset = 0;
};

template <class T>
struct FieldRowKernels {
  void (*interleave)(const PixelRows& rows, const T* const* fields, T* pixels);
  void (*separate)(const PixelRows& rows, const T* pixels, T* const* fields);
  // Adds to the fields; to those that are not null.
  void (*add_separated)(const PixelRows& rows, const T* pixels, T* const* fields);
  double (*sum)(std::size_t n, const T* values);
};

// The kernels for this CPU.
template <class T>
const FieldRowKernels<T>& field_row_kernels();

extern template const FieldRowKernels<float>& field_row_kernels();
extern template const FieldRowKernels<double>& field_row_kernels();

}  // namespace greybox
