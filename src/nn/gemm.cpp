// Register-tiled matrix products, compiled once per SIMD target and chosen at run time.
#include "nn/gemm.hpp"

#include <array>
#include <type_traits>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/gemm.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which sets the target.
#include "nn/gemm_tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace {
template <std::size_t kRows, std::size_t kVectors, Along kAlong, class T>
HWY_NOINLINE void multiply_tile(const Product<T>& p, const Place<T>& at) {
  Tile<kRows, kVectors, T> tile;
  if (at.init) {
    load<kRows, kVectors, T>(at.init, p.init_row, tile);
  } else {
    clear<kRows, kVectors, T>(tile);
  }
  for (std::size_t o = 0; o < p.n_outer; ++o) {
    accumulate<kRows, kVectors, kAlong, T>(p, at.a + o * p.a_outer, at.b + o * p.b_outer, tile);
  }
  if (p.epilogue == Epilogue::leaky) leak<kRows, kVectors, T>(p.slope, nullptr, 0, tile);
  if (p.epilogue == Epilogue::leaky_mask) leak<kRows, kVectors, T>(p.slope, at.mask, p.mask_row, tile);
  store<kRows, kVectors, T>(tile, at.c, p.c_row);
}

template <class T>
using TileKernel = void (*)(const Product<T>&, const Place<T>&);

// Entry r is the kernel for r + 1 rows.
template <std::size_t kVectors, Along kAlong, class T, std::size_t... r>
constexpr std::array<TileKernel<T>, sizeof...(r)> tile_kernels(std::index_sequence<r...>) {
  return {multiply_tile<r + 1, kVectors, kAlong, T>...};
}

template <std::size_t kVectors, Along kAlong, class T>
void multiply_panels(const Product<T>& p) {
  static constexpr auto kKernels =
      tile_kernels<kVectors, kAlong, T>(std::make_index_sequence<kMaxRows<kVectors>>{});
  const std::size_t width = kVectors * hn::Lanes(hn::ScalableTag<T>());
  const std::size_t n_panels = (p.columns + width - 1) / width;
  const std::size_t n_tiles = (p.rows + kMaxRows<kVectors> - 1) / kMaxRows<kVectors>;
  for (std::size_t panel = 0; panel < n_panels; ++panel) {
    std::size_t row = 0;
    for (std::size_t tile = 0; tile < n_tiles; ++tile) {
      // Heights differ by at most one: a short last tile would wait for the latency of its few sums.
      const std::size_t height = (p.rows - row) / (n_tiles - tile);
      kKernels[height - 1](p, {.a = p.a + row * p.a_row,
                               .b = p.b + panel * p.b_panel,
                               .init = p.init ? p.init + row * p.init_row + panel * p.init_panel : nullptr,
                               .mask = p.mask ? p.mask + row * p.mask_row + panel * p.mask_panel : nullptr,
                               .c = p.c + row * p.c_row + panel * p.c_panel});
      row += height;
    }
  }
}

template <class T>
void multiply_any(const Product<T>& p) {
  if (p.rows == 0 || p.columns == 0) return;
  const bool is_single = vectors_per_panel<T>(p.columns) == 1;
  if (p.a_inner == 1) {
    is_single ? multiply_panels<1, Along::inner>(p) : multiply_panels<2, Along::inner>(p);
  } else {
    is_single ? multiply_panels<1, Along::rows>(p) : multiply_panels<2, Along::rows>(p);
  }
}

template <class T>
std::size_t panel_width_any(std::size_t columns) {
  return vectors_per_panel<T>(columns) * hn::Lanes(hn::ScalableTag<T>());
}

}  // namespace

void multiply_float(const Product<float>& p) {
  multiply_any(p);
}
void multiply_double(const Product<double>& p) {
  multiply_any(p);
}
std::size_t panel_width_float(std::size_t columns) {
  return panel_width_any<float>(columns);
}
std::size_t panel_width_double(std::size_t columns) {
  return panel_width_any<double>(columns);
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {

HWY_EXPORT(multiply_float);
HWY_EXPORT(multiply_double);
HWY_EXPORT(panel_width_float);
HWY_EXPORT(panel_width_double);

template <class T>
std::size_t panel_width(std::size_t columns) {
  if constexpr (std::is_same_v<T, float>) {
    return HWY_DYNAMIC_DISPATCH(panel_width_float)(columns);
  } else {
    return HWY_DYNAMIC_DISPATCH(panel_width_double)(columns);
  }
}

template <class T>
void multiply(const Product<T>& product) {
  if constexpr (std::is_same_v<T, float>) {
    HWY_DYNAMIC_DISPATCH(multiply_float)(product);
  } else {
    HWY_DYNAMIC_DISPATCH(multiply_double)(product);
  }
}

template std::size_t panel_width<float>(std::size_t);
template std::size_t panel_width<double>(std::size_t);
template void multiply(const Product<float>&);
template void multiply(const Product<double>&);

}  // namespace greybox
#endif
