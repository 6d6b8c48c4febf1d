// Register-tiled matrix products, compiled once per SIMD target and chosen at run time.
#include "nn/gemm.hpp"

#include <array>
#include <type_traits>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/gemm.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which sets the target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Tallest tile: its sums (rows × 2 vectors), the two vectors of B and one of A must fit in the registers.
#if HWY_IS_ASAN || defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kMaxRows = 3;  // tall tiles take minutes to compile when every access is checked
#elif HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
constexpr std::size_t kMaxRows = 14;
#else
constexpr std::size_t kMaxRows = 6;
#endif

template <class T>
using Vector = hn::Vec<hn::ScalableTag<T>>;

template <std::size_t kRows, std::size_t kVectors, class T>
using Tile = Vector<T>[kRows][kVectors];

// Where one tile of a product reads and writes.
template <class T>
struct Place {
  const T *a, *b, *init, *mask;
  T* c;
};

template <std::size_t kRows, std::size_t kVectors, class T>
HWY_INLINE void clear(Tile<kRows, kVectors, T>& tile) {
  HWY_UNROLL(16)
  for (std::size_t r = 0; r < kRows; ++r) {
    HWY_UNROLL(2)
    for (std::size_t v = 0; v < kVectors; ++v) tile[r][v] = hn::Zero(hn::ScalableTag<T>());
  }
}

template <std::size_t kRows, std::size_t kVectors, class T>
HWY_INLINE void load(const T* from, std::ptrdiff_t row, Tile<kRows, kVectors, T>& tile) {
  const hn::ScalableTag<T> d;
  HWY_UNROLL(16)
  for (std::size_t r = 0; r < kRows; ++r) {
    HWY_UNROLL(2)
    for (std::size_t v = 0; v < kVectors; ++v) tile[r][v] = hn::LoadU(d, from + r * row + v * hn::Lanes(d));
  }
}

template <std::size_t kRows, std::size_t kVectors, class T>
HWY_INLINE void accumulate(const Product<T>& p, const T* a, const T* b, Tile<kRows, kVectors, T>& tile) {
  const hn::ScalableTag<T> d;
  const std::ptrdiff_t a_row = p.a_row, a_inner = p.a_inner, b_inner = p.b_inner;
  HWY_UNROLL(4)
  for (std::size_t k = p.n_inner; k > 0; --k) {
    Vector<T> column[kVectors];
    HWY_UNROLL(2)
    for (std::size_t v = 0; v < kVectors; ++v) column[v] = hn::LoadU(d, b + v * hn::Lanes(d));
    HWY_UNROLL(16)
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto x = hn::Set(d, a[r * a_row]);
      HWY_UNROLL(2)
      for (std::size_t v = 0; v < kVectors; ++v) tile[r][v] = hn::MulAdd(x, column[v], tile[r][v]);
    }
    a += a_inner;
    b += b_inner;
  }
}

// Values pass where `mask`, or without a mask the value itself, is above zero; elsewhere they are scaled.
template <std::size_t kRows, std::size_t kVectors, class T>
HWY_INLINE void leak(T slope, const T* mask, std::ptrdiff_t mask_row, Tile<kRows, kVectors, T>& tile) {
  const hn::ScalableTag<T> d;
  const auto factor = hn::Set(d, slope);
  HWY_UNROLL(16)
  for (std::size_t r = 0; r < kRows; ++r) {
    HWY_UNROLL(2)
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto x = tile[r][v];
      const auto sign = mask ? hn::LoadU(d, mask + r * mask_row + v * hn::Lanes(d)) : x;
      // A comparison, not a maximum: NaN and infinity come through.
      tile[r][v] = hn::IfThenElse(hn::Gt(sign, hn::Zero(d)), x, hn::Mul(x, factor));
    }
  }
}

template <std::size_t kRows, std::size_t kVectors, class T>
HWY_INLINE void store(const Tile<kRows, kVectors, T>& tile, T* to, std::ptrdiff_t row) {
  const hn::ScalableTag<T> d;
  HWY_UNROLL(16)
  for (std::size_t r = 0; r < kRows; ++r) {
    HWY_UNROLL(2)
    for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(tile[r][v], d, to + r * row + v * hn::Lanes(d));
  }
}

template <std::size_t kRows, std::size_t kVectors, class T>
HWY_NOINLINE void multiply_tile(const Product<T>& p, const Place<T>& at) {
  Tile<kRows, kVectors, T> tile;
  if (at.init) {
    load<kRows, kVectors, T>(at.init, p.init_row, tile);
  } else {
    clear<kRows, kVectors, T>(tile);
  }
  for (std::size_t o = 0; o < p.n_outer; ++o) {
    accumulate<kRows, kVectors, T>(p, at.a + o * p.a_outer, at.b + o * p.b_outer, tile);
  }
  if (p.epilogue == Epilogue::leaky) leak<kRows, kVectors, T>(p.slope, nullptr, 0, tile);
  if (p.epilogue == Epilogue::leaky_mask) leak<kRows, kVectors, T>(p.slope, at.mask, p.mask_row, tile);
  store<kRows, kVectors, T>(tile, at.c, p.c_row);
}

template <class T>
using TileKernel = void (*)(const Product<T>&, const Place<T>&);

// Entry r is the kernel for r + 1 rows.
template <std::size_t kVectors, class T, std::size_t... r>
constexpr std::array<TileKernel<T>, sizeof...(r)> tile_kernels(std::index_sequence<r...>) {
  return {multiply_tile<r + 1, kVectors, T>...};
}

template <std::size_t kVectors, class T>
void multiply_panels(const Product<T>& p, const Place<T>& at) {
  static constexpr auto kKernels = tile_kernels<kVectors, T>(std::make_index_sequence<kMaxRows>{});
  const std::size_t width = kVectors * hn::Lanes(hn::ScalableTag<T>());
  const std::size_t n_panels = (p.columns + width - 1) / width;
  const std::size_t n_tiles = (p.rows + kMaxRows - 1) / kMaxRows;
  for (std::size_t panel = 0; panel < n_panels; ++panel) {
    std::size_t row = 0;
    for (std::size_t tile = 0; tile < n_tiles; ++tile) {
      // Heights differ by at most one: a short last tile would wait for the latency of its few sums.
      const std::size_t height = (p.rows - row) / (n_tiles - tile);
      kKernels[height - 1](p, {.a = at.a + row * p.a_row,
                               .b = at.b + panel * p.b_panel,
                               .init = at.init ? at.init + row * p.init_row + panel * p.init_panel : nullptr,
                               .mask = at.mask ? at.mask + row * p.mask_row + panel * p.mask_panel : nullptr,
                               .c = at.c + row * p.c_row + panel * p.c_panel});
      row += height;
    }
  }
}

// Two vectors reuse each value of A twice; one wastes fewer lanes when the columns fill an odd, small number.
template <class T>
std::size_t vectors_per_panel(std::size_t columns) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  const std::size_t n_vectors = (columns + lanes - 1) / lanes;
  return n_vectors % 2 == 1 && n_vectors < 5 ? 1 : 2;
}

template <class T>
void multiply_any(const Product<T>& p) {
  if (p.rows == 0 || p.columns == 0) return;
  const auto multiply_one = vectors_per_panel<T>(p.columns) == 1 ? multiply_panels<1, T> : multiply_panels<2, T>;
  for (std::size_t i = 0; i < p.n_products; ++i) {
    multiply_one(p, {.a = p.a + i * p.a_product,
                     .b = p.b + i * p.b_product,
                     .init = p.init ? p.init + i * p.init_product : nullptr,
                     .mask = p.mask,
                     .c = p.c + i * p.c_product});
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
