// A model with states whose parameter has a kink: answers from few θ are those from all of them.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/tank.hpp"
#include "greybox/landscape.hpp"
#include "greybox/sample.hpp"

namespace greybox::test {
namespace {

Run kinked_tank() {
  TankModel model;
  model.correction = "-0.3 * level^2 + 0.5 * abs(k - 0.83) * level + 1e-9 * fD.level";
  return train(tank_model(model), tank_table(), {.execution = {.n_threads = 1}});
}

TEST(RoughTheta, LandscapesAreInterpolatedOnBothSidesOfAKink) {
  const greybox::Run run = kinked_tank();
  LandscapeOptions options{.vary = {{"k", 0.1, 2.0, 401}}, .execution = {.n_threads = 1}};
  const LandscapeGrid few = landscape(run, options).grids[0];
  options.exact = true;
  const LandscapeGrid all = landscape(run, options).grids[0];
  EXPECT_LT(few.n_computed, 150U);
  EXPECT_EQ(all.n_computed, 401U);
  const std::vector<double>& values = all.maps[0].values;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(few.maps[0].values[i], values[i], 4e-3 * (*high - *low)) << i;
    EXPECT_NEAR(few.rmse[i], all.rmse[i], 0.04 * all.rmse[i] + 1e-3) << i;
  }
  EXPECT_EQ(few.maps[0].minima[0].theta, all.maps[0].minima[0].theta);
  EXPECT_EQ(few.is_poor, all.is_poor);
}

TEST(RoughTheta, DistributionsAreThoseOfAllTheta) {
  const greybox::Run run = kinked_tank();
  SampleOptions options{.regularizer = "normD", .beta = 40, .execution = {.n_threads = 1}};
  const Posterior few = sample(run, options);
  options.exact = true;
  const Posterior all = sample(run, options);
  EXPECT_NE(few.regularizers, all.regularizers) << "nothing was interpolated";
  EXPECT_NEAR(few.parameters[0].mean, all.parameters[0].mean, 0.02 * all.parameters[0].sd);
  EXPECT_NEAR(few.parameters[0].sd / all.parameters[0].sd, 1, 0.02);
  for (std::size_t i = 0; i < few.regularizers.size(); ++i)
    if (few.parameters[0].draws[i] == all.parameters[0].draws[i]) {
      EXPECT_NEAR(few.regularizers[i], all.regularizers[i], 0.04 / 40);
    }
  EXPECT_EQ(few.unconstrained.has_value(), all.unconstrained.has_value());
}

}  // namespace
}  // namespace greybox::test
