// Products with few columns, and sums of rows: vectors run along the rows of memory.
#include <algorithm>
#include <type_traits>

#include "nn/gemm.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/gemm_narrow.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which sets the target.
#include "nn/lane_sums-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kRows = 4;  // dot products side by side, to hide the latency of the additions

// Sums of products of rows of A with kColumns columns of B, still spread over the lanes.
template <std::size_t kColumns, class T>
using Sums = Vector<T>[kColumns][kRows];

// Adds the products of one vector of the inner index.
template <std::size_t kCount, std::size_t kColumns, class T, class Load>
HWY_INLINE void add_products(const NarrowProduct<T>& p, const T* a, const T* b, const Load& load_vector,
                             Sums<kColumns, T>& sums) {
  Vector<T> row[kCount];
  HWY_UNROLL(4)
  for (std::size_t r = 0; r < kCount; ++r) row[r] = load_vector(a + r * p.a_row);
  HWY_UNROLL(2)
  for (std::size_t j = 0; j < kColumns; ++j) {
    const auto column = load_vector(b + j * p.b_column);
    HWY_UNROLL(4)
    for (std::size_t r = 0; r < kCount; ++r) sums[j][r] = hn::MulAdd(row[r], column, sums[j][r]);
  }
}

// The products of kCount rows of A and kColumns columns of B from one outer index.
template <std::size_t kCount, std::size_t kColumns, class T>
HWY_INLINE void accumulate(const NarrowProduct<T>& p, const T* a, const T* b, Sums<kColumns, T>& sums) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t k = 0;
  for (; k + lanes <= p.n_inner; k += lanes) {
    add_products<kCount, kColumns>(
        p, a + k, b + k, [&](const T* from) { return hn::LoadU(d, from); }, sums);
  }
  if (k == p.n_inner) return;
  const auto rest = hn::FirstN(d, p.n_inner - k);
  add_products<kCount, kColumns>(
      p, a + k, b + k, [&](const T* from) { return hn::MaskedLoad(rest, d, from); }, sums);
}

// The sum of each vector's lanes. All at once they take half the instructions of one after another.
#if HWY_TARGET == HWY_SCALAR

template <class T>
HWY_INLINE void sum_lanes(const Vector<T> (&v)[kRows], T* sums) {
  for (std::size_t r = 0; r < kRows; ++r) sums[r] = hn::GetLane(v[r]);
}

#else

template <class T>
HWY_INLINE void sum_lanes(const Vector<T> (&v)[kRows], T* sums) {
  const hn::ScalableTag<T> d;
  const hn::FixedTag<T, 16 / sizeof(T)> block;
  if constexpr (sizeof(T) == 4) {
    hn::StoreU(add_blocks(d, add_in_turn(add_in_turn(v[0], v[2]), add_in_turn(v[1], v[3]))), block, sums);
  } else {
    hn::StoreU(add_blocks(d, add_in_turn(v[0], v[1])), block, sums);
    hn::StoreU(add_blocks(d, add_in_turn(v[2], v[3])), block, sums + 2);
  }
}

#endif

#if HWY_TARGET != HWY_SCALAR

// Neighbouring sums of two columns fill a vector: so many rows of them.
template <class T>
constexpr std::size_t kPairRows = hn::MaxLanes(hn::ScalableTag<T>()) / 2;

template <class T>
using PairSums = Vector<T>[2 * kPairRows<T>];  // 2r and 2r + 1 are those of row r

// In a convolution of 3 × 3 the inner index runs over three pixels, and the next row begins one pixel
// further.
constexpr std::size_t kPixels = 3;

// The products of one vector of each pixel's channels. A vector is loaded once for all rows that see it.
template <class T, class Load>
HWY_INLINE void add_pair_products(const NarrowProduct<T>& p, const T* a, const T* b, const Load& load_vector,
                                  PairSums<T>& sums) {
  for (std::size_t o = p.n_outer; o > 0; --o, a += p.a_outer, b += p.b_outer) {
    Vector<T> first[kPixels], second[kPixels];
    HWY_UNROLL(3)
    for (std::size_t x = 0; x < kPixels; ++x) {
      first[x] = load_vector(b + x * p.a_row);
      second[x] = load_vector(b + x * p.a_row + p.b_column);
    }
    HWY_UNROLL(10)
    for (std::size_t i = 0; i < kPairRows<T> + kPixels - 1; ++i) {
      const auto pixel = load_vector(a + i * p.a_row);
      HWY_UNROLL(3)
      for (std::size_t x = 0; x < kPixels; ++x) {
        const std::size_t r = i - x;
        if (r >= kPairRows<T>) continue;
        sums[2 * r] = hn::MulAdd(pixel, first[x], sums[2 * r]);
        sums[2 * r + 1] = hn::MulAdd(pixel, second[x], sums[2 * r + 1]);
      }
    }
  }
}

// Two columns of kPairRows rows, all sums in one vector.
template <class T>
HWY_INLINE Vector<T> multiply_pairs(const NarrowProduct<T>& p, const T* a) {
  constexpr std::size_t kCount = kPairRows<T>, kPerBlock = 16 / sizeof(T);
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d), n = static_cast<std::size_t>(p.a_row);
  PairSums<T> sums;
  Vector<T> blocks[2 * kCount / kPerBlock];
  HWY_UNROLL(16)
  for (std::size_t i = 0; i < 2 * kCount; ++i) sums[i] = hn::Zero(d);
  std::size_t k = 0;
  for (; k + lanes <= n; k += lanes)
    add_pair_products(
        p, a + k, p.b + k, [&](const T* from) { return hn::LoadU(d, from); }, sums);
  if (k < n) {
    const auto rest = hn::FirstN(d, n - k);
    add_pair_products(
        p, a + k, p.b + k, [&](const T* from) { return hn::MaskedLoad(rest, d, from); }, sums);
  }
  HWY_UNROLL(4)
  for (std::size_t i = 0; i < 2 * kCount / kPerBlock; ++i) blocks[i] = sum_in_blocks<T>(sums + i * kPerBlock);
  return gather_blocks<T>(blocks);
}

// All rows of a convolution to two columns side by side, with one start for all rows; the last rows are made
// twice where they fill no vector.
template <class T>
HWY_NOINLINE void multiply_pair(NarrowProduct<T> p, const ProductSteps& steps) {
  const hn::ScalableTag<T> d;
  const auto start = hn::OddEven(hn::Set(d, p.init[1]), hn::Set(d, p.init[0]));
  for (std::size_t i = 0; i < steps.count; ++i, p.a += steps.a, p.c += steps.c) {
    for (std::size_t row = 0; row < p.rows; row += kPairRows<T>) {
      const std::size_t r = std::min(row, p.rows - kPairRows<T>);
      hn::StoreU(hn::Add(start, multiply_pairs(p, p.a + r * p.a_row)), d, p.c + r * p.c_row);
    }
  }
}

#endif

// kCount rows, each summed in the same order however many others there are.
template <std::size_t kCount, std::size_t kColumns, class T>
HWY_INLINE void multiply_block(const NarrowProduct<T>& p, std::size_t row, std::size_t column) {
  Sums<kColumns, T> products;
  HWY_UNROLL(2)
  for (std::size_t j = 0; j < kColumns; ++j) {
    HWY_UNROLL(4)
    for (std::size_t r = 0; r < kRows; ++r) products[j][r] = hn::Zero(hn::ScalableTag<T>());
  }
  for (std::size_t o = 0; o < p.n_outer; ++o) {
    accumulate<kCount, kColumns>(p, p.a + row * p.a_row + o * p.a_outer,
                                 p.b + column * p.b_column + o * p.b_outer, products);
  }
  HWY_UNROLL(2)
  for (std::size_t j = 0; j < kColumns; ++j) {
    T sums[kRows];
    sum_lanes<T>(products[j], sums);
    for (std::size_t r = 0; r < kCount; ++r) {
      const T start = p.init ? p.init[(row + r) * p.init_row + column + j] : T{0};
      p.c[(row + r) * p.c_row + column + j] = start + sums[r];
    }
  }
}

// Columns in pairs, which share the loads of A.
template <std::size_t kCount, class T>
HWY_INLINE void multiply_rows(const NarrowProduct<T>& p, std::size_t row) {
  std::size_t column = 0;
  for (; column + 2 <= p.columns; column += 2) multiply_block<kCount, 2>(p, row, column);
  if (column < p.columns) multiply_block<kCount, 1>(p, row, column);
}

template <class T>
void multiply_narrow_any(NarrowProduct<T> p, const ProductSteps& steps) {
#if HWY_TARGET != HWY_SCALAR
  const bool is_convolution = p.n_inner == kPixels * static_cast<std::size_t>(p.a_row) && p.init_row == 0;
  if (is_convolution && p.columns == 2 && p.c_row == 2 && p.init && p.rows >= kPairRows<T>)
    return multiply_pair(p, steps);
#endif
  for (std::size_t i = 0; i < steps.count; ++i, p.a += steps.a, p.c += steps.c) {
    std::size_t row = 0;
    for (; row + kRows <= p.rows; row += kRows) multiply_rows<kRows>(p, row);
    for (; row < p.rows; ++row) multiply_rows<1>(p, row);
  }
}

// Columns j to j + kCount vectors.
template <std::size_t kCount, class T>
HWY_INLINE void add_rows_at(std::size_t rows, std::size_t j, const T* x, std::ptrdiff_t row, T* sum) {
  const hn::ScalableTag<T> d;
  hn::Vec<hn::ScalableTag<T>> total[kCount];
  HWY_UNROLL(4)
  for (std::size_t v = 0; v < kCount; ++v) total[v] = hn::LoadU(d, sum + j + v * hn::Lanes(d));
  for (std::size_t r = 0; r < rows; ++r) {
    HWY_UNROLL(4)
    for (std::size_t v = 0; v < kCount; ++v) {
      total[v] = hn::Add(total[v], hn::LoadU(d, x + r * row + j + v * hn::Lanes(d)));
    }
  }
  HWY_UNROLL(4)
  for (std::size_t v = 0; v < kCount; ++v) hn::StoreU(total[v], d, sum + j + v * hn::Lanes(d));
}

template <class T>
void add_rows_any(std::size_t rows, std::size_t columns, const T* x, std::ptrdiff_t row, T* sum) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  std::size_t j = 0;
  for (; j + 4 * lanes <= columns; j += 4 * lanes) add_rows_at<4>(rows, j, x, row, sum);
  for (; j + lanes <= columns; j += lanes) add_rows_at<1>(rows, j, x, row, sum);
  for (; j < columns; ++j) {
    for (std::size_t r = 0; r < rows; ++r) sum[j] += x[r * row + j];
  }
}

}  // namespace

void multiply_narrow_float(const NarrowProduct<float>& p, const ProductSteps& steps) {
  multiply_narrow_any(p, steps);
}
void multiply_narrow_double(const NarrowProduct<double>& p, const ProductSteps& steps) {
  multiply_narrow_any(p, steps);
}
void add_rows_float(std::size_t rows, std::size_t columns, const float* x, std::ptrdiff_t row, float* sum) {
  add_rows_any(rows, columns, x, row, sum);
}
void add_rows_double(std::size_t rows, std::size_t columns, const double* x, std::ptrdiff_t row,
                     double* sum) {
  add_rows_any(rows, columns, x, row, sum);
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {

HWY_EXPORT(multiply_narrow_float);
HWY_EXPORT(multiply_narrow_double);
HWY_EXPORT(add_rows_float);
HWY_EXPORT(add_rows_double);

template <class T>
void multiply_narrow(const NarrowProduct<T>& first, const ProductSteps& steps) {
  if constexpr (std::is_same_v<T, float>) {
    HWY_DYNAMIC_DISPATCH(multiply_narrow_float)(first, steps);
  } else {
    HWY_DYNAMIC_DISPATCH(multiply_narrow_double)(first, steps);
  }
}

template <class T>
void add_rows(std::size_t rows, std::size_t columns, const T* x, std::ptrdiff_t row, T* sum) {
  if constexpr (std::is_same_v<T, float>) {
    HWY_DYNAMIC_DISPATCH(add_rows_float)(rows, columns, x, row, sum);
  } else {
    HWY_DYNAMIC_DISPATCH(add_rows_double)(rows, columns, x, row, sum);
  }
}

template void multiply_narrow(const NarrowProduct<float>&, const ProductSteps&);
template void multiply_narrow(const NarrowProduct<double>&, const ProductSteps&);
template void add_rows(std::size_t, std::size_t, const float*, std::ptrdiff_t, float*);
template void add_rows(std::size_t, std::size_t, const double*, std::ptrdiff_t, double*);

}  // namespace greybox
#endif
