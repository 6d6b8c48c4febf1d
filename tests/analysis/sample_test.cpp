#include "greybox/sample.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/trained_toy.hpp"
#include "greybox/landscape.hpp"
#include "greybox/networks.hpp"
#include "greybox/run.hpp"

namespace greybox::test {
namespace {

class SampleOf : public TrainedToy {
 protected:
  static SampleOptions options(const std::filesystem::path& run, double beta = 20) {
    SampleOptions options;
    options.run = run;
    options.regularizer = "normD";
    options.beta = beta;
    options.n_threads = 1;
    return options;
  }
  static bool warns(const SampleReport& report, const std::string& part) {
    return std::any_of(report.warnings.begin(), report.warnings.end(),
                       [&](const std::string& warning) { return has(warning, part); });
  }
  std::string refused(const std::function<void(SampleOptions&)>& spoil) {
    SampleOptions asked = options(path("run"));
    spoil(asked);
    return refusal([&] { sample_posterior(asked); });
  }
};

TEST_F(SampleOf, GridAndChainsAgree) {
  const std::filesystem::path run = trained();
  const Posterior grid = sample_posterior(options(run)).posterior;
  for (std::uint64_t seed : {1, 2}) {
    SampleOptions asked = options(run);
    asked.method = SampleMethod::nuts;
    asked.seed = seed;
    const Posterior chains = sample_posterior(asked).posterior;
    for (std::size_t p = 0; p < 2; ++p) {
      const PosteriorParameter &exact = grid.parameters[p], &sampled = chains.parameters[p];
      const double error = exact.sd / std::sqrt(sampled.ess_bulk);
      EXPECT_NEAR(sampled.mean, exact.mean, 4 * error + 1e-3) << exact.name;
      EXPECT_NEAR(sampled.sd / exact.sd, 1, 0.15) << exact.name;
      EXPECT_NEAR(sampled.q5, exact.q5, 0.3 * exact.sd) << exact.name;
      EXPECT_NEAR(sampled.q95, exact.q95, 0.3 * exact.sd) << exact.name;
      EXPECT_LT(sampled.rhat, 1.02);
    }
    // Weighed again, the draws say what the grid computes anew.
    EXPECT_NEAR(chains.sensitivity[3].sd[0] / grid.sensitivity[3].sd[0], 1, 0.15);
    EXPECT_GT(chains.sensitivity[2].ess, chains.sensitivity[0].ess);
  }
}

TEST_F(SampleOf, AGreaterBetaNarrowsTheDistribution) {
  const Posterior posterior = sample_posterior(options(trained())).posterior;
  ASSERT_EQ(posterior.sensitivity.size(), 5U);
  for (std::size_t k = 1; k < 5; ++k) {
    EXPECT_GT(posterior.sensitivity[k].beta, posterior.sensitivity[k - 1].beta);
    EXPECT_LT(posterior.sensitivity[k].sd[0], posterior.sensitivity[k - 1].sd[0]);
  }
  EXPECT_EQ(posterior.sensitivity[2].mean[0], posterior.parameters[0].mean);
}

TEST_F(SampleOf, ResultsDoNotDependOnThreads) {
  SampleOptions asked = options(trained());
  asked.n_draws = asked.n_warmup = 50;
  for (SampleMethod method : {SampleMethod::grid, SampleMethod::nuts}) {
    asked.method = method;
    asked.n_threads = 1;
    const Posterior one = sample_posterior(asked).posterior;
    asked.n_threads = 3;
    const Posterior three = sample_posterior(asked).posterior;
    EXPECT_EQ(one.parameters[0].draws, three.parameters[0].draws);
    EXPECT_EQ(one.regularizers, three.regularizers);
    asked.seed = 9;
    EXPECT_NE(one.parameters[0].draws, sample_posterior(asked).posterior.parameters[0].draws);
    asked.seed = 0;
  }
}

TEST_F(SampleOf, IsToldAsJsonAndInTheLedger) {
  const std::filesystem::path run = trained();
  const SampleReport report = sample_posterior(options(run));
  const auto json = nlohmann::json::parse(report.json);
  EXPECT_EQ(json.at("method"), "grid");
  EXPECT_EQ(json.at("beta"), 20);
  EXPECT_EQ(json.at("chains"), 4);
  EXPECT_EQ(json.at("draws_per_chain"), 1000);
  EXPECT_EQ(json.at("divergences"), 0);
  EXPECT_EQ(json.at("parameters")[1].at("name"), "c");
  EXPECT_EQ(json.at("parameters")[0].at("mean"), report.posterior.parameters[0].mean);
  EXPECT_EQ(json.at("sensitivity")[4].at("beta"), 80);
  const LedgerEntry last = read_run(run).ledger.back();
  EXPECT_EQ(last.command, "sample");
  EXPECT_EQ(last.split, "test");
  EXPECT_EQ(last.regularizer, "normD");
}

TEST_F(SampleOf, WarnsOfWhatADistributionDoesNotSay) {
  const std::filesystem::path run = trained("epochs = 300\nbatch = 10\nrate = [1e-2, 1e-4]",
                                            "a = { prior = \"uniform\", low = 0, high = 0.5 }\n"
                                            "c = { prior = \"uniform\", low = \"-pi\", high = \"pi\" }");
  EXPECT_TRUE(warns(sample_posterior(options(run, 50)), "a piles up at its upper bound 0.5"));
  const SampleReport flat = sample_posterior(options(run, 1e-6));
  EXPECT_TRUE(warns(flat, "a is spread about as widely as its prior"));
  EXPECT_FALSE(warns(flat, "piles up"));
  SampleOptions short_run = options(run, 50);
  short_run.method = SampleMethod::nuts;
  short_run.n_draws = 20;
  EXPECT_TRUE(warns(sample_posterior(short_run), "worth fewer than 400"));
}

TEST_F(SampleOf, DataLookedAtBeforeIsWarnedOf) {
  const std::filesystem::path run = trained();
  LandscapeOptions look;
  look.run = run;
  look.vary = {{"a", 0, 2, 3}};
  look.split = "test";
  landscape(look);
  EXPECT_TRUE(warns(sample_posterior(options(run)), "used twice"));
}

TEST_F(SampleOf, TakesGridPointsOfTheInputs) {
  SampleOptions asked = options(trained());
  asked.on = "x=-3:3:50";
  const Posterior posterior = sample_posterior(asked).posterior;
  EXPECT_EQ(posterior.n_windows, 50U);
  EXPECT_EQ(posterior.on, "x=-3:3:50");
  EXPECT_NEAR(posterior.parameters[0].mean, 1.4, 0.2);
  EXPECT_TRUE(std::isnan(posterior.losses[0]));
}

TEST_F(SampleOf, EndsWhenItIsTold) {
  SampleOptions asked = options(trained());
  const std::atomic<bool> cancel = true;
  asked.cancel = &cancel;
  EXPECT_THROW(sample_posterior(asked), Interruption);
  asked.method = SampleMethod::nuts;
  EXPECT_THROW(sample_posterior(asked), Interruption);
}

TEST_F(SampleOf, MistakesAreRefused) {
  trained();
  const std::string suggestion = refused([](auto& o) { o.beta.reset(); });
  EXPECT_TRUE(has(suggestion, "no --beta is given")) << suggestion;
  EXPECT_TRUE(has(suggestion, "its median")) << suggestion;
  EXPECT_TRUE(has(refused([](auto& o) { o.beta = -1; }), "must be a positive number"));
  EXPECT_TRUE(has(refused([](auto& o) { o.regularizer = "normd"; }), "did you mean `normD`?"));
  EXPECT_TRUE(has(refused([](auto& o) { o.on = "each"; }), "--on"));
  EXPECT_TRUE(has(refused([](auto& o) { o.on = "tets"; }), "did you mean `test`?"));
  EXPECT_TRUE(has(refused([](auto& o) { o.n_chains = 0; }), "--chains"));
  EXPECT_TRUE(has(refused([](auto& o) { o.n_draws = 3; }), "--draws"));
  EXPECT_TRUE(has(refused([](auto& o) { o.target_acceptance = 1; }), "--target"));
}

}  // namespace
}  // namespace greybox::test
