// Many small products at once: what a product costs to set up is shared by all of them.
#include <array>
#include <type_traits>
#include <utility>

#include "nn/gemm.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/gemm_many.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which sets the target.
#include "nn/gemm_tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace {

// The same tile of every product. It works on copies of the sizes, which no store can change: those behind a
// reference would be read again for every product.
template <std::size_t kRows, std::size_t kVectors, Along kAlong, class T>
HWY_NOINLINE void multiply_tiles(const Product<T>& product, const ProductSteps& many, Place<T> at) {
  const Product<T> p = product;
  const ProductSteps steps = many;
  for (std::size_t i = 0; i < steps.count; ++i) {
    Tile<kRows, kVectors, T> tile;
    if (at.init)
      load<kRows, kVectors, T>(at.init, p.init_row, tile);
    else
      clear<kRows, kVectors, T>(tile);
    for (std::size_t o = 0; o < p.n_outer; ++o)
      accumulate<kRows, kVectors, kAlong, T>(p, at.a + o * p.a_outer, at.b + o * p.b_outer, tile);
    store<kRows, kVectors, T>(tile, at.c, p.c_row);
    at.a += steps.a, at.b += steps.b, at.init += at.init ? steps.init : 0, at.c += steps.c;
  }
}

template <class T>
using TilesKernel = void (*)(const Product<T>&, const ProductSteps&, Place<T>);

// Entry r is the kernel for r + 1 rows.
template <std::size_t kVectors, Along kAlong, class T, std::size_t... r>
constexpr std::array<TilesKernel<T>, sizeof...(r)> tiles_kernels(std::index_sequence<r...>) {
  return {multiply_tiles<r + 1, kVectors, kAlong, T>...};
}

template <std::size_t kVectors, Along kAlong, class T>
void multiply_panels(const Product<T>& p, const ProductSteps& steps) {
  static constexpr auto kKernels =
      tiles_kernels<kVectors, kAlong, T>(std::make_index_sequence<kMaxRows<kVectors>>{});
  const std::size_t width = kVectors * hn::Lanes(hn::ScalableTag<T>());
  const std::size_t n_panels = (p.columns + width - 1) / width;
  const std::size_t n_tiles = (p.rows + kMaxRows<kVectors> - 1) / kMaxRows<kVectors>;
  for (std::size_t panel = 0; panel < n_panels; ++panel) {
    std::size_t row = 0;
    for (std::size_t tile = 0; tile < n_tiles; ++tile) {
      const std::size_t height = (p.rows - row) / (n_tiles - tile);
      kKernels[height - 1](p, steps,
                           {.a = p.a + row * p.a_row,
                            .b = p.b + panel * p.b_panel,
                            .init = p.init ? p.init + row * p.init_row + panel * p.init_panel : nullptr,
                            .mask = nullptr,
                            .c = p.c + row * p.c_row + panel * p.c_panel});
      row += height;
    }
  }
}

template <class T>
void multiply_many_any(const Product<T>& p, const ProductSteps& steps) {
  const bool is_single = vectors_per_panel<T>(p.columns) == 1;
  if (p.a_inner == 1) {
    is_single ? multiply_panels<1, Along::inner>(p, steps) : multiply_panels<2, Along::inner>(p, steps);
  } else {
    is_single ? multiply_panels<1, Along::rows>(p, steps) : multiply_panels<2, Along::rows>(p, steps);
  }
}

}  // namespace

void multiply_many_float(const Product<float>& p, const ProductSteps& steps) {
  multiply_many_any(p, steps);
}
void multiply_many_double(const Product<double>& p, const ProductSteps& steps) {
  multiply_many_any(p, steps);
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {

HWY_EXPORT(multiply_many_float);
HWY_EXPORT(multiply_many_double);

template <class T>
void multiply_many(const Product<T>& first, const ProductSteps& steps) {
  if constexpr (std::is_same_v<T, float>) {
    HWY_DYNAMIC_DISPATCH(multiply_many_float)(first, steps);
  } else {
    HWY_DYNAMIC_DISPATCH(multiply_many_double)(first, steps);
  }
}

template void multiply_many(const Product<float>&, const ProductSteps&);
template void multiply_many(const Product<double>&, const ProductSteps&);

}  // namespace greybox
#endif
