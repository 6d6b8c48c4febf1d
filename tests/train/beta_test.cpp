#include "train/beta.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "train/prior.hpp"

namespace greybox::test {
namespace {

// Of the arcsine distribution all is known in closed form.
TEST(Beta, IsTheArcsineDistributionAtOneHalf) {
  for (double u : {0.001, 0.1, 0.3, 0.5, 0.8, 0.999}) {
    const double x = std::pow(std::sin(std::numbers::pi * u / 2), 2);
    EXPECT_NEAR(beta_quantile(0.5, 0.5, u), x, 1e-12) << u;
    EXPECT_NEAR(beta_cdf(0.5, 0.5, x), u, 1e-12) << u;
    EXPECT_NEAR(beta_log_density(0.5, 0.5, x), -std::log(std::numbers::pi * std::sqrt(x * (1 - x))), 1e-11)
        << u;
  }
}

TEST(Beta, QuantilesInvertTheDistribution) {
  for (const auto& [alpha, beta] : {std::pair{0.1, 0.1}, {2.0, 5.0}, {1.0, 1.0}, {0.1, 3.0}, {30.0, 0.7}})
    for (double u : {1e-3, 0.05, 0.25, 0.5, 0.6}) {
      const double x = beta_quantile(alpha, beta, u);
      // Nearer to the ends no double tells x from them.
      if (x > 1e-300 && x < 1) {
        EXPECT_NEAR(beta_cdf(alpha, beta, x), u, 1e-9) << alpha << ' ' << beta << ' ' << u;
      }
    }
}

// Nearly all of Beta(0.1, 0.1) lies at the ends, half at each.
TEST(Beta, OfSmallExponentsLiesAtBothEnds) {
  ParameterSpec parameter;
  parameter.prior = PriorKind::beta;
  parameter.low = 0;
  parameter.high = 1;
  parameter.alpha = parameter.beta = 0.1;
  const Prior prior(parameter);
  std::size_t low = 0, high = 0;
  constexpr std::size_t kDraws = 1000;
  for (std::size_t i = 0; i < kDraws; ++i) {
    const double x = prior.draw(prior.start(), (static_cast<double>(i) + 0.5) / kDraws);
    ASSERT_TRUE(x >= 0 && x <= 1);
    low += x < 0.1 ? 1 : 0;
    high += x > 0.9 ? 1 : 0;
  }
  EXPECT_EQ(low, high);
  EXPECT_GT(low, kDraws * 38 / 100);
  EXPECT_LT(low, kDraws * 46 / 100);
}

}  // namespace
}  // namespace greybox::test
