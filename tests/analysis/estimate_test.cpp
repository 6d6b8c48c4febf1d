#include "greybox/estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/trained_toy.hpp"
#include "greybox/landscape.hpp"
#include "support/paths.hpp"
#include "train/run_record.hpp"

namespace greybox::test {
namespace {

class EstimateOf : public TrainedToy {
 protected:
  static EstimateOptions options() {
    EstimateOptions options;
    options.regularizer = "normD";
    options.execution.n_threads = 1;
    return options;
  }
  static bool warns_of_reuse(const Estimate& report) {
    return std::any_of(report.warnings.begin(), report.warnings.end(),
                       [](const std::string& warning) { return has(warning, "used twice"); });
  }
  static std::string refused(const Run& run, const std::function<void(EstimateOptions&)>& spoil) {
    EstimateOptions asked = options();
    spoil(asked);
    return refusal([&] { estimate(run, asked); });
  }
};

TEST_F(EstimateOf, ARunIsToldAsJsonAndInTheLedger) {
  const Estimate report = estimate(trained(), options());
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json.at("theta").at("a"), report.theta.at("a"));
  EXPECT_EQ(json.at("R"), report.regularizer);
  EXPECT_NEAR(json.at("rmse").get<double>(), std::sqrt(json.at("L").get<double>()), 1e-15);
  EXPECT_EQ(json.at("method"), "grid");
  EXPECT_NEAR(report.theta.at("a"), std::sqrt(2.0), 0.2);
  const LedgerEntry last = read_record(path("run")).ledger.back();
  EXPECT_EQ(last.command, "estimate");
  EXPECT_EQ(last.split, "test");
  EXPECT_EQ(last.regularizer, "normD");
}

TEST_F(EstimateOf, DataLookedAtBeforeIsWarnedOf) {
  const Run run = trained();
  landscape(run, {.vary = {{"a", 0, 2, 3}}, .on = Splits{{Split::validation}}});
  EstimateOptions asked = options();
  asked.on = Splits{{Split::test}};
  EXPECT_FALSE(warns_of_reuse(estimate(run, asked)));
  asked.on = Splits{{Split::train, Split::validation}};
  EXPECT_TRUE(warns_of_reuse(estimate(run, asked)));
  asked.on = Splits{};
  EXPECT_TRUE(warns_of_reuse(estimate(run, asked)));
  asked.regularizer = "mean(abs(network.y))";  // never looked at
  EXPECT_FALSE(warns_of_reuse(estimate(run, asked)));
}

TEST_F(EstimateOf, EachWindowIsOneOfItsOwn) {
  const Run run = trained();
  EstimateOptions asked = options();
  asked.each_window = true;
  const Estimate report = estimate(run, asked);
  ASSERT_EQ(report.windows.size(), 18U);
  EXPECT_TRUE(report.theta.empty());
  // The mean of minima is not above the minimum of the mean.
  double mean = 0;
  for (const WindowEstimate& one : report.windows) mean += one.regularizer / 18;
  asked.each_window = false;
  EXPECT_LT(mean, estimate(run, asked).regularizer);
}

TEST_F(EstimateOf, AFileTakesThePlaceOfTheRunsData) {
  EstimateOptions asked = options();
  asked.data = Table::read(write("other.csv", toy_data(25)));
  const Estimate report = estimate(trained(), asked);
  EXPECT_EQ(report.n_windows, 25U);
  EXPECT_TRUE(has(report.on, "other.csv"));
}

TEST_F(EstimateOf, AParameterOnItsBoundIsToldOf) {
  const Run run = trained("epochs = 50\nbatch = 10",
                          "a = { prior = \"uniform\", low = 0, high = 0.5 }\n"
                          "c = { prior = \"uniform\", low = \"-pi\", high = \"pi\" }");
  const Estimate report = estimate(run, options());
  EXPECT_EQ(report.at_bounds, std::vector<std::string>{"a"});
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_TRUE(has(report.warnings.back(), "on the bound"));
}

TEST_F(EstimateOf, AFolderMadeElsewhereNeedsNoRecord) {
  const std::filesystem::path fixture = std::filesystem::path(kSourceFolder) / "tests/fixtures/toy";
  for (const char* name : {"model.toml", "weights.npz", "data.csv"})
    std::filesystem::copy_file(fixture / name, path(name), std::filesystem::copy_options::overwrite_existing);
  EXPECT_FALSE(estimate(Run::open(path("")), options()).theta.empty());
  EXPECT_FALSE(std::filesystem::exists(path("run.json")));
}

TEST_F(EstimateOf, EndsWhenItIsCancelledOnTheWay) {
  const Run run = trained();
  for (EstimateMethod method : {EstimateMethod::grid, EstimateMethod::adam, EstimateMethod::lbfgs,
                                EstimateMethod::bobyqa, EstimateMethod::direct}) {
    std::size_t n_reports = 0;
    std::atomic<bool> cancel = false;
    EstimateOptions asked = options();
    asked.method = method;
    asked.execution.cancel = &cancel;
    asked.execution.progress = [&](const ProgressReport& report) {
      EXPECT_LT(report.n_done, report.n_total);
      cancel = ++n_reports == 2;
    };
    EXPECT_THROW(estimate(run, asked), Interruption) << to_string(method);
    EXPECT_EQ(n_reports, 2U) << to_string(method);
  }
  EXPECT_NE(read_record(path("run")).ledger.back().command, "estimate");
}

TEST_F(EstimateOf, OfEachWindowEndsWithinAWindow) {
  const Run run = trained();
  const std::atomic<bool> cancel = true;
  EstimateOptions asked = options();
  asked.each_window = true;
  asked.execution.cancel = &cancel;
  asked.execution.progress = [](const ProgressReport&) { FAIL() << "no window was to be finished"; };
  EXPECT_THROW(estimate(run, asked), Interruption);
}

TEST_F(EstimateOf, WhatProgressThrowsEndsIt) {
  const Run run = trained();
  EstimateOptions asked = options();
  asked.method = EstimateMethod::bobyqa;
  asked.execution.progress = [](const ProgressReport&) { throw std::domain_error("enough"); };
  EXPECT_THROW(estimate(run, asked), std::domain_error);
}

TEST_F(EstimateOf, MistakesAreRefused) {
  const Run run = trained();
  EXPECT_TRUE(has(refused(run, [](auto& o) { o.regularizer = "centerd"; }), "did you mean `centred`?"));
  EXPECT_TRUE(has(refused(run, [](auto& o) { o.starts = 0; }), "option `starts`"));
  EXPECT_TRUE(has(refused(run, [](auto& o) { o.steps = 0; }), "option `steps`"));
  EXPECT_TRUE(has(refused(run, [](auto& o) { o.rate = {0, 1}; }), "option `rate`"));
}

// log 0 is minus infinity: lower than everything, and no value.
TEST_F(EstimateOf, AnInfiniteRegularizerHasNoMinimum) {
  const Run run = trained();
  for (const EstimateMethod method :
       {EstimateMethod::grid, EstimateMethod::adam, EstimateMethod::lbfgs, EstimateMethod::direct})
    for (const bool is_of_each : {false, true})
      EXPECT_TRUE(has(refused(run,
                              [&](auto& o) {
                                o.regularizer = "mean(log(0 * x^2))";
                                o.method = method;
                                o.steps = 20;
                                o.each_window = is_of_each;
                              }),
                      "is finite nowhere on"))
          << static_cast<int>(method) << is_of_each;
}

}  // namespace
}  // namespace greybox::test
