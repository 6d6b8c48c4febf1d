// Products that share A: of few rows, three go in one sweep, so that there are sums enough to hide the
// latency of the additions.
#include <array>
#include <type_traits>
#include <utility>

#include "nn/gemm.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/gemm_shared.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which sets the target.
#include "nn/gemm_tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace {

constexpr std::size_t kTogether = 3;  // the rows of the usual kernel
template <std::size_t kVectors>
constexpr std::size_t kMaxSharedRows = kMaxRows<kVectors> / kTogether;

template <std::size_t kRows, std::size_t kVectors, class T>
using Tiles = Tile<kRows, kVectors, T>[kTogether];

// One outer index of all products.
template <std::size_t kRows, std::size_t kVectors, class T>
HWY_INLINE void accumulate(const Product<T>& p, std::ptrdiff_t b_step, const T* a, const T* b,
                           Tiles<kRows, kVectors, T>& tiles) {
  const hn::ScalableTag<T> d;
  for (std::size_t k = p.n_inner; k > 0; --k, a += p.a_inner, b += p.b_inner) {
    Vector<T> columns[kTogether][kVectors];
    HWY_UNROLL(3)
    for (std::size_t i = 0; i < kTogether; ++i) {
      HWY_UNROLL(2)
      for (std::size_t v = 0; v < kVectors; ++v)
        columns[i][v] = hn::LoadU(d, b + i * b_step + v * hn::Lanes(d));
    }
    HWY_UNROLL(6)
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto x = hn::Set(d, a[r]);
      HWY_UNROLL(3)
      for (std::size_t i = 0; i < kTogether; ++i) {
        HWY_UNROLL(2)
        for (std::size_t v = 0; v < kVectors; ++v)
          tiles[i][r][v] = hn::MulAdd(x, columns[i][v], tiles[i][r][v]);
      }
    }
  }
}

template <std::size_t kRows, std::size_t kVectors, class T>
HWY_NOINLINE void multiply_together(const Product<T>& p, const ProductSteps& steps, const Place<T>& at) {
  Tiles<kRows, kVectors, T> tiles;
  HWY_UNROLL(3)
  for (std::size_t i = 0; i < kTogether; ++i)
    load<kRows, kVectors, T>(at.init + i * steps.init, p.init_row, tiles[i]);
  for (std::size_t o = 0; o < p.n_outer; ++o)
    accumulate<kRows, kVectors, T>(p, steps.b, at.a + o * p.a_outer, at.b + o * p.b_outer, tiles);
  HWY_UNROLL(3)
  for (std::size_t i = 0; i < kTogether; ++i)
    store<kRows, kVectors, T>(tiles[i], at.c + i * steps.c, p.c_row);
}

template <class T>
using SharedKernel = void (*)(const Product<T>&, const ProductSteps&, const Place<T>&);

// Entry r is the kernel for r + 1 rows.
template <std::size_t kVectors, class T, std::size_t... r>
constexpr std::array<SharedKernel<T>, sizeof...(r)> shared_kernels(std::index_sequence<r...>) {
  return {multiply_together<r + 1, kVectors, T>...};
}

template <std::size_t kVectors, class T>
void multiply_panels(const Product<T>& p, const ProductSteps& steps) {
  static constexpr auto kKernels =
      shared_kernels<kVectors, T>(std::make_index_sequence<kMaxSharedRows<kVectors>>{});
  const std::size_t width = kVectors * hn::Lanes(hn::ScalableTag<T>());
  const std::size_t n_panels = (p.columns + width - 1) / width;
  for (std::size_t panel = 0; panel < n_panels; ++panel) {
    kKernels[p.rows - 1](p, steps,
                         {.a = p.a,
                          .b = p.b + panel * p.b_panel,
                          .init = p.init + panel * p.init_panel,
                          .mask = nullptr,
                          .c = p.c + panel * p.c_panel});
  }
}

template <class T>
void multiply_shared_any(Product<T> p, const ProductSteps& steps) {
  const bool is_single = vectors_per_panel<T>(p.columns) == 1;
  const bool is_low = p.rows <= (is_single ? kMaxSharedRows<1> : kMaxSharedRows<2>);
  for (std::size_t left = steps.count, n = 0; left > 0; left -= n) {
    n = is_low && left >= kTogether ? kTogether : 1;
    if (n == 1)
      multiply(p);
    else
      is_single ? multiply_panels<1>(p, steps) : multiply_panels<2>(p, steps);
    const auto done = static_cast<std::ptrdiff_t>(n);
    p.b += done * steps.b, p.init += done * steps.init, p.c += done * steps.c;
  }
}

}  // namespace

void multiply_shared_float(const Product<float>& p, const ProductSteps& steps) {
  multiply_shared_any(p, steps);
}
void multiply_shared_double(const Product<double>& p, const ProductSteps& steps) {
  multiply_shared_any(p, steps);
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {

HWY_EXPORT(multiply_shared_float);
HWY_EXPORT(multiply_shared_double);

template <class T>
void multiply_shared(const Product<T>& first, const ProductSteps& steps) {
  if constexpr (std::is_same_v<T, float>) {
    HWY_DYNAMIC_DISPATCH(multiply_shared_float)(first, steps);
  } else {
    HWY_DYNAMIC_DISPATCH(multiply_shared_double)(first, steps);
  }
}

template void multiply_shared(const Product<float>&, const ProductSteps&);
template void multiply_shared(const Product<double>&, const ProductSteps&);

}  // namespace greybox
#endif
