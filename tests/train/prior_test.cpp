#include "train/prior.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/limits.hpp"
#include "core/random.hpp"
#include "support/gradient_check.hpp"
#include "train/made_parameter.hpp"

namespace greybox {
namespace {

struct Moments {
  double mean = 0, sd = 0, low = kInfinity, high = -kInfinity;
};

// Over stratified draws: the middle of each of many slices of equal probability.
Moments moments_of(const ParameterSpec& spec) {
  constexpr int n = 100000;
  const Prior prior(spec);
  Moments moments;
  double squares = 0;
  for (int i = 0; i < n; ++i) {
    const double value = prior.draw(prior.start(), (i + 0.5) / n);
    moments.mean += value / n;
    squares += value * value / n;
    moments.low = std::min(moments.low, value);
    moments.high = std::max(moments.high, value);
  }
  moments.sd = std::sqrt(squares - moments.mean * moments.mean);
  return moments;
}

TEST(Prior, UniformHasItsMoments) {
  const Moments m = moments_of(test::made_parameter(PriorKind::uniform, -1, 3));
  EXPECT_NEAR(m.mean, 1, 1e-9);
  EXPECT_NEAR(m.sd, 4 / std::sqrt(12.0), 1e-6);
  EXPECT_GE(m.low, -1);
  EXPECT_LE(m.high, 3);
}

TEST(Prior, NormalHasItsMoments) {
  const Moments m = moments_of(test::made_parameter(PriorKind::normal, -kInfinity, kInfinity, 2, 0.5));
  EXPECT_NEAR(m.mean, 2, 1e-9);
  EXPECT_NEAR(m.sd, 0.5, 1e-4);
}

TEST(Prior, LognormalHasItsMoments) {
  const Moments m = moments_of(test::made_parameter(PriorKind::lognormal, 0, kInfinity, 0.3, 0.4));
  const double mean = std::exp(0.3 + 0.08);
  EXPECT_NEAR(m.mean, mean, 1e-4 * mean);
  EXPECT_NEAR(m.sd, mean * std::sqrt(std::exp(0.16) - 1), 1e-3 * mean);
  EXPECT_GT(m.low, 0);
}

TEST(Prior, TruncatedNormalHasItsMoments) {
  // A standard normal cut to [0, ∞) is half-normal: mean √(2/π), variance 1 - 2/π.
  const Moments m = moments_of(test::made_parameter(PriorKind::truncated_normal, 1, 1e6, 1, 2));
  EXPECT_NEAR(m.mean, 1 + 2 * std::sqrt(2 / M_PI), 1e-4);
  EXPECT_NEAR(m.sd, 2 * std::sqrt(1 - 2 / M_PI), 1e-3);
  EXPECT_GE(m.low, 1);
}

TEST(Prior, FarTruncationKeepsItsDigits) {
  // Ten sd above the mean the distribution is nearly exponential with rate 10.
  const Moments m = moments_of(test::made_parameter(PriorKind::truncated_normal, 10, 20));
  EXPECT_NEAR(m.mean, 10.098, 1e-3);
  EXPECT_NEAR(m.sd, 0.0962, 2e-3);
}

TEST(Prior, TruncationBeyondAnyProbabilityKeepsItsDigits) {
  for (double low : {38.0, 60.0, 1000.0}) {
    // Nearly exponential with rate `low`, on either side of the mean.
    const Moments above = moments_of(test::made_parameter(PriorKind::truncated_normal, low, 2 * low));
    EXPECT_NEAR((above.mean - low) * low, 1, 0.003) << low;
    EXPECT_NEAR(above.sd * low, 1, 0.02) << low;
    const Moments below = moments_of(test::made_parameter(PriorKind::truncated_normal, -2 * low, -low));
    EXPECT_NEAR(below.mean, -above.mean, 1e-9 * low) << low;
  }
}

TEST(Prior, BoundsCutEveryKind) {
  for (PriorKind kind : {PriorKind::normal, PriorKind::lognormal, PriorKind::truncated_normal}) {
    const Moments m = moments_of(test::made_parameter(kind, 0.5, 1.5, 0.9, 1.3));
    EXPECT_GE(m.low, 0.5);
    EXPECT_LE(m.high, 1.5);
    EXPECT_GT(m.sd, 0.1);  // spread over the interval, not heaped at its ends
  }
}

TEST(Prior, DrawsFromTheGeneratorHaveTheMomentsToo) {
  const Prior prior(test::made_parameter(PriorKind::normal, -kInfinity, kInfinity, 2, 0.5));
  const Random random(7, Purpose::parameters);
  double sum = 0;
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i)
    sum += prior.draw(prior.start(), random.uniform(3, static_cast<std::uint64_t>(i)));
  EXPECT_NEAR(sum / n, 2, 5 * 0.5 / std::sqrt(n));
}

TEST(Prior, DerivativesAgreeWithDifferences) {
  const ParameterSpec specs[] = {test::made_parameter(PriorKind::uniform, -1, 3),
                                 test::made_parameter(PriorKind::normal, -kInfinity, kInfinity, 2, 0.5),
                                 test::made_parameter(PriorKind::normal, 1.2, kInfinity, 2, 0.5),
                                 test::made_parameter(PriorKind::lognormal, 0, kInfinity, 0.3, 0.4),
                                 test::made_parameter(PriorKind::lognormal, 0.5, 2, 0.3, 0.4),
                                 test::made_parameter(PriorKind::truncated_normal, -0.5, 1, 0.2, 0.7)};
  for (const ParameterSpec& spec : specs)
    for (double u : {0.02, 0.4, 0.93}) {
      const Prior prior(spec);
      PriorShape shape = prior.start();
      const PriorShape slope = prior.derivatives(shape, u);
      test::expect_gradient("prior", shape, slope, [&] { return prior.draw(shape, u); });
    }
}

TEST(Prior, ProjectionKeepsAUniformWithinItsBounds) {
  const Prior prior(test::made_parameter(PriorKind::uniform, 0, 2));
  EXPECT_EQ(prior.project({-1, 3}), (PriorShape{0, 2}));
  EXPECT_EQ(prior.project({1.5, 0.5}), (PriorShape{1, 1}));
  EXPECT_EQ(prior.project({0.25, 0.5}), (PriorShape{0.25, 0.5}));
}

}  // namespace
}  // namespace greybox
