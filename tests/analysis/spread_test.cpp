#include "analysis/theta/spread.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"

namespace greybox {
namespace {

// Along (0.6, −0.8) with a standard deviation of `wide`, across it with `narrow`, around (5, 7).
std::vector<Coordinates> ellipse(double wide, double narrow, std::uint64_t seed) {
  const Random random(seed, Purpose::analysis);
  std::vector<Coordinates> points;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const double along = wide * random.normal(0, i), across = narrow * random.normal(1, i);
    points.push_back({5 + 0.6 * along + 0.8 * across, 7 - 0.8 * along + 0.6 * across});
  }
  return points;
}

TEST(Spread, DirectionsAreOrthonormalAndWidestFirst) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const std::vector<Coordinates> found = principal_directions(ellipse(3, 0.5, seed));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_NEAR(found[0][0], -0.6, 0.02);  // the larger component is the positive one
    EXPECT_NEAR(found[0][1], 0.8, 0.02);
    EXPECT_NEAR(std::hypot(found[1][0], found[1][1]), 1, 1e-12);
    EXPECT_NEAR(found[0][0] * found[1][0] + found[0][1] * found[1][1], 0, 1e-12);
  }
}

TEST(Spread, TheCentreIsTheMean) {
  const Coordinates centre = centre_of({{0, 2}, {1, 5}, {2, -1}});
  EXPECT_DOUBLE_EQ(centre[0], 1);
  EXPECT_DOUBLE_EQ(centre[1], 2);
}

// That x/unit + y is narrow is seen only beside how wide each is over all points.
TEST(Spread, AFormIsNarrowComparedWithAllPoints) {
  for (double unit : {1.0, 1e-9, 1e9}) {
    const Random random(1, Purpose::analysis);
    std::vector<Coordinates> some, all;
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const double x = random.normal(0, i), y = random.normal(1, i);
      all.push_back({unit * x, y});
      some.push_back({unit * x, 0.05 * y - x});
    }
    const Coordinates form = narrowest_form(some, all);
    EXPECT_NEAR(form[0] * unit / form[1], 1, 0.02) << "unit " << unit;
  }
}

}  // namespace
}  // namespace greybox
