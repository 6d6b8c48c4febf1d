// Row kernels of normalisation, compiled once per SIMD target and chosen at run time.
#include "nn/norm_rows.hpp"

#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/norm_rows.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which sets the target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
using Vector = hn::Vec<Tag<T>>;

// Vectors of channels are visited last to first and pixels first to last, so that what a vector writes past
// the last channel of a gapless result is overwritten by the values that belong there.
template <class T>
std::size_t n_vectors(const RawRow<T>& row) {
  const std::size_t lanes = hn::Lanes(Tag<T>());
  return (row.n_channels + lanes - 1) / lanes;
}

// The coefficients of one vector of channels.
template <class T>
struct Channels {
  Channels(const RawRow<T>& row, std::size_t v)
      : mean(hn::LoadU(Tag<T>(), row.mean + v)),
        scale(hn::LoadU(Tag<T>(), row.scale + v)),
        shift(hn::LoadU(Tag<T>(), row.shift + v)),
        slope(hn::Set(Tag<T>(), row.slope)) {}

  HWY_INLINE Vector<T> normalised(Vector<T> centred) const { return hn::MulAdd(scale, centred, shift); }
  // `x` where n is positive, else slope·x: a comparison and not a maximum, so that NaN comes through.
  HWY_INLINE Vector<T> leak(Vector<T> n, Vector<T> x) const {
    return hn::IfThenElse(hn::Gt(n, hn::Zero(Tag<T>())), x, hn::Mul(slope, x));
  }

  Vector<T> mean, scale, shift, slope;
};

template <class T>
HWY_INLINE void add_lanes(Vector<T> values, double* to) {
  const Tag<T> d;
  HWY_ALIGN T lanes[hn::MaxLanes(Tag<T>())];
  hn::Store(values, d, lanes);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) to[i] += static_cast<double>(lanes[i]);
}

template <class T>
void activate(const RawRow<T>& row, T* result, std::size_t result_stride) {
  const Tag<T> d;
  for (std::size_t i = n_vectors(row); i-- > 0;) {
    const std::size_t v = i * hn::Lanes(d);
    const Channels<T> channels(row, v);
    for (std::size_t x = 0; x < row.n_pixels; ++x) {
      const auto n = channels.normalised(hn::Sub(hn::LoadU(d, row.z + x * row.stride + v), channels.mean));
      hn::StoreU(channels.leak(n, n), d, result + x * result_stride + v);
    }
  }
}

template <class T>
void add_moments(const RawRow<T>& row, double* sum, double* sum_squares) {
  const Tag<T> d;
  for (std::size_t i = n_vectors(row); i-- > 0;) {
    const std::size_t v = i * hn::Lanes(d);
    const auto mean = hn::LoadU(d, row.mean + v);
    // Two sums of each kind, over even and odd pixels: one chain of additions would be bound by their
    // latency.
    auto first = hn::Zero(d), first_odd = first, second = first, second_odd = first;
    std::size_t x = 0;
    for (; x + 2 <= row.n_pixels; x += 2) {
      const auto even = hn::Sub(hn::LoadU(d, row.z + x * row.stride + v), mean);
      const auto odd = hn::Sub(hn::LoadU(d, row.z + (x + 1) * row.stride + v), mean);
      first = hn::Add(first, even);
      first_odd = hn::Add(first_odd, odd);
      second = hn::MulAdd(even, even, second);
      second_odd = hn::MulAdd(odd, odd, second_odd);
    }
    if (x < row.n_pixels) {
      const auto last = hn::Sub(hn::LoadU(d, row.z + x * row.stride + v), mean);
      first = hn::Add(first, last);
      second = hn::MulAdd(last, last, second);
    }
    add_lanes<T>(hn::Add(first, first_odd), sum + v);
    add_lanes<T>(hn::Add(second, second_odd), sum_squares + v);
  }
}

template <class T>
void deactivate(const RawRow<T>& row, const T* grad_activated, T* g, double* sum, double* sum_products) {
  const Tag<T> d;
  for (std::size_t i = n_vectors(row); i-- > 0;) {
    const std::size_t v = i * hn::Lanes(d);
    const Channels<T> channels(row, v);
    auto first = hn::Zero(d), second = first;
    for (std::size_t x = 0; x < row.n_pixels; ++x) {
      const std::size_t at = x * row.stride + v;
      const auto centred = hn::Sub(hn::LoadU(d, row.z + at), channels.mean);
      const auto grad = channels.leak(channels.normalised(centred), hn::LoadU(d, grad_activated + at));
      hn::StoreU(grad, d, g + at);
      first = hn::Add(first, grad);
      second = hn::MulAdd(grad, centred, second);
    }
    add_lanes<T>(first, sum + v);
    add_lanes<T>(second, sum_products + v);
  }
}

template <class T>
void denormalise(const RawRow<T>& row, const T* g, const T* tilt, const T* offset, T* result,
                 std::size_t result_stride) {
  const Tag<T> d;
  for (std::size_t i = n_vectors(row); i-- > 0;) {
    const std::size_t v = i * hn::Lanes(d);
    const Channels<T> channels(row, v);
    const auto slope = hn::LoadU(d, tilt + v), constant = hn::LoadU(d, offset + v);
    for (std::size_t x = 0; x < row.n_pixels; ++x) {
      const std::size_t at = x * row.stride + v;
      const auto centred = hn::Sub(hn::LoadU(d, row.z + at), channels.mean);
      const auto affine = hn::MulAdd(slope, centred, constant);
      hn::StoreU(hn::MulAdd(channels.scale, hn::LoadU(d, g + at), affine), d, result + x * result_stride + v);
    }
  }
}

template <class T>
constexpr NormRowKernels<T> kKernels{activate<T>, add_moments<T>, deactivate<T>, denormalise<T>};

}  // namespace

const NormRowKernels<float>& kernels_float() {
  return kKernels<float>;
}
const NormRowKernels<double>& kernels_double() {
  return kKernels<double>;
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {

HWY_EXPORT(kernels_float);
HWY_EXPORT(kernels_double);

template <class T>
const NormRowKernels<T>& norm_row_kernels() {
  if constexpr (std::is_same_v<T, float>) {
    return HWY_DYNAMIC_DISPATCH(kernels_float)();
  } else {
    return HWY_DYNAMIC_DISPATCH(kernels_double)();
  }
}

template const NormRowKernels<float>& norm_row_kernels();
template const NormRowKernels<double>& norm_row_kernels();

}  // namespace greybox
#endif
