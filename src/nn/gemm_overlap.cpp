// Products that share most of A, as neighbouring rows of a convolution do: what is loaded of A serves all of
// them.
#include <algorithm>
#include <type_traits>

#include "nn/gemm.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/gemm_overlap.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which sets the target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Vector = hn::Vec<hn::ScalableTag<T>>;

constexpr std::size_t kOuter = 3;                // outer indices: the rows of the usual kernel
constexpr std::size_t kProducts = 4, kRows = 4;  // of a tile
// A tile's sums and what they share need 32 registers; with 16, products one by one are quicker.
constexpr bool kIsQuicker = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL;

// Where a tile reads and writes: kRows rows of kProducts products, one vector of columns.
template <class T>
struct TilePlace {
  const T *a, *b;
  T* c;
};

template <class T>
HWY_INLINE void multiply_tile(const Product<T>& p, std::ptrdiff_t c_step, Vector<T> start,
                              const TilePlace<T>& at) {
  const hn::ScalableTag<T> d;
  Vector<T> sums[kProducts][kRows];
  HWY_UNROLL(4)
  for (auto& rows : sums) {
    HWY_UNROLL(4)
    for (auto& sum : rows) sum = start;
  }
  const T *a = at.a, *b = at.b;
  for (std::size_t k = p.n_inner; k > 0; --k, ++a, b += p.b_inner) {
    Vector<T> columns[kOuter];
    HWY_UNROLL(3)
    for (std::size_t o = 0; o < kOuter; ++o) columns[o] = hn::LoadU(d, b + o * p.b_outer);
    HWY_UNROLL(6)
    for (std::size_t line = 0; line < kProducts + kOuter - 1; ++line) {
      HWY_UNROLL(4)
      for (std::size_t r = 0; r < kRows; ++r) {
        const auto x = hn::Set(d, a[line * p.a_outer + r * p.a_row]);
        HWY_UNROLL(3)
        for (std::size_t o = 0; o < kOuter; ++o) {
          const std::size_t i = line - o;
          if (i < kProducts) sums[i][r] = hn::MulAdd(x, columns[o], sums[i][r]);
        }
      }
    }
  }
  HWY_UNROLL(4)
  for (std::size_t i = 0; i < kProducts; ++i) {
    HWY_UNROLL(4)
    for (std::size_t r = 0; r < kRows; ++r) hn::StoreU(sums[i][r], d, at.c + i * c_step + r * p.c_row);
  }
}

// One vector of columns. The last products and rows are made twice where they fill no tile.
template <class T>
HWY_NOINLINE void multiply_column(const Product<T> p, const ProductSteps steps) {
  const auto start = hn::LoadU(hn::ScalableTag<T>(), p.init);
  for (std::size_t product = 0; product < steps.count; product += kProducts) {
    const std::size_t i = std::min(product, steps.count - kProducts);
    for (std::size_t row = 0; row < p.rows; row += kRows) {
      const std::size_t r = std::min(row, p.rows - kRows);
      multiply_tile(p, steps.c, start,
                    {.a = p.a + i * steps.a + r * p.a_row, .b = p.b, .c = p.c + i * steps.c + r * p.c_row});
    }
  }
}

template <class T>
void multiply_overlapping_any(const Product<T>& p, const ProductSteps& steps) {
  const bool has_tile = p.n_outer == kOuter && steps.count >= kProducts && p.rows >= kRows;
  if (!kIsQuicker || !has_tile) return multiply_many(p, steps);
  const std::size_t width = panel_width<T>(p.columns), n_panels = (p.columns + width - 1) / width;
  for (std::size_t panel = 0; panel < n_panels; ++panel) {
    for (std::size_t v = 0; v < width; v += hn::Lanes(hn::ScalableTag<T>())) {
      Product<T> column = p;
      column.b += panel * p.b_panel + v;
      column.init += panel * p.init_panel + v;
      column.c += panel * p.c_panel + v;
      multiply_column(column, steps);
    }
  }
}

}  // namespace

void multiply_overlapping_float(const Product<float>& p, const ProductSteps& steps) {
  multiply_overlapping_any(p, steps);
}
void multiply_overlapping_double(const Product<double>& p, const ProductSteps& steps) {
  multiply_overlapping_any(p, steps);
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {

HWY_EXPORT(multiply_overlapping_float);
HWY_EXPORT(multiply_overlapping_double);

template <class T>
void multiply_overlapping(const Product<T>& first, const ProductSteps& steps) {
  if constexpr (std::is_same_v<T, float>) {
    HWY_DYNAMIC_DISPATCH(multiply_overlapping_float)(first, steps);
  } else {
    HWY_DYNAMIC_DISPATCH(multiply_overlapping_double)(first, steps);
  }
}

template void multiply_overlapping(const Product<float>&, const ProductSteps&);
template void multiply_overlapping(const Product<double>&, const ProductSteps&);

}  // namespace greybox
#endif
