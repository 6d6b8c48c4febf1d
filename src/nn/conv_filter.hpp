// Convolution of an image with a bank of filters, and the gradient of the filters.
#pragma once

#include <cstddef>
#include <optional>

#include "core/aligned_buffer.hpp"
#include "nn/conv_strip.hpp"
#include "nn/filter_shape.hpp"
#include "nn/padding.hpp"
#include "nn/winograd_filter.hpp"

namespace greybox {

// How a filter stores its results.
enum class ResultLayout {
  panels,   // whole panels per pixel; channels past the last one are zero
  compact,  // no gaps where the outputs are few (`is_narrow`), else as `panels`
};

// Filters packed for the matrix kernel; weights come as out × in × kernel row × kernel column.
template <class T>
class ConvFilter {
 public:
  ConvFilter(const FilterShape& shape, const FilterArea& area, ResultLayout layout);

  // Values per pixel of the results.
  std::size_t stride() const { return stride_; }
  void pack(const T* weights, const T* bias);
  // Takes the weights of the convolution whose adjoint this filter is (of shape `shape.adjoint()`).
  void pack_adjoint(const T* weights);

  // `n_rows` rows of results; images have n_inputs values per pixel. `scratch` has scratch_size() values.
  void apply(std::size_t n_rows, const T* image, T* result, T* scratch) const;
  std::size_t scratch_size() const { return winograd_ ? winograd_->scratch_size() : 0; }

 private:
  std::size_t place(std::size_t output, std::size_t kernel_row, std::size_t k) const;
  void apply_narrow(std::size_t n_rows, const T* image, T* result) const;
  void apply_panels(std::size_t n_rows, const T* image, T* result) const;

  FilterShape shape_;
  FilterArea area_;
  bool narrow_;
  std::size_t panel_width_;
  std::size_t stride_;
  std::optional<WinogradFilter<T>> winograd_;  // instead of packed_, where it suits
  AlignedBuffer<T> packed_, bias_;
};

// The gradient of a filter's weights: sums over pixels of image value × delta. Sums are kept in packed order.
template <class T>
class ConvFilterGradient {
 public:
  // `image`: the bordered image the filter reads, n_inputs values per pixel. `delta`: the gradient of the
  // results, n_outputs values per pixel, in a border of zeros twice as wide as the image's.
  ConvFilterGradient(const FilterShape& shape, const ImageShape& image, const ImageShape& delta);

  std::size_t size() const { return winograd_ ? winograd_->size() : shape_.n_rows() * n_rows_ * stride_; }
  // The share of one strip of results; only all strips of an image together make its gradient. `image` and
  // `delta` start with the rows above the strip, of the border or of the strip before. Reads up to one panel
  // past the end of both. `scratch` has scratch_size() values.
  void add(const Strip& strip, const T* image, const T* delta, T* sums, T* scratch) const;
  std::size_t scratch_size() const { return winograd_ ? winograd_->scratch_size() : 0; }
  // Adds the sums to `gradient`, which is laid out as the weights.
  void unpack(const T* sums, T* gradient) const;

 private:
  void add_rows(std::size_t n_rows, const T* image, const T* delta, T* sums) const;

  FilterShape shape_;
  ImageShape image_, delta_;
  bool narrow_;         // roles swapped: vectors run over the inputs instead of the outputs
  std::size_t n_rows_;  // of the sums, per kernel row
  std::size_t panel_width_;
  std::size_t stride_;  // of a row of sums
  std::size_t block_;   // image rows per product
  std::optional<WinogradGradient<T>> winograd_;
};

extern template class ConvFilter<float>;
extern template class ConvFilter<double>;
extern template class ConvFilterGradient<float>;
extern template class ConvFilterGradient<double>;

}  // namespace greybox
