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

// A row of tiles as they lie in images, channels innermost. The last tile ends where the row ends, and for
// that may overlap the one before.
struct TileRow {
  std::size_t width = 0;       // results per row, at least kWinogradTile
  std::size_t n_channels = 0;  // whole vectors of them are read and written
  std::size_t stride = 0;      // values from one transformed tile to the next
  std::ptrdiff_t place = 0;    // values from one place of a transformed tile to the next
  std::ptrdiff_t row = 0;      // values from one image row to the next
  std::ptrdiff_t pixel = 0;    // values from one pixel to the next

  std::size_t n_tiles() const { return (width + kWinogradTile - 1) / kWinogradTile; }
};

// Transformed tiles are arrays [place][tile][channel].
template <class T>
struct WinogradKernels {
  void (*from_image)(const TileRow& row, const T* image, T* transformed);  // Bᵀ d B
  void (*from_delta)(const TileRow& row, const T* delta, T* transformed);  // A e Aᵀ
  void (*to_result)(const TileRow& row, const T* transformed, T* result);  // Aᵀ m A
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
