#include "report/scale.hpp"

#include <gtest/gtest.h>

namespace greybox::test {
namespace {

std::vector<std::string> labels(double low, double high, std::size_t n) {
  std::vector<std::string> found;
  for (const Tick& tick : ticks(low, high, n)) found.push_back(tick.label);
  return found;
}

using Labels = std::vector<std::string>;

TEST(Ticks, AreRoundNumbersWithinTheEnds) {
  EXPECT_EQ(labels(0, 2, 5), (Labels{"0.0", "0.5", "1.0", "1.5", "2.0"}));
  EXPECT_EQ(labels(-3.2, 3.2, 3), (Labels{"0"}));
  EXPECT_EQ(labels(8, 12, 5), (Labels{"8", "9", "10", "11", "12"}));
}

TEST(Ticks, OfSmallAndLargeNumbersHaveShortLabels) {
  EXPECT_EQ(labels(0, 4e-5, 2), (Labels{"0", "2e-05", "4e-05"}));
  EXPECT_EQ(labels(0, 2e6, 2), (Labels{"0", "1e+06", "2e+06"}));
}

TEST(Ticks, OfNoRangeAreNone) {
  EXPECT_TRUE(ticks(1, 1, 5).empty());
  EXPECT_TRUE(ticks(0, std::numeric_limits<double>::infinity(), 5).empty());
}

// Steps below the spacing of doubles would never end.
TEST(Ticks, OfARangeOfFewDoublesAreNone) {
  EXPECT_TRUE(ticks(1, 1 + 2e-16, 5).empty());
  EXPECT_TRUE(ticks(1e20, 1e20 + 1e5, 5).empty());
  EXPECT_TRUE(ticks(4e-324, 9e-324, 5).empty());
  EXPECT_FALSE(ticks(1, 1 + 1e-9, 5).empty());
}

TEST(Scale, MapsEndsToEnds) {
  const Scale scale{2, 4, 100, 50};
  EXPECT_EQ(scale(2), 100);
  EXPECT_EQ(scale(4), 50);
  EXPECT_EQ(scale(3), 75);
}

}  // namespace
}  // namespace greybox::test
