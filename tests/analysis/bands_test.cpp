#include "analysis/landscape/bands.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/limits.hpp"

namespace greybox::test {
namespace {

using Networks = std::vector<std::vector<double>>;
using Flags = std::vector<std::uint8_t>;

TEST(Bands, AreMeanAndStandardDeviation) {
  const Networks networks = {{1, 10}, {2, 10}, {6, 10}};
  EXPECT_EQ(network_mean(networks)[0], 3);
  EXPECT_NEAR(network_spread(networks)[0], std::sqrt((4 + 1 + 9) / 2.0), 1e-15);
  EXPECT_EQ(network_spread(networks)[1], 0);
}

TEST(Bands, AreNowhereWhereANetworkHasNoValue) {
  const Networks networks = {{1, kNaN}, {2, 3}};
  EXPECT_FALSE(std::isnan(network_mean(networks)[0]));
  EXPECT_TRUE(std::isnan(network_mean(networks)[1]));
  EXPECT_TRUE(std::isnan(network_spread(networks)[1]));
}

TEST(Bands, OfOneNetworkAreItsValuesWithoutSpread) {
  const Networks one = {{0.1, 0.7}};
  EXPECT_EQ(network_mean(one), one[0]);
  EXPECT_TRUE(std::isnan(network_spread(one)[0]));
}

// What lifts a whole map says nothing about where it is lowest.
TEST(Bands, DoNotMindAShiftOfTheWholeMap) {
  EXPECT_EQ(may_be_lowest(Networks{{0, 1, 5}, {10, 11, 15}, {20, 21.001, 25}}), (Flags{1, 0, 0}));
}

TEST(Bands, ShowWhereNetworksDisagreeAboutTheLowest) {
  EXPECT_EQ(may_be_lowest(Networks{{0, 1, 9}, {1, 0, 9}, {0.4, 0.5, 9}}), (Flags{1, 1, 0}));
}

TEST(Bands, LeaveOutPlacesWithoutValue) {
  EXPECT_EQ(may_be_lowest(Networks{{kNaN, 0, 4}, {kNaN, 0, 5}}), (Flags{0, 1, 0}));
}

// Of Student's t, and of what bootstrapped sets of few units leave out.
TEST(Bands, AreWiderOfFewUnits) {
  EXPECT_TRUE(std::isnan(bootstrap_factor(1)));
  EXPECT_NEAR(bootstrap_factor(6), 2.571 * std::sqrt(6.0 / 5), 2e-3);
  EXPECT_NEAR(bootstrap_factor(13), 2.179 * std::sqrt(13.0 / 12), 3e-3);
  EXPECT_NEAR(bootstrap_factor(61), 2.000 * std::sqrt(61.0 / 60), 2e-3);
  EXPECT_NEAR(bootstrap_factor(100000), 1.960, 1e-3);
}

}  // namespace
}  // namespace greybox::test
