#include "greybox/sample.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/trained_toy.hpp"
#include "greybox/landscape.hpp"
#include "train/run_record.hpp"

namespace greybox::test {
namespace {

class SampleOf : public TrainedToy {
 protected:
  static SampleOptions options(double beta = 20) {
    SampleOptions options;
    options.regularizer = "normD";
    options.beta = beta;
    options.execution.n_threads = 1;
    return options;
  }
  static bool warns(const Posterior& report, const std::string& part) {
    return std::any_of(report.warnings.begin(), report.warnings.end(),
                       [&](const std::string& warning) { return has(warning, part); });
  }
  static std::string refused(const Run& run, const std::function<void(SampleOptions&)>& spoil) {
    SampleOptions asked = options();
    spoil(asked);
    return refusal([&] { sample(run, asked); });
  }
};

// Trained until it fits everywhere, and hardly, so that the distribution ends where θ do not fit.
class GridAndChains : public SampleOf, public testing::WithParamInterface<std::size_t> {};

TEST_P(GridAndChains, Agree) {
  const Run run = trained(fmt::format("epochs = {}\nbatch = 10\nrate = [1e-2, 1e-4]", GetParam()));
  const Posterior grid = sample(run, options());
  EXPECT_EQ(grid.unconstrained.has_value(), GetParam() < 1000);
  for (std::uint64_t seed : {1, 2}) {
    SampleOptions asked = options();
    asked.method = SampleMethod::nuts;
    asked.seed = seed;
    const Posterior chains = sample(run, asked);
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

INSTANTIATE_TEST_SUITE_P(Epochs, GridAndChains, testing::Values(2000, 20));

TEST_F(SampleOf, AGreaterBetaNarrowsTheDistribution) {
  const Posterior posterior = sample(trained(), options());
  ASSERT_EQ(posterior.sensitivity.size(), 5U);
  for (std::size_t k = 1; k < 5; ++k) {
    EXPECT_GT(posterior.sensitivity[k].beta, posterior.sensitivity[k - 1].beta);
    EXPECT_LT(posterior.sensitivity[k].sd[0], posterior.sensitivity[k - 1].sd[0]);
  }
  EXPECT_EQ(posterior.sensitivity[2].mean[0], posterior.parameters[0].mean);
}

TEST_F(SampleOf, ResultsDoNotDependOnThreads) {
  const Run run = trained();
  SampleOptions asked = options();
  asked.draws = asked.warmup = 50;
  for (SampleMethod method : {SampleMethod::grid, SampleMethod::nuts}) {
    asked.method = method;
    asked.execution.n_threads = 1;
    const Posterior one = sample(run, asked);
    asked.execution.n_threads = 3;
    const Posterior three = sample(run, asked);
    EXPECT_EQ(one.parameters[0].draws, three.parameters[0].draws);
    EXPECT_EQ(one.regularizers, three.regularizers);
    asked.seed = 9;
    EXPECT_NE(one.parameters[0].draws, sample(run, asked).parameters[0].draws);
    asked.seed = 0;
  }
}

TEST_F(SampleOf, IsToldAsJsonAndInTheLedger) {
  const Posterior posterior = sample(trained(), options());
  const auto json = nlohmann::json::parse(to_json(posterior));
  EXPECT_EQ(json.at("method"), "grid");
  EXPECT_EQ(json.at("beta"), 20);
  EXPECT_EQ(json.at("chains"), 4);
  EXPECT_EQ(json.at("draws_per_chain"), 1000);
  EXPECT_EQ(json.at("divergences"), 0);
  EXPECT_EQ(json.at("parameters")[1].at("name"), "c");
  EXPECT_EQ(json.at("parameters")[0].at("mean"), posterior.parameters[0].mean);
  EXPECT_EQ(json.at("sensitivity")[4].at("beta"), 80);
  const LedgerEntry last = read_record(path("run")).ledger.back();
  EXPECT_EQ(last.command, "sample");
  EXPECT_EQ(last.split, "test");
  EXPECT_EQ(last.regularizer, "normD");
}

TEST_F(SampleOf, WarnsOfWhatADistributionDoesNotSay) {
  const Run run = trained("epochs = 300\nbatch = 10\nrate = [1e-2, 1e-4]",
                          "a = { prior = \"uniform\", low = 0, high = 0.5 }\n"
                          "c = { prior = \"uniform\", low = \"-pi\", high = \"pi\" }");
  EXPECT_TRUE(warns(sample(run, options(50)), "a piles up at its upper bound 0.5"));
  const Posterior flat = sample(run, options(1e-6));
  EXPECT_TRUE(warns(flat, "a is spread about as widely as its prior"));
  EXPECT_FALSE(warns(flat, "piles up"));
  SampleOptions short_run = options(50);
  short_run.method = SampleMethod::nuts;
  short_run.draws = 20;
  EXPECT_TRUE(warns(sample(run, short_run), "worth fewer than 400"));
}

TEST_F(SampleOf, DataLookedAtBeforeIsWarnedOf) {
  const Run run = trained();
  landscape(run, {.vary = {{"a", 0, 2, 3}}, .on = Splits{{Split::test}}});
  EXPECT_TRUE(warns(sample(run, options()), "used twice"));
}

TEST_F(SampleOf, TakesGridPointsOfTheInputs) {
  SampleOptions asked = options();
  asked.on = Points{{{"x", -3, 3, 50}}};
  const Posterior posterior = sample(trained(), asked);
  EXPECT_EQ(posterior.n_windows, 50U);
  EXPECT_EQ(posterior.on, "x=-3:3:50");
  EXPECT_NEAR(posterior.parameters[0].mean, 1.4, 0.2);
  EXPECT_TRUE(std::isnan(posterior.losses[0]));
}

// Means over networks with kinks are computed at every θ.
TEST_F(SampleOf, InterpolatedMeansSayTheSame) {
  std::string text = toy_model("epochs = 100\nbatch = 10\nrate = [1e-2, 1e-3]");
  text.insert(text.find("hidden"), "activation = \"tanh\"\n");
  const Run run = trained_as(write("model.toml", text));
  SampleOptions asked = options(2);
  asked.regularizer = "mean(norm2(theory)) + abs(mean(theory.y * x) - 1)";
  asked.on = Points{{{"x", -3, 3, 50}}};
  const Posterior few = sample(run, asked);
  asked.exact = true;
  const Posterior all = sample(run, asked);
  EXPECT_NE(few.regularizers, all.regularizers) << "nothing was interpolated";
  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_NEAR(few.parameters[p].mean, all.parameters[p].mean, 0.02 * all.parameters[p].sd);
    EXPECT_NEAR(few.parameters[p].sd / all.parameters[p].sd, 1, 0.02);
  }
  // At the same θ they differ by what was promised for the density.
  for (std::size_t i = 0; i < few.regularizers.size(); ++i)
    if (few.parameters[0].draws[i] == all.parameters[0].draws[i] &&
        few.parameters[1].draws[i] == all.parameters[1].draws[i]) {
      EXPECT_NEAR(few.regularizers[i], all.regularizers[i], 0.02 / 2);
    }
}

TEST_F(SampleOf, EndsWhenItIsTold) {
  const Run run = trained();
  SampleOptions asked = options();
  const std::atomic<bool> cancel = true;
  asked.execution.cancel = &cancel;
  EXPECT_THROW(sample(run, asked), Interruption);
  asked.method = SampleMethod::nuts;
  EXPECT_THROW(sample(run, asked), Interruption);
}

TEST_F(SampleOf, MistakesAreRefused) {
  const Run run = trained();
  const std::string suggestion = refused(run, [](auto& o) { o.beta.reset(); });
  EXPECT_TRUE(has(suggestion, "option `beta`")) << suggestion;
  EXPECT_TRUE(has(suggestion, "its median")) << suggestion;
  EXPECT_TRUE(has(refused(run, [](auto& o) { o.beta = -1; }), "must be a positive number"));
  EXPECT_TRUE(has(refused(run, [](auto& o) { o.regularizer = "normd"; }), "did you mean `normD`?"));
  EXPECT_TRUE(has(refused(run, [](auto& o) { o.chains = 0; }), "option `chains`"));
  EXPECT_TRUE(has(refused(run, [](auto& o) { o.draws = 3; }), "option `draws`"));
  EXPECT_TRUE(has(refused(run, [](auto& o) { o.target_acceptance = 1; }), "option `target_acceptance`"));
}

}  // namespace
}  // namespace greybox::test
