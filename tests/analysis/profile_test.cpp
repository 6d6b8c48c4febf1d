#include "analysis/verdict/profile.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/made_cloud.hpp"

namespace greybox::test {
namespace {

ParameterReading read(const ThetaCloud& cloud, std::size_t axis) {
  return read_parameter(cloud, find_sublevel_set(cloud, 0), axis);
}

TEST(Profile, OfABowlIsNarrowAroundItsMinimum) {
  const ThetaCloud cloud = made_cloud(
      2, 1, [](std::size_t, double u, double v) { return std::pow(u - 0.3, 2) + std::pow(v - 0.6, 2); });
  const ParameterReading reading = read(cloud, 1);
  EXPECT_NEAR(reading.best, 0.6, 0.0126);
  EXPECT_LT(width(reading.interval), 0.2);
  EXPECT_EQ(reading.groups.size(), 1U);
  EXPECT_NEAR(reading.lowest.front(), 0.36, 1e-9);  // at v = 0, with u at its best
  EXPECT_EQ(reading.poor_share, 0);
}

TEST(Profile, AlongAValleyIsWide) {
  const ThetaCloud cloud =
      made_cloud(2, 1, [](std::size_t, double u, double v) { return std::abs(u + v - 1); });
  EXPECT_GT(width(read(cloud, 0).interval), 0.95);
  EXPECT_LT(read(cloud, 0).rise, 1e-9);
}

TEST(Profile, IsAsWideAsResampledDataMoveTheMinimum) {
  const auto moved = [](double by) {
    return made_cloud(1, 33, [=](std::size_t k, double u, double) {
      return std::pow(u - 0.5 - (k == 0 ? 0 : by * shaken(k)), 2);
    });
  };
  const double alone = width(read(moved(0), 0).interval), shifted = width(read(moved(0.2), 0).interval);
  EXPECT_NEAR(shifted - alone, 0.4, 0.05);
  const ParameterReading reading = read(moved(0.2), 0);
  EXPECT_LT(reading.low[70], reading.lowest[70]);
  EXPECT_GT(reading.high[70], reading.lowest[70]);
}

TEST(Profile, FindsEachOfSeveralMinima) {
  const ThetaCloud cloud = made_cloud(
      1, 1, [](std::size_t, double u, double) { return std::min(std::abs(u - 0.2), std::abs(u - 0.8)); });
  const ParameterReading reading = read(cloud, 0);
  ASSERT_EQ(reading.groups.size(), 2U);
  EXPECT_NEAR(reading.groups[0].first, 0.2, 0.03);
  EXPECT_NEAR(reading.groups[1].second, 0.8, 0.03);
}

TEST(Profile, TakesNoDentForAMinimum) {
  const ThetaCloud cloud = made_cloud(
      1, 1, [](std::size_t, double u, double) { return std::abs(u - 0.5) + 0.01 * std::sin(200 * u); });
  EXPECT_EQ(read(cloud, 0).groups.size(), 1U);
}

TEST(Profile, TellsNetworksApart) {
  ThetaCloud cloud =
      made_cloud(1, 6, [](std::size_t k, double u, double) { return std::abs(u - (k < 3 ? 0.2 : 0.8)); });
  cloud.n_networks = 2;
  for (std::size_t k = 3; k < 6; ++k) cloud.replicates[k].network = 1;
  const ParameterReading reading = read(cloud, 0);
  EXPECT_GT(width(reading.interval), 0.5);
  ASSERT_EQ(reading.of_networks.size(), 2U);
  EXPECT_NEAR(reading.of_networks[0].first, 0.2, 0.03);
  EXPECT_NEAR(reading.of_networks[1].first, 0.8, 0.03);
}

TEST(Profile, SeesALowerValueWhereTheNetworkDidNotAdapt) {
  ThetaCloud cloud = made_cloud(1, 1, [](std::size_t, double u, double) { return 1 + u; });
  for (std::size_t i = 0; i < 45; ++i) cloud.is_poor[i] = 1;
  const ParameterReading reading = read(cloud, 0);
  EXPECT_TRUE(reading.is_lower_where_poor);
  EXPECT_NEAR(reading.poor_share, 45.0 / 101, 1e-9);
  EXPECT_TRUE(std::isnan(reading.lowest[3]));
}

}  // namespace
}  // namespace greybox::test
