#include "report/colour_map.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace greybox::test {
namespace {

// Colours of the original table, which the polynomial follows within a hundredth or two.
TEST(ColourMap, FollowsViridis) {
  const Colour dark = viridis(0), middle = viridis(0.5), light = viridis(1);
  EXPECT_NEAR(dark.red, 0.267, 0.02);
  EXPECT_NEAR(dark.green, 0.005, 0.02);
  EXPECT_NEAR(dark.blue, 0.329, 0.02);
  EXPECT_NEAR(middle.red, 0.128, 0.02);
  EXPECT_NEAR(middle.green, 0.567, 0.02);
  EXPECT_NEAR(middle.blue, 0.551, 0.02);
  EXPECT_NEAR(light.red, 0.993, 0.02);
  EXPECT_NEAR(light.green, 0.906, 0.02);
  EXPECT_NEAR(light.blue, 0.144, 0.02);
}

double luminance(const Colour& colour) {
  const auto linear = [](double c) { return std::pow(c, 2.2); };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

TEST(ColourMap, GrowsLighterAllTheWay) {
  for (int k = 1; k <= 50; ++k)
    EXPECT_GT(luminance(viridis(k / 50.0)), luminance(viridis((k - 1) / 50.0))) << k;
}

TEST(ColourMap, KeepsItsEndsBeyondThem) {
  EXPECT_EQ(viridis(-3).red, viridis(0).red);
  EXPECT_EQ(viridis(7).green, viridis(1).green);
}

}  // namespace
}  // namespace greybox::test
