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

// A row of tiles, channels innermost, as pixels and as places. The last tile ends where the row of pixels
// ends, and for that may overlap the one before.
struct TileShape {
  std::size_t width = 0;       // results per row, at least kWinogradTile
  std::size_t n_channels = 0;  // whole vectors of them are read and written
  std::ptrdiff_t row = 0;      // values from one row of pixels to the next
  std::ptrdiff_t pixel = 0;    // values from one pixel of a row to the next
  std::ptrdiff_t tile = 0;     // values from one tile of a place to the next
  std::ptrdiff_t place = 0;    // values from one place to the next

  std::size_t n_tiles() const { return (width + kWinogradTile - 1) / kWinogradTile; }
};

// Each takes a row of tiles through registers, a tile after the other.
template <class T>
struct WinogradKernels {
  void (*image_places)(TileShape shape, const T* image, T* places);                   // Bᵀ d B
  void (*delta_places)(TileShape shape, const T* delta, T* places);                   // A e Aᵀ
  void (*result_pixels)(TileShape shape, const T* places, const T* bias, T* result);  // Aᵀ m A + bias
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
