#include "analysis/verdict/sublevel_set.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/made_cloud.hpp"
#include "core/limits.hpp"

namespace greybox::test {
namespace {

double share_low(const ThetaCloud& cloud, const SublevelSet& set) {
  double n_low = 0;
  for (std::size_t i = 0; i < cloud.size(); ++i) n_low += set.is_low(cloud, 0, i);
  return n_low / static_cast<double>(cloud.size());
}

TEST(SublevelSet, DoesNotChangeWithTheScaleOfR) {
  const auto bowl = [](double u, double v) { return std::hypot(u - 0.4, v - 0.5); };
  const ThetaCloud cloud = made_cloud(2, 1, [&](std::size_t, double u, double v) { return bowl(u, v); });
  const ThetaCloud scaled =
      made_cloud(2, 1, [&](std::size_t, double u, double v) { return 1e6 * bowl(u, v); });
  EXPECT_EQ(find_sublevel_set(cloud, 0).low_share, find_sublevel_set(scaled, 0).low_share);
  EXPECT_NEAR(cloud.at(find_sublevel_set(cloud, 0).best, 0), 0.4, 1e-12);
}

TEST(SublevelSet, LeavesOutPointsToWhichTheNetworkDidNotAdapt) {
  ThetaCloud cloud = made_cloud(1, 1, [](std::size_t, double u, double) { return u; });
  for (std::size_t i = 0; i < 30; ++i) cloud.is_poor[i] = 1;
  const SublevelSet set = find_sublevel_set(cloud, 0);
  EXPECT_EQ(set.best, 30U);
  EXPECT_FALSE(set.is_low(cloud, 0, 0));
}

// A network trained once more gives R a few percent higher or lower: such differences rule nothing out.
TEST(SublevelSet, BelievesNoDifferenceThatIsSmallAgainstR) {
  const ThetaCloud cloud = made_cloud(1, 1, [](std::size_t, double u, double) { return 1 + 0.08 * u; });
  EXPECT_EQ(share_low(cloud, find_sublevel_set(cloud, 0)), 1);
  ThetaCloud known = cloud;
  known.n_networks = 3;
  EXPECT_LT(share_low(known, find_sublevel_set(known, 0)), 0.2);
}

// log|u - v| falls without end along u = v, and how far it falls at a point is chance.
TEST(SublevelSet, KeepsAValleyWithoutBottom) {
  const ThetaCloud cloud = made_cloud(2, 1, [](std::size_t, double u, double v) {
    return std::log(std::abs(u - v + 1e-4 * (1.001 + shaken(static_cast<std::size_t>(1000 * u)))));
  });
  const SublevelSet set = find_sublevel_set(cloud, 0);
  double lowest = 1, highest = 0;
  for (std::size_t i = 0; i < cloud.size(); ++i)
    if (set.is_low(cloud, 0, i)) {
      lowest = std::min(lowest, cloud.at(i, 0));
      highest = std::max(highest, cloud.at(i, 0));
    }
  EXPECT_GT(highest - lowest, 1.0 / 3);
}

TEST(SublevelSet, NeedsAValue) {
  EXPECT_FALSE(has_values(made_cloud(1, 1, [](std::size_t, double, double) { return kNaN; }), 0));
  EXPECT_TRUE(has_values(made_cloud(1, 1, [](std::size_t, double u, double) { return u; }), 0));
}

}  // namespace
}  // namespace greybox::test
