// A loop of independent multiply-adds, compiled once per SIMD target and chosen at run time.
#include "fma_peak.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fma_peak.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which sets the target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greybox::bench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Two units with a latency of four or five cycles each need ten sums in flight; these fit in sixteen
// registers.
constexpr std::size_t kSums = 12;

double multiply_add(std::size_t n_rounds, float* result) {
  const hn::ScalableTag<float> d;
  const auto factor = hn::Set(d, 0.999F), term = hn::Set(d, 0.001F);
  hn::Vec<decltype(d)> sums[kSums];
  HWY_UNROLL(12)
  for (std::size_t i = 0; i < kSums; ++i) sums[i] = hn::Set(d, static_cast<float>(i));
  for (std::size_t round = 0; round < n_rounds; ++round) {
    HWY_UNROLL(12)
    for (std::size_t i = 0; i < kSums; ++i) sums[i] = hn::MulAdd(sums[i], factor, term);
  }
  auto total = sums[0];
  HWY_UNROLL(12)
  for (std::size_t i = 1; i < kSums; ++i) total = hn::Add(total, sums[i]);
  *result = hn::GetLane(total);
  return 2.0 * static_cast<double>(n_rounds * kSums * hn::Lanes(d));
}

}  // namespace
}  // namespace greybox::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greybox::bench {

HWY_EXPORT(multiply_add);

double fma_peak_gflops() {
  constexpr int kRuns = 20;
  constexpr std::size_t kRounds = 200'000;
  double best = 0;
  for (int run = 0; run < kRuns; ++run) {
    volatile float kept = 0;
    float result = 0;
    const auto start = std::chrono::steady_clock::now();
    const double flops = HWY_DYNAMIC_DISPATCH(multiply_add)(kRounds, &result);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    kept = result;
    static_cast<void>(kept);
    best = std::max(best, 1e-9 * flops / seconds.count());
  }
  return best;
}

}  // namespace greybox::bench
#endif
