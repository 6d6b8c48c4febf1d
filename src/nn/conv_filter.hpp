// Convolution of an image with a bank of square filters, and the gradient of the filters.
#pragma once

#include <cstddef>

#include "core/aligned_buffer.hpp"
#include "nn/padding.hpp"

namespace greybox {

struct FilterShape {
  std::size_t n_inputs = 0;
  std::size_t n_outputs = 0;
  std::size_t kernel = 0;  // odd

  std::size_t run() const { return kernel * n_inputs; }  // contiguous values under one kernel row
  FilterShape adjoint() const { return {.n_inputs = n_outputs, .n_outputs = n_inputs, .kernel = kernel}; }
};

// Too few channels to fill the lanes of a vector.
template <class T>
bool is_narrow(std::size_t n_channels);

// Values per pixel when `n_channels` are stored in whole panels of the matrix kernel.
template <class T>
std::size_t panel_stride(std::size_t n_channels);

// How a filter stores its results.
enum class ResultLayout {
  panels,   // whole panels per pixel; channels past the last one are zero
  compact,  // no gaps where the outputs are few (`is_narrow`), else as `panels`
};

// Filters packed for the matrix kernel; weights come as out × in × kernel row × kernel column.
template <class T>
class ConvFilter {
 public:
  ConvFilter(const FilterShape& shape, ResultLayout layout);

  // Values per pixel of the results.
  std::size_t stride() const { return stride_; }
  void pack(const T* weights);
  // Takes the weights of the convolution whose adjoint this filter is (of shape `shape.adjoint()`).
  void pack_adjoint(const T* weights);

  // One row of `n_pixels` results from `kernel` image rows, `image_row` values apart and n_inputs values per
  // pixel; `bias` has stride() values, or is null for none.
  void apply(const T* image, std::size_t image_row, std::size_t n_pixels, const T* bias, T* result) const;

 private:
  std::size_t place(std::size_t output, std::size_t kernel_row, std::size_t k) const;
  void apply_narrow(const T* image, std::ptrdiff_t image_row, std::size_t n_pixels, const T* bias,
                    T* result) const;
  void apply_panels(const T* image, std::ptrdiff_t image_row, std::size_t n_pixels, const T* bias,
                    T* result) const;

  FilterShape shape_;
  bool narrow_;
  std::size_t panel_width_;
  std::size_t stride_;
  AlignedBuffer<T> packed_;
};

// The gradient of a filter's weights: sums over pixels of image value × delta. Sums are kept in packed order.
template <class T>
class ConvFilterGradient {
 public:
  // `image`: the bordered image the filter reads, n_inputs values per pixel. `delta`: the gradient of the
  // results, n_outputs values per pixel, in a border of zeros twice as wide as the image's.
  ConvFilterGradient(const FilterShape& shape, const ImageShape& image, const ImageShape& delta);

  std::size_t size() const { return shape_.kernel * n_rows_ * stride_; }
  // Reads up to one panel past the end of image and delta.
  void add(const T* image, const T* delta, T* sums) const;
  // Adds the sums to `gradient`, which is laid out as the weights.
  void unpack(const T* sums, T* gradient) const;

 private:
  void add_rows(const T* image, const T* delta, std::size_t n_image_rows, T* sums) const;

  FilterShape shape_;
  ImageShape image_, delta_;
  bool narrow_;         // roles swapped: vectors run over the inputs instead of the outputs
  std::size_t n_rows_;  // of the sums, per kernel row
  std::size_t panel_width_;
  std::size_t stride_;  // of a row of sums
  std::size_t block_;   // image rows per product
};

extern template bool is_narrow<float>(std::size_t);
extern template bool is_narrow<double>(std::size_t);
extern template std::size_t panel_stride<float>(std::size_t);
extern template std::size_t panel_stride<double>(std::size_t);
extern template class ConvFilter<float>;
extern template class ConvFilter<double>;
extern template class ConvFilterGradient<float>;
extern template class ConvFilterGradient<double>;

}  // namespace greybox
