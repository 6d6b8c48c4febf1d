#include "analysis/posterior/log_density.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/posterior/nuts.hpp"
#include "analysis/theta/prior_density.hpp"
#include "core/limits.hpp"
#include "train/made_parameter.hpp"
#include "train/prior.hpp"

namespace greybox::test {
namespace {

const std::vector<ParameterSpec> kPriors = {
    made_parameter(PriorKind::uniform, -1, 3),
    made_parameter(PriorKind::normal, -kInfinity, kInfinity, 2, 0.5),
    made_parameter(PriorKind::normal, 1, kInfinity, -2, 1.5),
    made_parameter(PriorKind::normal, -kInfinity, 1, 2, 0.7),
    made_parameter(PriorKind::lognormal, 0, kInfinity, 0.3, 0.4),
    made_parameter(PriorKind::lognormal, 0.5, 2, 0.3, 0.4),
    made_parameter(PriorKind::truncated_normal, 0, 1, 0.8, 0.3),
};

LogDensity prior_alone(const ParameterSpec& spec) {
  return on_whole_space({spec}, [](auto, std::span<double> gradient) {
    gradient[0] = 0;
    return 0.0;
  });
}

class PriorOf : public ::testing::TestWithParam<std::size_t> {
 protected:
  const ParameterSpec& spec() const { return kPriors[GetParam()]; }
};

TEST_P(PriorOf, IntegratesToOneOnTheWholeLine) {
  const LogDensity density = prior_alone(spec());
  std::vector<double> gradient(1);
  double sum = 0;
  for (double z = -30; z < 30; z += 1e-3) sum += 1e-3 * std::exp(density(std::vector<double>{z}, gradient));
  EXPECT_NEAR(sum, 1, 1e-6);
}

TEST_P(PriorOf, HasTheGradientOfFiniteDifferences) {
  const LogDensity density = on_whole_space({spec()}, [](std::span<const double> theta, auto gradient) {
    gradient[0] = std::cos(theta[0]);
    return std::sin(theta[0]);
  });
  std::vector<double> gradient(1), ignored(1);
  for (double z : {-2.0, -0.3, 0.7, 1.9}) {
    density(std::vector<double>{z}, gradient);
    const double above = density(std::vector<double>{z + 1e-6}, ignored);
    const double below = density(std::vector<double>{z - 1e-6}, ignored);
    EXPECT_NEAR(gradient[0], (above - below) / 2e-6, 1e-6 * std::max(1.0, std::abs(gradient[0]))) << z;
  }
}

TEST_P(PriorOf, HasTheQuantilesOfTheDraws) {
  const Prior prior(spec());
  const PriorDensity density(spec());
  for (double u : {0.05, 0.5, 0.93}) EXPECT_NEAR(density.cdf(prior.draw(prior.start(), u)), u, 1e-9);
}

TEST_P(PriorOf, MapsThereAndBack) {
  const RangeMap map(spec().low, spec().high);
  for (double z : {-3.0, 0.0, 2.5}) EXPECT_NEAR(map.out_of(map.into(z)), z, 1e-9);
}

// Independent of the density's formula: the sampled share below each quantile of the prior's own draws.
TEST_P(PriorOf, IsWhatNutsSamples) {
  const Prior prior(spec());
  const RangeMap map(spec().low, spec().high);
  const LogDensity density = prior_alone(spec());
  for (std::uint64_t seed : {1, 2}) {
    const NutsChain chain = run_nuts(density, {map.out_of(prior.draw(prior.start(), 0.5))},
                                     {.n_warmup = 500, .n_draws = 4000, .seed = seed});
    for (double u : {0.1, 0.5, 0.9}) {
      double share = 0;
      for (const NutsDraw& draw : chain.draws)
        share += map.into(draw.position[0]) < prior.draw(prior.start(), u) ? 1.0 / 4000 : 0;
      EXPECT_NEAR(share, u, 0.05) << "seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, PriorOf, ::testing::Range(std::size_t{0}, kPriors.size()));

}  // namespace
}  // namespace greybox::test
