// The transforms of Winograd's convolution, compiled once per SIMD target and chosen at run time.
#include "nn/winograd.hpp"

#include <algorithm>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/winograd.cpp"
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

// factor·a + b
template <class V>
HWY_INLINE V add_times(int factor, V a, V b) {
  const hn::DFromV<V> d;
  return hn::MulAdd(hn::Set(d, static_cast<hn::TFromD<hn::DFromV<V>>>(factor)), a, b);
}

// One-dimensional transforms: a matrix times a vector, each entry of which is a vector of channels.

struct ImageTransform {  // Bᵀ
  static constexpr std::size_t kFrom = kWinogradPatch, kTo = kWinogradPatch;
  template <class V>
  static HWY_INLINE void apply(const V (&d)[kFrom], V (&to)[kTo]) {
    const V even = add_times(-4, d[2], d[4]), odd = add_times(-4, d[1], d[3]);
    const V even_half = hn::Sub(d[4], d[2]), odd_half = hn::Sub(d[3], d[1]);
    to[0] = add_times(-5, d[2], add_times(4, d[0], d[4]));
    to[1] = hn::Add(even, odd);
    to[2] = hn::Sub(even, odd);
    to[3] = add_times(2, odd_half, even_half);
    to[4] = add_times(-2, odd_half, even_half);
    to[5] = add_times(-5, d[3], add_times(4, d[1], d[5]));
  }
};

struct DeltaTransform {  // A
  static constexpr std::size_t kFrom = kWinogradTile, kTo = kWinogradPatch;
  template <class V>
  static HWY_INLINE void apply(const V (&e)[kFrom], V (&to)[kTo]) {
    const V even = hn::Add(e[0], e[2]), odd = hn::Add(e[1], e[3]);
    const V even_twice = add_times(4, e[2], e[0]), odd_twice = add_times(4, e[3], e[1]);
    to[0] = e[0];
    to[1] = hn::Add(even, odd);
    to[2] = hn::Sub(even, odd);
    to[3] = add_times(2, odd_twice, even_twice);
    to[4] = add_times(-2, odd_twice, even_twice);
    to[5] = e[3];
  }
};

struct ResultTransform {  // Aᵀ
  static constexpr std::size_t kFrom = kWinogradPatch, kTo = kWinogradTile;
  template <class V>
  static HWY_INLINE void apply(const V (&m)[kFrom], V (&to)[kTo]) {
    const V sum = hn::Add(m[1], m[2]), difference = hn::Sub(m[1], m[2]);
    const V sum_twice = hn::Add(m[3], m[4]), difference_twice = hn::Sub(m[3], m[4]);
    to[0] = hn::Add(hn::Add(m[0], sum), sum_twice);
    to[1] = add_times(2, difference_twice, difference);
    to[2] = add_times(4, sum_twice, sum);
    to[3] = add_times(8, difference_twice, hn::Add(difference, m[5]));
  }
};

template <std::size_t kSize, class T>
HWY_INLINE void load(const T* from, std::ptrdiff_t step, Vector<T> (&values)[kSize]) {
  HWY_UNROLL(6)
  for (std::size_t i = 0; i < kSize; ++i) values[i] = hn::LoadU(hn::ScalableTag<T>(), from + i * step);
}

template <std::size_t kSize, class T>
HWY_INLINE void store(const Vector<T> (&values)[kSize], T* to, std::ptrdiff_t step) {
  HWY_UNROLL(6)
  for (std::size_t i = 0; i < kSize; ++i) hn::StoreU(values[i], hn::ScalableTag<T>(), to + i * step);
}

// A transform down the columns of a tile: what is left are its rows.
template <class Transform, class T>
HWY_INLINE void transform_column(const Vector<T> (&column)[Transform::kFrom], std::size_t x,
                                 Vector<T> (&rows)[Transform::kTo][Transform::kFrom]) {
  Vector<T> results[Transform::kTo];
  Transform::apply(column, results);
  HWY_UNROLL(6)
  for (std::size_t y = 0; y < Transform::kTo; ++y) rows[y][x] = results[y];
}

template <class Transform, class T>
HWY_INLINE void tile_to_places(const TileShape& shape, const T* pixels, T* places) {
  Vector<T> rows[Transform::kTo][Transform::kFrom];
  HWY_UNROLL(6)
  for (std::size_t x = 0; x < Transform::kFrom; ++x) {
    Vector<T> column[Transform::kFrom];
    load<Transform::kFrom, T>(pixels + x * shape.pixel, shape.row, column);
    transform_column<Transform, T>(column, x, rows);
  }
  HWY_UNROLL(6)
  for (std::size_t y = 0; y < Transform::kTo; ++y) {
    Vector<T> results[Transform::kTo];
    Transform::apply(rows[y], results);
    store<Transform::kTo, T>(results, places + y * kWinogradPatch * shape.place, shape.place);
  }
}

template <class T>
HWY_INLINE void tile_to_pixels(const TileShape& shape, const T* places, Vector<T> bias, T* pixels) {
  Vector<T> rows[kWinogradTile][kWinogradPatch];
  HWY_UNROLL(6)
  for (std::size_t x = 0; x < kWinogradPatch; ++x) {
    Vector<T> column[kWinogradPatch];
    load<kWinogradPatch, T>(places + x * shape.place, kWinogradPatch * shape.place, column);
    // The second row of A is all ones: what is added at the second place of both directions reaches every
    // result once.
    if (x == 1) column[1] = hn::Add(column[1], bias);
    transform_column<ResultTransform, T>(column, x, rows);
  }
  HWY_UNROLL(4)
  for (std::size_t y = 0; y < kWinogradTile; ++y) {
    Vector<T> results[kWinogradTile];
    ResultTransform::apply(rows[y], results);
    store<kWinogradTile, T>(results, pixels + y * shape.row, shape.pixel);
  }
}

// Where a tile's first pixel lies in a row.
HWY_INLINE std::size_t first_pixel(const TileShape& shape, std::size_t tile) {
  return std::min(tile * kWinogradTile, shape.width - kWinogradTile) * shape.pixel;
}

template <class Transform, class T>
void pixels_to_places(TileShape shape, const T* pixels, T* places) {
  for (std::size_t c = 0; c < shape.n_channels; c += hn::Lanes(hn::ScalableTag<T>())) {
    for (std::size_t tile = 0; tile < shape.n_tiles(); ++tile)
      tile_to_places<Transform>(shape, pixels + first_pixel(shape, tile) + c, places + tile * shape.tile + c);
  }
}

template <class T>
void places_to_pixels(TileShape shape, const T* places, const T* bias, T* pixels) {
  const hn::ScalableTag<T> d;
  for (std::size_t c = 0; c < shape.n_channels; c += hn::Lanes(d)) {
    for (std::size_t tile = 0; tile < shape.n_tiles(); ++tile)
      tile_to_pixels(shape, places + tile * shape.tile + c, hn::LoadU(d, bias + c),
                     pixels + first_pixel(shape, tile) + c);
  }
}

template <class T>
constexpr WinogradKernels<T> kKernels{.image_places = pixels_to_places<ImageTransform, T>,
                                      .delta_places = pixels_to_places<DeltaTransform, T>,
                                      .result_pixels = places_to_pixels<T>};

}  // namespace

const WinogradKernels<float>& winograd_float() {
  return kKernels<float>;
}
const WinogradKernels<double>& winograd_double() {
  return kKernels<double>;
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {
namespace {

constexpr double kG[kWinogradPatch][3] = {{1.0 / 4, 0, 0},
                                          {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                                          {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                          {1.0 / 24, 1.0 / 12, 1.0 / 6},
                                          {1.0 / 24, -1.0 / 12, 1.0 / 6},
                                          {0, 0, 1}};

}  // namespace

HWY_EXPORT(winograd_float);
HWY_EXPORT(winograd_double);

template <class T>
const WinogradKernels<T>& winograd_kernels() {
  if constexpr (std::is_same_v<T, float>) {
    return HWY_DYNAMIC_DISPATCH(winograd_float)();
  } else {
    return HWY_DYNAMIC_DISPATCH(winograd_double)();
  }
}

void transform_filter(const double (&filter)[9], double (&transformed)[kWinogradPlaces]) {
  for (std::size_t place = 0; place < kWinogradPlaces; ++place) {
    const double(&down)[3] = kG[place / kWinogradPatch];
    const double(&right)[3] = kG[place % kWinogradPatch];
    transformed[place] = 0;
    for (std::size_t tap = 0; tap < 9; ++tap)
      transformed[place] += down[tap / 3] * right[tap % 3] * filter[tap];
  }
}

void transform_filter_back(const double (&transformed)[kWinogradPlaces], double (&filter)[9]) {
  double half[3][kWinogradPatch] = {};  // Gᵀ u
  for (std::size_t place = 0; place < kWinogradPlaces; ++place) {
    for (std::size_t down = 0; down < 3; ++down)
      half[down][place % kWinogradPatch] += kG[place / kWinogradPatch][down] * transformed[place];
  }
  for (std::size_t tap = 0; tap < 9; ++tap) {
    filter[tap] = 0;
    for (std::size_t i = 0; i < kWinogradPatch; ++i) filter[tap] += half[tap / 3][i] * kG[i][tap % 3];
  }
}

template const WinogradKernels<float>& winograd_kernels();
template const WinogradKernels<double>& winograd_kernels();

}  // namespace greybox
#endif
