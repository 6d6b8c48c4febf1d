// 3 × 3 filters and their gradient by Winograd's method, a few rows of tiles at a time.
#pragma once

#include <cstddef>

#include "core/aligned_buffer.hpp"
#include "nn/filter_shape.hpp"
#include "nn/padding.hpp"
#include "nn/winograd.hpp"

namespace greybox {

// Filters packed for the matrix kernel, one matrix per place of a transformed tile.
template <class T>
class WinogradFilter {
 public:
  // Whether the method can be used and is faster in spite of its transforms.
  static bool suits(const FilterShape& shape, const FilterArea& area);

  WinogradFilter(const FilterShape& shape, const FilterArea& area);

  void pack(const T* weights);
  // Takes the weights of the convolution whose adjoint this filter is.
  void pack_adjoint(const T* weights);
  void set_bias(const T* bias);

  // `n_rows` rows of results, at least kWinogradTile. `scratch` has scratch_size() values.
  void apply(std::size_t n_rows, const T* image, T* result, T* scratch) const;
  std::size_t scratch_size() const;

 private:
  void pack_one(std::size_t output, std::size_t input, const double (&filter)[9]);
  void apply_rows(std::size_t first, std::size_t n, std::size_t height, const T* image, T* result,
                  T* scratch) const;
  void multiply_places(std::size_t n_tiles, const T* image, T* result) const;

  FilterShape shape_;
  std::size_t panel_width_, stride_;
  TileShape image_, result_;
  bool in_place_;            // whether products may take the place of what they are made of
  AlignedBuffer<T> packed_;  // [panel][place][input][width]
  AlignedBuffer<T> bias_;
};

// The gradient of a filter's weights, gathered in transformed form: [place][input][output].
template <class T>
class WinogradGradient {
 public:
  static bool suits(const FilterShape& shape, const ImageShape& image);

  // As ConvFilterGradient.
  WinogradGradient(const FilterShape& shape, const ImageShape& image, const ImageShape& delta);

  std::size_t size() const { return kWinogradPlaces * shape_.n_inputs * stride_; }
  // `n_rows`: a multiple of kWinogradTile.
  void add(std::size_t n_rows, const T* image, const T* delta, T* sums, T* scratch) const;
  std::size_t scratch_size() const;
  void unpack(const T* sums, T* gradient) const;

 private:
  void add_rows(std::size_t n_rows, const T* image, const T* delta, T* sums, T* scratch) const;
  void multiply_places(std::size_t n_tiles, const T* image, const T* delta, T* sums) const;

  FilterShape shape_;
  ImageShape image_, delta_;
  std::size_t stride_;  // of a row of sums
  TileShape image_tiles_, delta_tiles_;
};

extern template class WinogradFilter<float>;
extern template class WinogradFilter<double>;
extern template class WinogradGradient<float>;
extern template class WinogradGradient<double>;

}  // namespace greybox
