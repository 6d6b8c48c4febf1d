// Analyses keep to θ that fit the data, and say what they would have said without regard to fit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/theta/point_estimate.hpp"
#include "core/random.hpp"
#include "greybox/greybox.hpp"

namespace greybox::test {
namespace {

// y = 2 u + sin(3 v), and a network that sees v alone: the data determine a, and `size` prefers a = 0.
Run constrained_run() {
  const Random random(3, Purpose::generator);
  std::vector<double> u, v, y;
  for (std::uint64_t i = 0; i < 200; ++i) {
    u.push_back(4 * random.uniform(i, 0) - 2);
    v.push_back(4 * random.uniform(i, 1) - 2);
    y.push_back(2 * u.back() + std::sin(3 * v.back()));
  }
  Table table;
  table.column("u", u).column("v", v).column("y", y);
  const Model model = Model::parse(R"toml(
scale = "none"
[data]
split = { train = 0.6, validation = 0.2, test = 0.2, by = "window" }
[parameters]
a = { prior = "uniform", low = 0, high = 4 }
[theory]
y = "a * u"
[network.fD]
inputs  = ["v"]
hidden  = [16, 16]
outputs = ["y"]
[regularizers]
size = "mean(theory.y^2)"
[train]
epochs = 300
batch  = 20
rate   = [1e-2, 1e-4]
)toml",
                                   "constrained");
  return train(model, table, {.seed = 1, .execution = {.n_threads = 1}});
}

const Run& the_run() {
  static const Run run = constrained_run();
  return run;
}

TEST(Fitting, LandscapesKnowWhatTheDataExclude) {
  const Landscape result = landscape(the_run(), {.vary = {{"a", 0, 4, 41}}, .execution = {.n_threads = 1}});
  const LandscapeGrid& grid = result.grids.at(0);
  ASSERT_EQ(grid.is_excluded.size(), 41U);
  EXPECT_EQ(grid.is_excluded[0], 1);
  EXPECT_EQ(grid.is_excluded[20], 0);
  EXPECT_EQ(grid.is_excluded[40], 1);
  EXPECT_TRUE(grid.refits.empty());
  EXPECT_NE(grid.adaptivity.find("the data exclude"), std::string::npos) << grid.adaptivity;
}

// One limit decides what fits, at the end of a training and in every landscape.
TEST(Fitting, LandscapesHatchWhatTheTrainingSaidDoesNotFit) {
  const double share = the_run().record()->fit.value().share;
  const Landscape result = landscape(the_run(), {.vary = {{"a", 0, 4, 101}}, .execution = {.n_threads = 1}});
  const std::vector<std::uint8_t>& is_poor = result.grids.at(0).is_poor;
  const auto n_poor = static_cast<double>(std::count(is_poor.begin(), is_poor.end(), std::uint8_t{1}));
  EXPECT_GT(share, 0.05);
  EXPECT_LT(share, 0.7);
  // The judgement has tried 48 θ.
  EXPECT_NEAR(share, 1 - n_poor / 101, 0.15);
}

// The network could adapt to every a, but for a λ that makes small corrections worth more than a fit.
TEST(Fitting, LandscapesSayThatTheRegularizerHoldsTheNetworkBack) {
  const Random random(4, Purpose::generator);
  std::vector<double> u, y;
  for (std::uint64_t i = 0; i < 200; ++i) {
    u.push_back(4 * random.uniform(i, 0) - 2);
    y.push_back(2 * u.back() + std::sin(3 * u.back()));
  }
  Table table;
  table.column("u", u).column("y", y);
  const Model model = Model::parse(R"toml(
scale = "none"
[data]
split = { train = 0.6, validation = 0.4, by = "window" }
[parameters]
a = { prior = "uniform", low = 0, high = 4 }
[theory]
y = "a * u"
[network.fD]
inputs  = ["u", "a"]
hidden  = [16, 16]
outputs = ["y"]
[regularizers]
normD = "mean(norm2(network))"
[train]
regularizer = "normD"
lambda = 1
epochs = 200
batch  = 20
rate   = [1e-2, 1e-4]
)toml",
                                   "held-back");
  const auto run = train(model, table, {.execution = {.n_threads = 1}});
  const LandscapeGrid grid =
      landscape(run, {.vary = {{"a", 0, 4, 41}}, .execution = {.n_threads = 1}}).grids.at(0);
  EXPECT_NE(grid.adaptivity.find("train with a smaller `lambda`"), std::string::npos) << grid.adaptivity;
  EXPECT_EQ(grid.adaptivity.find("train longer"), std::string::npos) << grid.adaptivity;
}

TEST(Fitting, MinimaOfLandscapesKeepToWhatFits) {
  const Landscape result = landscape(the_run(), {.vary = {{"a", 0, 4, 41}}, .execution = {.n_threads = 1}});
  const LandscapeMap& map = result.grids.at(0).maps.at(0);
  ASSERT_EQ(map.minima.size(), 1U);
  EXPECT_NEAR(map.minima[0].theta[0], 2, 0.5);
  EXPECT_TRUE(map.minima[0].is_cut_off);
  ASSERT_TRUE(map.unconstrained.has_value());
  EXPECT_EQ(map.unconstrained->theta[0], 0);
}

TEST(Fitting, DistributionsKeepToWhatFits) {
  for (SampleMethod method : {SampleMethod::grid, SampleMethod::nuts}) {
    const Posterior posterior = sample(the_run(), {.regularizer = "size",
                                                   .beta = 20,
                                                   .method = method,
                                                   .chains = 2,
                                                   .draws = 200,
                                                   .warmup = 200,
                                                   .execution = {.n_threads = 1}});
    ASSERT_TRUE(posterior.unconstrained.has_value());
    EXPECT_LT(posterior.unconstrained->mean[0], 0.4);
    EXPECT_LT(posterior.unconstrained->fitting_share, 0.1);
    EXPECT_GT(posterior.parameters[0].q5, 1);
    EXPECT_LT(posterior.parameters[0].q95, 2);
    EXPECT_NE(to_json(posterior).find("fitting_share"), std::string::npos);
  }
}

TEST(Fitting, EstimatesKeepToWhatFitsThoughRIsZeroElsewhere) {
  for (EstimateMethod method :
       {EstimateMethod::grid, EstimateMethod::adam, EstimateMethod::lbfgs, EstimateMethod::direct}) {
    const Estimate best =
        estimate(the_run(), {.regularizer = "size", .method = method, .execution = {.n_threads = 1}});
    EXPECT_GT(best.theta.at("a"), 1) << to_string(method);
    EXPECT_LT(best.theta.at("a"), 2) << to_string(method);
    EXPECT_LT(best.unconstrained.at("a"), 0.1) << to_string(method);
  }
}

TEST(Fitting, VerdictsLeaveToTheDataWhatTheyDetermine) {
  const Verdicts verdicts = judge(the_run(), {.execution = {.n_threads = 1}});
  ASSERT_EQ(verdicts.verdicts.size(), 2U);
  for (const Verdict& verdict : verdicts) {
    EXPECT_EQ(verdict.finding, Finding::determined) << verdict.sentence;
    EXPECT_LT(verdict.interval.first, 2);
    EXPECT_GT(verdict.interval.second, 2);
  }
  EXPECT_EQ(verdicts.verdicts[1].sentence, "a: determined by the data, so that size has nothing to decide");
  ASSERT_EQ(verdicts.summary.size(), 1U);
  EXPECT_EQ(verdicts.summary[0].find("The data determine a = 2"), 0U) << verdicts.summary[0];
}

// The band is to hold the R of the true correction: here f_T alone, known exactly.
TEST(Fitting, BandsHoldTheTrueRegularizer) {
  const Landscape result = landscape(the_run(), {.vary = {{"a", 0, 4, 9}}, .execution = {.n_threads = 1}});
  const LandscapeGrid& grid = result.grids.at(0);
  ASSERT_EQ(grid.maps[0].low.size(), 9U);
  for (std::size_t i = 0; i < 9; ++i) {
    const double a = grid.axes[0].values[i], expected = a * a * 4.0 / 3;  // u is uniform over [-2, 2]
    EXPECT_LE(grid.maps[0].low[i], expected);
    EXPECT_GE(grid.maps[0].high[i], expected);
  }
}

}  // namespace
}  // namespace greybox::test
