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
std::size_t n_vectors(const RawRows<T>& rows) {
  const std::size_t lanes = hn::Lanes(Tag<T>());
  return (rows.n_channels + lanes - 1) / lanes;
}

// The coefficients of one vector of channels.
template <class T>
struct Channels {
  Channels(const RawRows<T>& rows, std::size_t v)
      : mean(hn::LoadU(Tag<T>(), rows.mean + v)),
        scale(hn::LoadU(Tag<T>(), rows.scale + v)),
        shift(hn::LoadU(Tag<T>(), rows.shift + v)),
        slope(hn::Set(Tag<T>(), rows.slope)) {}

  HWY_INLINE Vector<T> normalised(Vector<T> centred) const { return hn::MulAdd(scale, centred, shift); }
  // `x` where n is positive, else slope·x: a comparison and not a maximum, so that NaN comes through.
  HWY_INLINE Vector<T> leak(Vector<T> n, Vector<T> x) const {
    return hn::IfThenElse(hn::Gt(n, hn::Zero(Tag<T>())), x, hn::Mul(slope, x));
  }

  Vector<T> mean, scale, shift, slope;
};

HWY_INLINE void add_vector(Vector<double> values, double* to) {
  const Tag<double> d;
  hn::StoreU(hn::Add(hn::LoadU(d, to), values), d, to);
}

HWY_INLINE void add_vector(Vector<float> values, double* to) {
  const Tag<float> d;
  const Tag<double> wide;
  HWY_ALIGN float lanes[hn::MaxLanes(Tag<float>())];
  hn::Store(values, d, lanes);
  for (std::size_t i = 0; i < hn::Lanes(d); i += hn::Lanes(wide))
    add_vector(hn::PromoteTo(wide, hn::Load(hn::Rebind<float, Tag<double>>(), lanes + i)), to + i);
}

constexpr std::size_t kChains = 4;

// Two sums over the pixels of a row, each in several chains: one alone would wait for the latency of
// additions.
template <class T>
class RowSums {
 public:
  HWY_INLINE RowSums() {
    for (std::size_t i = 0; i < kChains; ++i) first_[i] = second_[i] = hn::Zero(Tag<T>());
  }
  // Adds x and x·y.
  HWY_INLINE void add(std::size_t chain, Vector<T> x, Vector<T> y) {
    first_[chain] = hn::Add(first_[chain], x);
    second_[chain] = hn::MulAdd(x, y, second_[chain]);
  }
  HWY_INLINE void add_to(double* first, double* second) const {
    add_vector(total(first_), first);
    add_vector(total(second_), second);
  }

 private:
  static HWY_INLINE Vector<T> total(const Vector<T> (&chains)[kChains]) {
    return hn::Add(hn::Add(chains[0], chains[1]), hn::Add(chains[2], chains[3]));
  }

  Vector<T> first_[kChains], second_[kChains];
};

// Calls f(x, chain) for every pixel x of a row.
template <class F>
HWY_INLINE void for_pixels(std::size_t n, const F& f) {
  std::size_t x = 0;
  for (; x + kChains <= n; x += kChains) {
    HWY_UNROLL(4)
    for (std::size_t chain = 0; chain < kChains; ++chain) f(x + chain, chain);
  }
  for (; x < n; ++x) f(x, 0);
}

// Calls f(y, v) for every row y and every vector of channels v.
template <class T, class F>
HWY_INLINE void for_vectors(const RawRows<T>& rows, const F& f) {
  for (std::size_t i = n_vectors(rows); i-- > 0;) {
    for (std::size_t y = 0; y < rows.n_rows; ++y) f(y, i * hn::Lanes(Tag<T>()));
  }
}

template <class T>
HWY_INLINE const T* row_of(const RawRows<T>& rows, std::size_t y, std::size_t v) {
  return rows.z + y * rows.n_pixels * rows.stride + v;
}

template <class T>
HWY_INLINE void activate_row(const RawRows<T>& rows, const Channels<T>& channels, const T* z, T* result,
                             std::size_t stride) {
  const Tag<T> d;
  for (std::size_t x = 0, n = rows.n_pixels; x < n; ++x, z += rows.stride, result += stride) {
    const auto normalised = channels.normalised(hn::Sub(hn::LoadU(d, z), channels.mean));
    hn::StoreU(channels.leak(normalised, normalised), d, result);
  }
}

template <class T>
void activate(const RawRows<T>& rows, T* result, PixelLayout layout) {
  for_vectors(rows, [&](std::size_t y, std::size_t v) HWY_ATTR {
    activate_row(rows, Channels<T>(rows, v), row_of(rows, y, v), result + y * layout.pitch + v,
                 layout.stride);
  });
}

template <class T>
HWY_INLINE void add_row_moments(const RawRows<T>& rows, const T* z, const T* mean_of, double* sum,
                                double* sum_squares) {
  const Tag<T> d;
  const auto mean = hn::LoadU(d, mean_of);
  const std::size_t stride = rows.stride;
  RowSums<T> sums;
  for_pixels(rows.n_pixels, [&](std::size_t x, std::size_t chain) HWY_ATTR {
    const auto centred = hn::Sub(hn::LoadU(d, z + x * stride), mean);
    sums.add(chain, centred, centred);
  });
  sums.add_to(sum, sum_squares);
}

template <class T>
void add_moments(const RawRows<T>& rows, double* sum, double* sum_squares) {
  for_vectors(rows, [&](std::size_t y, std::size_t v) HWY_ATTR {
    add_row_moments(rows, row_of(rows, y, v), rows.mean + v, sum + v, sum_squares + v);
  });
}

template <class T>
HWY_INLINE void deactivate_row(const RawRows<T>& rows, const Channels<T>& channels, const T* z,
                               const T* grad_activated, T* g, double* sum, double* sum_products) {
  const Tag<T> d;
  const std::size_t stride = rows.stride;
  RowSums<T> sums;
  for_pixels(rows.n_pixels, [&](std::size_t x, std::size_t chain) HWY_ATTR {
    const auto centred = hn::Sub(hn::LoadU(d, z + x * stride), channels.mean);
    const auto grad = channels.leak(channels.normalised(centred), hn::LoadU(d, grad_activated + x * stride));
    hn::StoreU(grad, d, g + x * stride);
    sums.add(chain, grad, centred);
  });
  sums.add_to(sum, sum_products);
}

template <class T>
void deactivate(const RawRows<T>& rows, const T* grad_activated, std::size_t grad_pitch, T* g,
                std::size_t g_pitch, double* sum, double* sum_products) {
  for_vectors(rows, [&](std::size_t y, std::size_t v) HWY_ATTR {
    deactivate_row(rows, Channels<T>(rows, v), row_of(rows, y, v), grad_activated + y * grad_pitch + v,
                   g + y * g_pitch + v, sum + v, sum_products + v);
  });
}

template <class T>
void denormalise(const RawRows<T>& rows, const T* g, std::size_t g_pitch, const T* tilt, const T* offset,
                 T* result, PixelLayout layout) {
  const Tag<T> d;
  for_vectors(rows, [&](std::size_t y, std::size_t v) HWY_ATTR {
    const Channels<T> channels(rows, v);
    const auto slope = hn::LoadU(d, tilt + v), constant = hn::LoadU(d, offset + v);
    const T *z = row_of(rows, y, v), *grad = g + y * g_pitch + v;
    T* to = result + y * layout.pitch + v;
    for (std::size_t x = 0, n = rows.n_pixels; x < n;
         ++x, z += rows.stride, grad += rows.stride, to += layout.stride) {
      const auto centred = hn::Sub(hn::LoadU(d, z), channels.mean);
      const auto affine = hn::MulAdd(slope, centred, constant);
      hn::StoreU(hn::MulAdd(channels.scale, hn::LoadU(d, grad), affine), d, to);
    }
  });
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
