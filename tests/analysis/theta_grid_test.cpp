#include "analysis/theta/theta_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "greybox/error.hpp"

namespace greybox::test {
namespace {

ModelSpec spec_with(const std::string& parameters) {
  return parse_model_spec(
      "[data]\nfile = \"made.csv\"\n[parameters]\n" + parameters +
          "\n[theory]\ny = \"x\"\n[network.fD]\ninputs = [\"x\"]\nhidden = [2]\noutputs = [\"y\"]\n",
      "made.toml");
}

const std::string kTwo =
    "a = { prior = \"uniform\", low = 0, high = 2 }\nb = { prior = \"uniform\", low = -1, high = 1 }";
const std::string kThree = kTwo + "\nc = { prior = \"normal\", mean = 3, sd = 0.5 }";

std::string refusal(const std::string& parameters, const GridRequest& request) {
  try {
    make_grids(spec_with(parameters), request);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ThetaGrid, IsOverThePriorByDefault) {
  const std::vector<ThetaGrid> grids = make_grids(spec_with(kTwo), {});
  ASSERT_EQ(grids.size(), 1U);
  EXPECT_EQ(grids[0].shape(), (std::vector<std::size_t>{101, 101}));
  EXPECT_EQ(grids[0].axes[0].values.front(), 0);
  EXPECT_EQ(grids[0].axes[0].values.back(), 2);
  EXPECT_EQ(grids[0].axes[1].values[50], 0);
}

TEST(ThetaGrid, StepsThroughLogarithmsOfLognormalParameters) {
  const std::string wide = "k = { prior = \"lognormal\", mean = 1, sd = 2 }";
  const LandscapeAxis axis = make_grids(spec_with(wide), {}).front().axes[0];
  EXPECT_TRUE(axis.is_log);
  const double reach = 2 * 2.5758293035489;  // the central 99 %
  EXPECT_NEAR(axis.values.front(), std::exp(1 - reach), 1e-9);
  EXPECT_NEAR(axis.values.back() / std::exp(1 + reach), 1, 1e-9);
  EXPECT_NEAR(axis.values[50], std::exp(1), 1e-9);
  const auto linear = [&](const std::string& more) {
    return make_grids(spec_with(wide.substr(0, wide.size() - 2) + more + " }"), {}).front().axes[0];
  };
  EXPECT_FALSE(linear(", scale = \"linear\"").is_log);
  EXPECT_TRUE(make_grids(spec_with("k = { prior = \"uniform\", low = 1, high = 100, scale = \"log\" }"), {})
                  .front()
                  .axes[0]
                  .is_log);
  // What is asked for may begin at 0.
  EXPECT_FALSE(make_grids(spec_with(wide), {{{"k", 0, 1, 3}}, {}, {}}).front().axes[0].is_log);
}

TEST(ThetaGrid, RunsFastestAlongItsLastAxisInTheOrderAsked) {
  const ThetaGrid grid = make_grids(spec_with(kTwo), {{{"b", 0, 1, 2}, {"a", 0, 1, 3}}, {}, {}}).front();
  EXPECT_EQ(grid.theta(), (std::vector<double>{0, 0, 0.5, 0, 1, 0, 0, 1, 0.5, 1, 1, 1}));
  EXPECT_EQ(grid.point(4), (std::vector<double>{1, 0.5}));
}

TEST(ThetaGrid, TakesEveryPairOfMoreThanTwo) {
  const std::vector<ThetaGrid> grids = make_grids(spec_with(kThree), {});
  ASSERT_EQ(grids.size(), 3U);
  EXPECT_EQ(grids[1].varied, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(grids[1].held[1], 0);                                                 // the median of b
  EXPECT_NEAR(grids[1].axes[1].values.front(), 3 - 0.5 * 2.5758293035489, 1e-9);  // the central 99 % of c
  EXPECT_NEAR(grids[1].axes[1].values.back(), 3 + 0.5 * 2.5758293035489, 1e-9);
}

TEST(ThetaGrid, HoldsWhatTheUserSaysBeforeWhatWasEstimated) {
  const ThetaGrid grid =
      make_grids(spec_with(kThree), {{{"a", {}, {}, 2}}, {{"b", 0.5}}, {{"b", 0.1}, {"c", 2.5}}}).front();
  EXPECT_EQ(grid.theta(), (std::vector<double>{0, 0.5, 2.5, 2, 0.5, 2.5}));
}

TEST(ThetaGrid, RefusesWhatMakesNoSense) {
  EXPECT_NE(refusal(kTwo, {{{"aa", {}, {}, {}}}, {}, {}}).find("the model has no parameter `aa`"),
            std::string::npos);
  EXPECT_NE(refusal(kTwo, {{{"a", 1, 1, {}}}, {}, {}}).find("goes from 1 to 1"), std::string::npos);
  EXPECT_NE(refusal(kTwo, {{{"a", 0, 3, {}}}, {}, {}}).find("a = 3 is outside its bounds"),
            std::string::npos);
  EXPECT_NE(refusal(kTwo, {{{"a", 0, 1, 1}}, {}, {}}).find("at least 2 points"), std::string::npos);
  EXPECT_NE(refusal(kTwo, {{{"a", {}, {}, {}}, {"a", {}, {}, {}}}, {}, {}}).find("varied twice"),
            std::string::npos);
  EXPECT_NE(refusal(kTwo, {{{"a", {}, {}, {}}}, {{"a", 1}}, {}}).find("both varied and held"),
            std::string::npos);
  EXPECT_NE(refusal(kTwo, {{{"a", {}, {}, {}}}, {{"b", 7}}, {}}).find("b = 7 is outside its bounds"),
            std::string::npos);
  EXPECT_NE(refusal(kTwo, {{{"a", 0, 2, 10000}, {"b", 0, 1, 10000}}, {}, {}}).find("more than"),
            std::string::npos);
}

}  // namespace
}  // namespace greybox::test
