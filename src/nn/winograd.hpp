// Winograd's F(4 × 4, 3 × 3): 4 × 4 results of a 3 × 3 filter from 6 × 6 pixels with a quarter of the
// products.
#pragma once

#include <cstddef>

namespace greybox {

// With matrices A, B, G (Lavin and Gray, "Fast algorithms for convolutional neural networks", 2016), filter
// g, pixels d, results y and their gradient e, channels apart:
//   y = Aᵀ [(G g Gᵀ) ⊙ (Bᵀ d B)] A,   dg = Gᵀ [(Bᵀ d B) ⊙ (A e Aᵀ)] G
// ⊙ acts on 36 places, and over channels it is 36 matrix products.
inline constexpr std::size_t kWinogradTile = 4;     // results per side
inline constexpr std::size_t kWinogradPatch = 6;    // pixels per side
inline constexpr std::size_t kWinogradPlaces = 36;  // of a transformed tile

// The transforms act on one direction at a time. Down the columns a few image rows become six *lines*, of
// which every value is made alike; along a line, the pixels of each tile become six *places*. One line of
// tiles at a time stays in the first-level cache from the transform through the product to the transform
// back.

// Image rows and the lines made of them: `size` values of each, read and written in whole vectors.
struct LineShape {
  std::size_t size = 0;
  std::ptrdiff_t row = 0;   // values from one image row to the next
  std::ptrdiff_t line = 0;  // values from one line to the next
};

// The tiles of a line, channels innermost. The last tile ends where the line ends, and for that may overlap
// the one before.
struct TileShape {
  std::size_t width = 0;       // results per line, at least kWinogradTile
  std::size_t n_channels = 0;  // whole vectors of them are read and written
  std::ptrdiff_t pixel = 0;    // values from one pixel of a line to the next
  std::ptrdiff_t stride = 0;   // values from one tile of a place to the next
  std::ptrdiff_t place = 0;    // values from one place to the next

  std::size_t n_tiles() const { return (width + kWinogradTile - 1) / kWinogradTile; }
};

// Lines are made of rows (or, for results, rows of lines) and places of lines (lines of places).
template <class T>
struct WinogradKernels {
  void (*image_lines)(const LineShape& shape, const T* image, T* lines);   // Bᵀ d
  void (*delta_lines)(const LineShape& shape, const T* delta, T* lines);   // A e
  void (*result_rows)(const LineShape& shape, const T* lines, T* result);  // Aᵀ m
  void (*image_places)(const TileShape& shape, const T* line, T* places);  // d B
  void (*delta_places)(const TileShape& shape, const T* line, T* places);  // e Aᵀ
  void (*result_line)(const TileShape& shape, const T* places, T* line);   // m A
};

// The kernels for this CPU.
template <class T>
const WinogradKernels<T>& winograd_kernels();

// G g Gᵀ of a 3 × 3 filter, and its adjoint, Gᵀ u G.
void transform_filter(const double (&filter)[9], double (&transformed)[kWinogradPlaces]);
void transform_filter_back(const double (&transformed)[kWinogradPlaces], double (&filter)[9]);

extern template const WinogradKernels<float>& winograd_kernels();
extern template const WinogradKernels<double>& winograd_kernels();

}  // namespace greybox
