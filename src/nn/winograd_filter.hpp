// 3 × 3 filters and their gradient by Winograd's method, one row of tiles at a time.
#pragma once

#include <cstddef>

#include "core/aligned_buffer.hpp"
#include "nn/filter_shape.hpp"
#include "nn/padding.hpp"
#include "nn/winograd.hpp"

namespace greybox {

// Rows of tiles in transformed form: lines, and the places of one line, for which one product is made.
struct WinogradTiles {
  LineShape lines;
  TileShape tiles;
  std::size_t n_rows = 1;  // rows of tiles that go into one product

  // Where a line of a row of tiles begins, and where the row's first tile does in a place.
  std::size_t line(std::size_t row, std::size_t i) const {
    return (row * kWinogradPatch + i) * static_cast<std::size_t>(lines.line);
  }
  std::size_t first_tile(std::size_t row) const {
    return row * tiles.n_tiles() * static_cast<std::size_t>(tiles.stride);
  }
  std::size_t lines_size() const { return n_rows * kWinogradPatch * static_cast<std::size_t>(lines.line); }
  std::size_t size() const { return lines_size() + kWinogradPatch * static_cast<std::size_t>(tiles.place); }
};

// Filters packed for the matrix kernel, one matrix per place of a transformed tile.
template <class T>
class WinogradFilter {
 public:
  // Whether the method can be used and is worth its transforms.
  static bool suits(const FilterShape& shape, const FilterArea& area);

  WinogradFilter(const FilterShape& shape, const FilterArea& area);

  void pack(const T* weights);
  // Takes the weights of the convolution whose adjoint this filter is.
  void pack_adjoint(const T* weights);
  void set_bias(const T* bias);

  // `n_rows` rows of results, at least kWinogradTile. `scratch` has scratch_size() values.
  void apply(std::size_t n_rows, const T* image, T* result, T* scratch) const;
  std::size_t scratch_size() const { return image_.size() + result_.size(); }

 private:
  void pack_one(std::size_t output, std::size_t input, const double (&filter)[9]);
  void apply_rows(std::size_t first, std::size_t n, std::size_t height, const T* image, T* result,
                  T* scratch) const;
  void multiply_places(std::size_t line, std::size_t n_tiles, const T* image, T* result) const;

  FilterShape shape_;
  FilterArea area_;
  std::size_t panel_width_, stride_;
  WinogradTiles image_, result_;
  AlignedBuffer<T> packed_;  // [panel][place][input][width]
  AlignedBuffer<T> start_;   // [place][output]: what the sums start from
};

// The gradient of a filter's weights, gathered in transformed form: [place][input][output].
template <class T>
class WinogradGradient {
 public:
  static bool suits(const FilterShape& shape, const ImageShape& image);

  // As ConvFilterGradient.
  WinogradGradient(const FilterShape& shape, const ImageShape& image, const ImageShape& delta);

  std::size_t size() const {
    return kWinogradPlaces * shape_.n_inputs * static_cast<std::size_t>(delta_tiles_.tiles.stride);
  }
  // `n_rows`: a multiple of kWinogradTile.
  void add(std::size_t n_rows, const T* image, const T* delta, T* sums, T* scratch) const;
  std::size_t scratch_size() const { return image_tiles_.size() + delta_tiles_.size(); }
  void unpack(const T* sums, T* gradient) const;

 private:
  void add_rows(std::size_t n_rows, const T* image, const T* delta, T* sums, T* scratch) const;
  void multiply_places(std::size_t n_tiles, const T* image, const T* delta, T* sums) const;

  FilterShape shape_;
  ImageShape image_, delta_;
  WinogradTiles image_tiles_, delta_tiles_;
};

extern template class WinogradFilter<float>;
extern template class WinogradFilter<double>;
extern template class WinogradGradient<float>;
extern template class WinogradGradient<double>;

}  // namespace greybox
