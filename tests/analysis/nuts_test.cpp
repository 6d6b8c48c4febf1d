#include "analysis/posterior/nuts.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/posterior/diagnostics.hpp"
#include "greybox/error.hpp"

namespace greybox::test {
namespace {

constexpr std::uint64_t kChainSeeds[] = {1, 2, 3};

std::vector<NutsChain> run_chains(const LogDensity& density, std::size_t n_dimensions, std::uint64_t seed) {
  std::vector<NutsChain> chains;
  for (std::uint64_t chain = 0; chain < 4; ++chain) {
    const std::vector<double> start(n_dimensions, static_cast<double>(chain) - 1.5);
    chains.push_back(run_nuts(density, start, {.seed = seed, .chain = chain}));
  }
  return chains;
}

Chains component(const std::vector<NutsChain>& chains, std::size_t p) {
  Chains values(chains.size());
  for (std::size_t c = 0; c < chains.size(); ++c)
    for (const NutsDraw& draw : chains[c].draws) values[c].push_back(draw.position[p]);
  return values;
}

struct Moments {
  double mean = 0, sd = 0, error = 0;  // error: standard error of the mean
};

Moments moments_of(const Chains& chains) {
  double n = 0, sum = 0, squares = 0;
  for (const auto& chain : chains)
    for (double value : chain) {
      n += 1;
      sum += value;
      squares += value * value;
    }
  const double mean = sum / n, sd = std::sqrt(squares / n - mean * mean);
  return {mean, sd, sd / std::sqrt(bulk_ess(chains))};
}

std::size_t n_divergent(const std::vector<NutsChain>& chains) {
  std::size_t n = 0;
  for (const NutsChain& chain : chains)
    for (const NutsDraw& draw : chain.draws) n += draw.is_divergent ? 1 : 0;
  return n;
}

// Two correlated components (ρ = 0.9) of scale 1, and one of scale 100 around 50.
double gaussian(std::span<const double> x, std::span<double> gradient) {
  constexpr double kRho = 0.9, kRest = 1 - kRho * kRho;
  gradient[0] = -(x[0] - kRho * x[1]) / kRest;
  gradient[1] = -(x[1] - kRho * x[0]) / kRest;
  gradient[2] = -(x[2] - 50) / 1e4;
  return -(x[0] * x[0] - 2 * kRho * x[0] * x[1] + x[1] * x[1]) / (2 * kRest) -
         (x[2] - 50) * (x[2] - 50) / 2e4;
}

// x ~ N(0, 1), y | x ~ N(x², 1): a curved valley with E y = 1 and var y = 2 + 1.
double banana(std::span<const double> x, std::span<double> gradient) {
  const double off = x[1] - x[0] * x[0];
  gradient[0] = -x[0] + 2 * off * x[0];
  gradient[1] = -off;
  return -x[0] * x[0] / 2 - off * off / 2;
}

TEST(Nuts, HasTheMomentsOfAGaussian) {
  for (std::uint64_t seed : kChainSeeds) {
    const std::vector<NutsChain> chains = run_chains(gaussian, 3, seed);
    const double expected_mean[] = {0, 0, 50}, expected_sd[] = {1, 1, 100};
    for (std::size_t p = 0; p < 3; ++p) {
      const Chains values = component(chains, p);
      const Moments moments = moments_of(values);
      EXPECT_NEAR(moments.mean, expected_mean[p], 4 * moments.error) << "component " << p;
      EXPECT_NEAR(moments.sd / expected_sd[p], 1, 0.1) << "component " << p;
      EXPECT_LT(rank_rhat(values), 1.01) << "component " << p;
      EXPECT_GT(bulk_ess(values), 800) << "component " << p;
      EXPECT_GT(tail_ess(values), 800) << "component " << p;
    }
    EXPECT_EQ(n_divergent(chains), 0U);
  }
}

TEST(Nuts, LearnsTheScales) {
  const NutsChain chain = run_nuts(gaussian, {0, 0, 0}, {.seed = 5});
  EXPECT_NEAR(std::log10(chain.inverse_mass[0]), 0, 0.4);
  EXPECT_NEAR(std::log10(chain.inverse_mass[2]), 4, 0.4);
  double acceptance = 0;
  for (const NutsDraw& draw : chain.draws) acceptance += draw.acceptance / 1000;
  EXPECT_GT(acceptance, 0.75);
  EXPECT_LT(acceptance, 0.97) << "steps far smaller than they need be";
}

TEST(Nuts, FollowsABanana) {
  for (std::uint64_t seed : kChainSeeds) {
    const std::vector<NutsChain> chains = run_chains(banana, 2, seed);
    const Moments x = moments_of(component(chains, 0)), y = moments_of(component(chains, 1));
    EXPECT_NEAR(x.mean, 0, 4 * x.error);
    EXPECT_NEAR(x.sd, 1, 0.1);
    EXPECT_NEAR(y.mean, 1, 4 * y.error);
    EXPECT_NEAR(y.sd, std::sqrt(3.0), 0.25);
    EXPECT_LT(rank_rhat(component(chains, 1)), 1.05);
  }
}

// Proposals follow N(0, 1), and draws N(0.6, 0.8²).
TEST(Nuts, AnExactDensityCorrectsItsProposals) {
  const LogDensity near_to_it = [](std::span<const double> x, std::span<double> gradient) {
    gradient[0] = -x[0];
    return -x[0] * x[0] / 2;
  };
  const ExactDensityAt exact = [](std::span<const double> x) {
    return ExactDensity{-(x[0] - 0.6) * (x[0] - 0.6) / (2 * 0.64), x[0], 2 * x[0]};
  };
  for (std::uint64_t seed : kChainSeeds) {
    std::vector<NutsChain> chains;
    std::size_t n_accepted = 0;
    for (std::uint64_t chain = 0; chain < 4; ++chain) {
      chains.push_back(run_nuts(near_to_it, {0}, {.seed = seed, .chain = chain}, {}, exact));
      for (const NutsDraw& draw : chains.back().draws) {
        n_accepted += draw.is_accepted ? 1 : 0;
        EXPECT_EQ(draw.regularizer, draw.position[0]);
        EXPECT_EQ(draw.loss, 2 * draw.position[0]);
      }
    }
    const Moments moments = moments_of(component(chains, 0));
    EXPECT_NEAR(moments.mean, 0.6, 4 * moments.error);
    EXPECT_NEAR(moments.sd, 0.8, 0.06);
    EXPECT_GT(n_accepted, 2000U);
    EXPECT_LT(n_accepted, 4000U);
  }
}

TEST(Nuts, RepeatsItselfAndChainsDiffer) {
  const NutsOptions options{.n_warmup = 100, .n_draws = 50, .seed = 3, .chain = 1};
  const NutsChain first = run_nuts(banana, {0, 0}, options), again = run_nuts(banana, {0, 0}, options);
  for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(first.draws[i].position, again.draws[i].position);
  const NutsChain other = run_nuts(banana, {0, 0}, {.n_warmup = 100, .n_draws = 50, .seed = 3, .chain = 2});
  EXPECT_NE(first.draws.back().position, other.draws.back().position);
}

// A funnel: its neck is too narrow for any one step size.
TEST(Nuts, TellsOfDivergences) {
  const LogDensity funnel = [](std::span<const double> x, std::span<double> gradient) {
    const double precision = std::exp(-x[0]);
    double sum = -x[0] * x[0] / 18;
    gradient[0] = -x[0] / 9;
    for (std::size_t i = 1; i < 10; ++i) {
      sum -= x[i] * x[i] * precision / 2 + x[0] / 2;
      gradient[0] += x[i] * x[i] * precision / 2 - 0.5;
      gradient[i] = -x[i] * precision;
    }
    return sum;
  };
  EXPECT_GT(n_divergent(run_chains(funnel, 10, 1)), 0U);
}

TEST(Nuts, AWallOfNothingIsNotCrossed) {
  const LogDensity half_line = [](std::span<const double> x, std::span<double> gradient) {
    gradient[0] = -1;
    return x[0] < 0 ? std::numeric_limits<double>::quiet_NaN() : -x[0];
  };
  const NutsChain chain = run_nuts(half_line, {1}, {.n_warmup = 300, .n_draws = 300, .seed = 1});
  for (const NutsDraw& draw : chain.draws) EXPECT_GE(draw.position[0], 0);
}

TEST(Nuts, EndsInTheMidstOfAStepWithTheStepsBefore) {
  std::size_t n = 0;
  const NutsOptions options{.n_warmup = 20, .n_draws = 100, .seed = 1};
  const NutsChain whole = run_nuts(banana, {0, 0}, options);
  const LogDensity stopping = [&](std::span<const double> x, std::span<double> gradient) {
    if (++n > 300) throw Interruption("stopped");
    return banana(x, gradient);
  };
  const NutsChain some = run_nuts(stopping, {0, 0}, options);
  ASSERT_GT(some.draws.size(), 0U);
  ASSERT_LT(some.draws.size(), 100U);
  for (std::size_t i = 0; i < some.draws.size(); ++i)
    EXPECT_EQ(some.draws[i].position, whole.draws[i].position);
}

TEST(Nuts, EndsWhenItIsTold) {
  std::size_t n = 0;
  const NutsChain chain =
      run_nuts(banana, {0, 0}, {.n_warmup = 20, .n_draws = 100, .seed = 1}, [&] { return ++n < 30; });
  EXPECT_EQ(n, 30U);
  EXPECT_EQ(chain.draws.size(), 10U);
}

}  // namespace
}  // namespace greybox::test
