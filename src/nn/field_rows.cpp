// Kernels between fields and pixels, compiled once per SIMD target and chosen at run time. Two fields are
// common, and go by whole vectors.
#include "nn/field_rows.hpp"

#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/field_rows.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which sets the target.
#include "core/double_sum-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Vector = hn::Vec<hn::ScalableTag<T>>;

HWY_INLINE bool are_pairs(const PixelRows& rows) {
  return rows.n_fields == 2 && rows.stride == 2;
}

// Calls in_pairs(pixel, value of a field) for whole vectors, one_by_one for the rest.
template <class T, class Pairs, class One>
HWY_INLINE void for_pairs(const PixelRows& rows, const Pairs& in_pairs, const One& one_by_one) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  for (std::size_t y = 0; y < rows.n_rows; ++y) {
    const std::size_t pixel = y * rows.pitch, value = rows.offset + y * rows.width;
    std::size_t x = 0;
    for (; x + lanes <= rows.width; x += lanes) in_pairs(pixel + 2 * x, value + x);
    for (; x < rows.width; ++x) one_by_one(pixel + 2 * x, value + x);
  }
}

// Calls f(index among the pixels' values, index in the field) for all values of field c.
template <class F>
HWY_INLINE void for_values(const PixelRows& rows, std::size_t c, const F& f) {
  for (std::size_t y = 0; y < rows.n_rows; ++y) {
    for (std::size_t x = 0; x < rows.width; ++x)
      f(y * rows.pitch + x * rows.stride + c, rows.offset + y * rows.width + x);
  }
}

template <class T>
void interleave(const PixelRows& rows, const T* const* fields, T* pixels) {
  const hn::ScalableTag<T> d;
  if (!are_pairs(rows)) {
    for (std::size_t c = 0; c < rows.n_fields; ++c)
      for_values(rows, c, [&](std::size_t pixel, std::size_t value) { pixels[pixel] = fields[c][value]; });
    return;
  }
  const T *first = fields[0], *second = fields[1];
  for_pairs<T>(
      rows,
      [&](std::size_t pixel, std::size_t value) HWY_ATTR {
        hn::StoreInterleaved2(hn::LoadU(d, first + value), hn::LoadU(d, second + value), d, pixels + pixel);
      },
      [&](std::size_t pixel, std::size_t value) {
        pixels[pixel] = first[value];
        pixels[pixel + 1] = second[value];
      });
}

template <class T>
void separate(const PixelRows& rows, const T* pixels, T* const* fields) {
  const hn::ScalableTag<T> d;
  if (!are_pairs(rows)) {
    for (std::size_t c = 0; c < rows.n_fields; ++c)
      for_values(rows, c, [&](std::size_t pixel, std::size_t value) { fields[c][value] = pixels[pixel]; });
    return;
  }
  T *first = fields[0], *second = fields[1];
  for_pairs<T>(
      rows,
      [&](std::size_t pixel, std::size_t value) HWY_ATTR {
        Vector<T> a, b;
        hn::LoadInterleaved2(d, pixels + pixel, a, b);
        hn::StoreU(a, d, first + value);
        hn::StoreU(b, d, second + value);
      },
      [&](std::size_t pixel, std::size_t value) {
        first[value] = pixels[pixel];
        second[value] = pixels[pixel + 1];
      });
}

template <class T>
void add_separated(const PixelRows& rows, const T* pixels, T* const* fields) {
  const hn::ScalableTag<T> d;
  if (!are_pairs(rows) || !fields[0] || !fields[1]) {
    for (std::size_t c = 0; c < rows.n_fields; ++c) {
      if (!fields[c]) continue;
      for_values(rows, c, [&](std::size_t pixel, std::size_t value) { fields[c][value] += pixels[pixel]; });
    }
    return;
  }
  T *first = fields[0], *second = fields[1];
  for_pairs<T>(
      rows,
      [&](std::size_t pixel, std::size_t value) HWY_ATTR {
        Vector<T> a, b;
        hn::LoadInterleaved2(d, pixels + pixel, a, b);
        hn::StoreU(hn::Add(hn::LoadU(d, first + value), a), d, first + value);
        hn::StoreU(hn::Add(hn::LoadU(d, second + value), b), d, second + value);
      },
      [&](std::size_t pixel, std::size_t value) {
        first[value] += pixels[pixel];
        second[value] += pixels[pixel + 1];
      });
}

template <class T>
double sum(std::size_t n, const T* values) {
  return sum_in_double(n, [&](std::size_t i, std::size_t left)
                              HWY_ATTR { return as_double<T>(load_narrow(values + i, left)); });
}

template <class T>
constexpr FieldRowKernels<T> kKernels{interleave<T>, separate<T>, add_separated<T>, sum<T>};

}  // namespace

const FieldRowKernels<float>& field_rows_float() {
  return kKernels<float>;
}
const FieldRowKernels<double>& field_rows_double() {
  return kKernels<double>;
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {

HWY_EXPORT(field_rows_float);
HWY_EXPORT(field_rows_double);

template <class T>
const FieldRowKernels<T>& field_row_kernels() {
  if constexpr (std::is_same_v<T, float>) {
    return HWY_DYNAMIC_DISPATCH(field_rows_float)();
  } else {
    return HWY_DYNAMIC_DISPATCH(field_rows_double)();
  }
}

template const FieldRowKernels<float>& field_row_kernels();
template const FieldRowKernels<double>& field_row_kernels();

}  // namespace greybox
#endif
