#include "core/philox_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/philox_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which sets the target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greybox::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using D64 = hn::ScalableTag<std::uint64_t>;
using Words = hn::Vec<D64>;  // one 32-bit word per lane, in its lower half; the upper half may hold anything

constexpr int kRounds = 10;
constexpr std::uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;

// Products of the lower halves.
HWY_INLINE Words multiply_words(Words a, Words b) {
#if HWY_TARGET == HWY_SCALAR
  constexpr std::uint64_t kLower = 0xFFFFFFFF;
  return hn::Set(D64(), (hn::GetLane(a) & kLower) * (hn::GetLane(b) & kLower));
#else
  const hn::Repartition<std::uint32_t, D64> d;
  return hn::MulEven(hn::BitCast(d, a), hn::BitCast(d, b));
#endif
}

struct Counter {
  Words c0, c1, c2, c3;
};

HWY_INLINE Counter round(const Counter& c, std::uint32_t key0, std::uint32_t key1) {
  const D64 d;
  const Words p0 = multiply_words(c.c0, hn::Set(d, kMultiplier0));
  const Words p1 = multiply_words(c.c2, hn::Set(d, kMultiplier1));
  return {hn::Xor(hn::ShiftRight<32>(p1), hn::Xor(c.c1, hn::Set(d, key0))), p1,
          hn::Xor(hn::ShiftRight<32>(p0), hn::Xor(c.c3, hn::Set(d, key1))), p0};
}

HWY_INLINE Counter scramble(Counter c, std::uint64_t key) {
  auto key0 = static_cast<std::uint32_t>(key), key1 = static_cast<std::uint32_t>(key >> 32U);
  for (int i = 0; i < kRounds; ++i) {
    c = round(c, key0, key1);
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  return c;
}

// The 53 leading bits of two words as a fraction; the one value that would be 0 becomes half of the smallest
// other.
HWY_INLINE auto to_unit_interval(Words low, Words high) {
  const hn::RebindToFloat<D64> d;
  const auto lower_half = hn::Set(D64(), 0xFFFFFFFF);
  const auto bits = hn::Or(hn::ShiftLeft<32>(high), hn::And(low, lower_half));
  const auto leading = hn::BitCast(hn::RebindToSigned<D64>(), hn::ShiftRight<11>(bits));
  return hn::Mul(hn::Max(hn::ConvertTo(d, leading), hn::Set(d, 0.5)), hn::Set(d, 0x1p-53));
}

void uniforms(const PhiloxRun& run, std::size_t n, double* to) {
  const D64 d;
  const hn::RebindToFloat<D64> df;
  const std::size_t lanes = hn::Lanes(d);
  const auto major = hn::Set(d, run.major), major_high = hn::ShiftRight<32>(major);
  for (std::size_t i = 0; i < n; i += lanes) {
    const auto minor = hn::Iota(d, run.first + i);
    const Counter c = scramble({major, major_high, minor, hn::ShiftRight<32>(minor)}, run.key);
    const auto drawn = to_unit_interval(c.c0, c.c1);
    if (i + lanes <= n)
      hn::StoreU(drawn, df, to + i);
    else
      hn::BlendedStore(drawn, hn::FirstN(df, n - i), df, to + i);
  }
}

}  // namespace
}  // namespace greybox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox {

HWY_EXPORT(uniforms);

void philox_uniforms(const PhiloxRun& run, std::size_t n, double* to) {
  HWY_DYNAMIC_DISPATCH(uniforms)(run, n, to);
}

}  // namespace greybox
#endif
