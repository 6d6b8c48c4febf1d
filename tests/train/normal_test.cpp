#include "train/normal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace greybox {
namespace {

TEST(NormalQuantile, KnowsTabledValues) {
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-16);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.01), -2.3263478740408408, 1e-14);
  EXPECT_NEAR(normal_quantile(1e-20), -9.262340089798408, 1e-13);
}

TEST(NormalQuantile, InvertsTheDistributionFunction) {
  for (double x = -37; x < 5; x += 0.37)
    EXPECT_NEAR(normal_quantile(normal_cdf(x)), x, 1e-9 * std::abs(x) + 1e-12) << x;
}

TEST(NormalQuantile, IsInfiniteAtTheEnds) {
  EXPECT_EQ(normal_quantile(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(normal_quantile(1), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace greybox
