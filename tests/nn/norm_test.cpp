// Channel statistics merged over blocks, and the coefficients of the norm's adjoint.
#include "nn/norm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace greybox {
namespace {

// Sums of one channel's values about a pivot.
ChannelSums sums_about(double pivot, const std::vector<double>& values) {
  ChannelSums sums(1);
  for (const double value : values) {
    sums.first[0] += value - pivot;
    sums.second[0] += (value - pivot) * (value - pivot);
    sums.count += 1;
  }
  return sums;
}

struct Statistics {
  double mean, inverse_deviation;
};

Statistics statistics(const ChannelMoments& moments) {
  Statistics result{};
  moments.finish<double>({&result.mean, 1}, {&result.inverse_deviation, 1});
  return result;
}

TEST(Norm, MomentsOfBlocksAreThoseOfTheWhole) {
  ChannelMoments moments(1);
  const double pivots[] = {1.0, 7.0};
  moments.add(sums_about(pivots[0], {1, 2, 4}), &pivots[0]);
  moments.add(ChannelSums(1), &pivots[0]);
  moments.add(sums_about(pivots[1], {8, 10}), &pivots[1]);
  // Mean of 1 2 4 8 10 is 5, biased variance 12.
  EXPECT_DOUBLE_EQ(statistics(moments).mean, 5);
  EXPECT_DOUBLE_EQ(statistics(moments).inverse_deviation, 1 / std::sqrt(12 + 1e-5));
}

TEST(Norm, MomentsStartAfreshWhenCleared) {
  ChannelMoments moments(1);
  const double pivot = 0;
  moments.add(sums_about(0, {100, 200}), &pivot);
  moments.clear();
  moments.add(sums_about(0, {2, 4}), &pivot);
  EXPECT_DOUBLE_EQ(statistics(moments).mean, 3);
  EXPECT_DOUBLE_EQ(statistics(moments).inverse_deviation, 1 / std::sqrt(1 + 1e-5));
}

TEST(Norm, ConstantChannelHasNoVariance) {
  ChannelMoments moments(1);
  const double pivot = 3;
  moments.add(sums_about(pivot, {3, 3, 3}), &pivot);
  EXPECT_DOUBLE_EQ(statistics(moments).inverse_deviation, 1 / std::sqrt(1e-5));
}

TEST(Norm, NotANumberComesThrough) {
  ChannelMoments moments(1);
  const double pivot = 0;
  moments.add(sums_about(pivot, {1, std::numeric_limits<double>::quiet_NaN()}), &pivot);
  EXPECT_TRUE(std::isnan(statistics(moments).mean));
  EXPECT_TRUE(std::isnan(statistics(moments).inverse_deviation));
}

TEST(Norm, AdjointRemovesMeanAndSlope) {
  // z = -1 0 1 about their mean, dn = 1 2 6: what is left after scale·dn + tilt·z + offset has no mean and,
  // as ε is taken as zero here, no component along z.
  const double weight = 2, inverse_deviation = 1 / std::sqrt(2.0 / 3.0);
  const double z[] = {-1, 0, 1}, dn[] = {1, 2, 6};
  NormCoefficients<double> coefficients(1);
  ChannelSums sums(1);
  sums.count = 3, sums.first[0] = 9, sums.second[0] = 5;
  coefficients.set_scale(&weight, &inverse_deviation);
  coefficients.set_adjoint(sums, &inverse_deviation);
  double mean = 0, along = 0, curvature = 0;
  for (int i = 0; i < 3; ++i) {
    const double dz = coefficients.scale[0] * dn[i] + coefficients.tilt[0] * z[i] + coefficients.offset[0];
    mean += dz;
    along += dz * z[i];
    curvature += dz * (i == 1 ? -2 : 1);
  }
  EXPECT_NEAR(mean, 0, 1e-14);
  EXPECT_NEAR(along, 0, 1e-14);
  EXPECT_NEAR(curvature, weight * inverse_deviation * 3, 1e-14);
}

}  // namespace
}  // namespace greybox
