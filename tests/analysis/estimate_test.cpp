#include "greybox/estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/trained_toy.hpp"
#include "greybox/landscape.hpp"
#include "greybox/run.hpp"

namespace greybox::test {
namespace {

class EstimateOf : public TrainedToy {
 protected:
  static EstimateOptions options(const std::filesystem::path& run) {
    EstimateOptions options;
    options.run = run;
    options.regularizer = "normD";
    options.n_threads = 1;
    return options;
  }
  static bool warns_of_reuse(const EstimateReport& report) {
    return std::any_of(report.warnings.begin(), report.warnings.end(),
                       [](const std::string& warning) { return has(warning, "used twice"); });
  }
  std::string refused(const std::function<void(EstimateOptions&)>& spoil) {
    EstimateOptions asked = options(path("run"));
    spoil(asked);
    return refusal([&] { estimate(asked); });
  }
};

TEST_F(EstimateOf, ARunIsToldAsJsonAndInTheLedger) {
  const std::filesystem::path run = trained();
  const EstimateReport report = estimate(options(run));
  const auto json = nlohmann::json::parse(report.json);
  EXPECT_EQ(json.at("theta").at("a"), report.estimates[0].theta.at("a"));
  EXPECT_EQ(json.at("R"), report.estimates[0].regularizer);
  EXPECT_NEAR(json.at("rmse").get<double>(), std::sqrt(json.at("L").get<double>()), 1e-15);
  EXPECT_EQ(json.at("method"), "grid");
  EXPECT_NEAR(report.estimates[0].theta.at("a"), std::sqrt(2.0), 0.2);
  const LedgerEntry last = read_run(run).ledger.back();
  EXPECT_EQ(last.command, "estimate");
  EXPECT_EQ(last.split, "test");
  EXPECT_EQ(last.regularizer, "normD");
}

TEST_F(EstimateOf, DataLookedAtBeforeIsWarnedOf) {
  const std::filesystem::path run = trained();
  LandscapeOptions look;
  look.run = run;
  look.vary = {{"a", 0, 2, 3}};
  look.split = "validation";
  landscape(look);
  EstimateOptions asked = options(run);
  asked.on = "test";
  EXPECT_FALSE(warns_of_reuse(estimate(asked)));
  asked.on = "train+validation";
  EXPECT_TRUE(warns_of_reuse(estimate(asked)));
  asked.on = "all";
  EXPECT_TRUE(warns_of_reuse(estimate(asked)));
  asked.regularizer = "mean(abs(network.y))";  // never looked at
  EXPECT_FALSE(warns_of_reuse(estimate(asked)));
}

TEST_F(EstimateOf, EachWindowIsOneOfItsOwn) {
  EstimateOptions asked = options(trained());
  asked.on = "each";
  const EstimateReport report = estimate(asked);
  ASSERT_EQ(report.estimates.size(), 18U);
  // The mean of minima is not above the minimum of the mean.
  double mean = 0;
  for (const Estimate& one : report.estimates) mean += one.regularizer / 18;
  asked.on = "test";
  EXPECT_LT(mean, estimate(asked).estimates[0].regularizer);
}

TEST_F(EstimateOf, AFileTakesThePlaceOfTheRunsData) {
  EstimateOptions asked = options(trained());
  asked.on = write("other.csv", toy_data(25)).string();
  const EstimateReport report = estimate(asked);
  EXPECT_EQ(report.n_windows, 25U);
  EXPECT_TRUE(has(report.on, "other.csv"));
}

TEST_F(EstimateOf, AParameterOnItsBoundIsToldOf) {
  EstimateOptions asked = options(trained("epochs = 50\nbatch = 10",
                                          "a = { prior = \"uniform\", low = 0, high = 0.5 }\n"
                                          "c = { prior = \"uniform\", low = \"-pi\", high = \"pi\" }"));
  const EstimateReport report = estimate(asked);
  EXPECT_EQ(report.estimates[0].at_bounds, std::vector<std::string>{"a"});
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_TRUE(has(report.warnings.back(), "on the bound"));
}

TEST_F(EstimateOf, AFolderMadeElsewhereNeedsNoRecord) {
  const std::filesystem::path fixture = std::filesystem::path(GREYBOX_SOURCE_DIR) / "tests/fixtures/toy";
  for (const char* name : {"model.toml", "weights.npz", "data.csv"})
    std::filesystem::copy_file(fixture / name, path(name), std::filesystem::copy_options::overwrite_existing);
  EstimateOptions asked = options(path(""));
  EXPECT_EQ(estimate(asked).estimates.size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(path("run.json")));
}

TEST_F(EstimateOf, MistakesAreRefused) {
  trained();
  EXPECT_TRUE(has(refused([](auto& o) { o.regularizer = "centerd"; }), "did you mean `centred`?"));
  EXPECT_TRUE(has(refused([](auto& o) { o.on = "nowhere.csv"; }), "there is no data file nowhere.csv"));
  EXPECT_TRUE(has(refused([](auto& o) { o.on = "trian"; }), "did you mean `train`?"));
  EXPECT_TRUE(has(refused([](auto& o) { o.starts = 0; }), "--starts"));
  EXPECT_TRUE(has(refused([](auto& o) { o.steps = 0; }), "--steps"));
  EXPECT_TRUE(has(refused([](auto& o) { o.rate = {0, 1}; }), "--rate"));
}

}  // namespace
}  // namespace greybox::test
