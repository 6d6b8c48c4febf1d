#include "analysis/posterior/diagnostics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

#include "analysis/posterior/autocovariances.hpp"
#include "core/random.hpp"

namespace greybox::test {
namespace {

// x_i = φ x_{i-1} + √(1 - φ²) ε: standard normal, with autocorrelations φ^lag.
Chains autoregressive(double phi, std::size_t n_chains, std::size_t n_draws, std::uint64_t seed) {
  const Random random(seed, Purpose::generator);
  Chains chains(n_chains);
  for (std::size_t c = 0; c < n_chains; ++c) {
    double x = random.normal(c, 0);
    for (std::size_t i = 0; i < n_draws; ++i) {
      chains[c].push_back(x);
      x = phi * x + std::sqrt(1 - phi * phi) * random.normal(c, i + 1);
    }
  }
  return chains;
}

TEST(Diagnostics, RhatIsWhatOneComputesByHand) {
  // Means 2 and 5, variances 1 and 1: W = 1, variance of the means 4.5, var⁺ = 2/3 + 4.5.
  EXPECT_DOUBLE_EQ(basic_rhat({{1, 2, 3}, {4, 5, 6}}), std::sqrt(2.0 / 3 + 4.5));
  // The same chain twice: var⁺ / W = (n - 1) / n.
  EXPECT_DOUBLE_EQ(basic_rhat({{1, 2, 3, 4}, {1, 2, 3, 4}}), std::sqrt(0.75));
}

TEST(Diagnostics, ChainsAreSplitInHalves) {
  EXPECT_EQ(split_chains({{1, 2, 3, 4, 5}}), (Chains{{1, 2}, {4, 5}}));
  EXPECT_EQ(split_chains({{1, 2, 3, 4}}), (Chains{{1, 2}, {3, 4}}));
}

TEST(Diagnostics, RanksBecomeNormalAndTiesShareThem) {
  const Chains z = rank_normalised({{10, 30}, {20, 20}});
  // Ranks 1, 4 and twice 2.5 of 4: Φ⁻¹(0.625 / 4.25), Φ⁻¹(3.625 / 4.25), Φ⁻¹(1/2).
  EXPECT_NEAR(z[0][0], -1.0491313979639705, 1e-12);
  EXPECT_NEAR(z[0][1], 1.0491313979639705, 1e-12);
  EXPECT_NEAR(z[1][0], 0, 1e-12);
  EXPECT_EQ(z[1][0], z[1][1]);
}

TEST(Diagnostics, AutocovariancesAreTheirSums) {
  for (std::size_t n : {1, 5, 64, 100}) {
    const std::vector<double> chain = autoregressive(0.7, 1, n, 3)[0];
    double mean = 0;
    for (double value : chain) mean += value / static_cast<double>(n);
    const std::vector<double> found = autocovariances(chain);
    ASSERT_EQ(found.size(), n);
    for (std::size_t lag = 0; lag < n; ++lag) {
      double sum = 0;
      for (std::size_t i = 0; i + lag < n; ++i) sum += (chain[i] - mean) * (chain[i + lag] - mean);
      EXPECT_NEAR(found[lag], sum / static_cast<double>(n), 1e-12) << n << " draws, lag " << lag;
    }
  }
}

// Their correlation lasts as long as they do.
TEST(Diagnostics, ChainsThatKeepToDifferentMinimaTakeNoLonger) {
  Chains chains = autoregressive(0.5, 4, 200'000, 1);
  for (std::size_t c : {0, 1})
    for (double& value : chains[c]) value += 20;
  const std::clock_t begin = std::clock();
  const Convergence found = convergence_of(chains);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 10);
  EXPECT_GT(found.rhat, 1.5);
  EXPECT_LT(found.ess_bulk, 50);
}

TEST(Diagnostics, EffectiveNumbersAreThoseOfTheAutocorrelation) {
  for (double phi : {0.0, 0.5, 0.9}) {
    double bulk = 0;
    for (std::uint64_t seed : {1, 2, 3, 4}) bulk += bulk_ess(autoregressive(phi, 4, 2000, seed)) / 4;
    const double expected = 8000 * (1 - phi) / (1 + phi);
    EXPECT_NEAR(bulk / expected, 1, 0.15) << "φ = " << phi;
  }
}

// x_i = 0.8 x_{i-1} + u - 1/2 with the linear congruential generator that any language can repeat; the
// numbers come from an implementation of the paper in Python, lag by lag as its appendix has them.
TEST(Diagnostics, AreThoseOfAnotherImplementation) {
  Chains chains(4);
  for (std::uint64_t c = 0; c < 4; ++c) {
    std::uint64_t state = 12345 + c;
    double x = 0;
    for (int i = 0; i < 200; ++i) {
      state = (1103515245 * state + 12345) % (std::uint64_t{1} << 31);
      x = 0.8 * x + (static_cast<double>(state) / 2147483648.0 - 0.5);
      chains[c].push_back(x);
    }
  }
  EXPECT_NEAR(rank_rhat(chains), 1.088741427780564, 1e-9);
  EXPECT_NEAR(bulk_ess(chains), 45.30850159496296, 1e-6);
  EXPECT_NEAR(tail_ess(chains), 190.80568194117842, 1e-6);
}

TEST(Diagnostics, AntitheticDrawsAreWorthMore) {
  EXPECT_GT(bulk_ess(autoregressive(-0.5, 4, 1000, 1)), 8000);
}

TEST(Diagnostics, RhatIsOneForChainsThatAgree) {
  for (std::uint64_t seed : {1, 2, 3}) EXPECT_NEAR(rank_rhat(autoregressive(0.3, 4, 1000, seed)), 1, 0.01);
}

TEST(Diagnostics, RhatSeesAShiftedAndAWiderChain) {
  Chains shifted = autoregressive(0, 4, 500, 1), wider = shifted;
  for (double& value : shifted[3]) value += 1;
  for (double& value : wider[3]) value *= 4;
  EXPECT_GT(rank_rhat(shifted), 1.05);
  EXPECT_GT(rank_rhat(wider), 1.05);
  EXPECT_LT(basic_rhat(rank_normalised(split_chains(wider))), 1.02) << "only folding sees the width";
}

TEST(Diagnostics, TheTailCountsLessWhereQuantilesStick) {
  // Long excursions to one side, quick mixing in the middle.
  Chains chains = autoregressive(0, 4, 1000, 2);
  for (auto& chain : chains)
    for (std::size_t i = 100; i < 200; ++i) chain[i] = 5 + 0.001 * static_cast<double>(i);
  EXPECT_LT(tail_ess(chains), 100);
}

TEST(Diagnostics, TooFewDrawsSayNothing) {
  EXPECT_TRUE(std::isnan(rank_rhat({{1, 2, 3}})));
  EXPECT_TRUE(std::isnan(bulk_ess({{1, 2, 3}})));
}

TEST(Diagnostics, QuantilesAreThoseOfNumPy) {
  const std::vector<double> sorted = {1, 2, 4, 8};
  EXPECT_DOUBLE_EQ(quantile_of(sorted, 0), 1);
  EXPECT_DOUBLE_EQ(quantile_of(sorted, 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile_of(sorted, 0.9), 6.8);
  EXPECT_DOUBLE_EQ(quantile_of(sorted, 1), 8);
}

}  // namespace
}  // namespace greybox::test
