#include "analysis/landscape/brute_force.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/trained_toy.hpp"
#include "data/generators.hpp"
#include "data/table_writer.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

TEST(PredictionFactor, IsWideForFewNetworks) {
  EXPECT_TRUE(std::isnan(prediction_factor(1)));
  EXPECT_NEAR(prediction_factor(2), 12.706 * std::sqrt(1.5), 1e-9);
  EXPECT_NEAR(prediction_factor(5), 2.776 * std::sqrt(1.2), 1e-9);
  EXPECT_NEAR(prediction_factor(1000), 1.9623 * std::sqrt(1.001), 1e-4);
}

TEST(RetrainedSummary, TellsDifferenceAndOrder) {
  const auto point = [](double adaptive, double retrained, bool is_within) {
    return RetrainedPoint{{}, 0, 0, {{"R", adaptive, 1, 1, retrained, is_within}}};
  };
  const RetrainedSummary same = summarise({point(0, 1, true), point(4, 4, false), point(10, 12, true)})[0];
  EXPECT_EQ(same.n_points, 3U);
  EXPECT_EQ(same.n_within, 2U);
  EXPECT_NEAR(same.median_difference, 0.1, 1e-15);
  EXPECT_NEAR(same.rank_correlation, 1, 1e-15);
  EXPECT_NEAR(summarise({point(0, 9, true), point(4, 4, true), point(10, 1, true)})[0].rank_correlation, -1,
              1e-15);
  const RetrainedSummary fewer = summarise({point(0, std::nan(""), false), point(4, 4, true)})[0];
  EXPECT_EQ(fewer.n_points, 1U);
}

class BruteForce : public TrainedToy {};

// One training for all θ against a training for each, over several data sets. Networks that learn 40 noisy
// rows at a single θ follow the noise more closely, so that R differs by a few percent of its range; its
// order must be the same.
TEST_F(BruteForce, TheToysLandscapeIsThatOfRetraining) {
  std::filesystem::copy_file(std::filesystem::path(kSourceFolder) / "examples/toy.toml", path("toy.toml"));
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    write_table(path("toy.csv"), make_toy(seed));
    const Run run = train(Model::read(path("toy.toml")), {.execution = {.n_threads = 1}});
    LandscapeOptions asked;
    asked.vary = {{"a", 0, 2, 3}, {"c", {}, {}, 3}};
    asked.seeds = 3;
    asked.retrain = 8;
    asked.seed = seed;
    asked.execution.n_threads = 1;
    const Landscape report = landscape(run, asked);
    ASSERT_EQ(report.retrained.size(), 8U);
    for (const RetrainedSummary& summary : report.retrained_summary) {
      EXPECT_GT(summary.rank_correlation, 0.85) << summary.regularizer << ", data set " << seed;
      EXPECT_LT(summary.median_difference, 0.06) << summary.regularizer << ", data set " << seed;
      EXPECT_GT(summary.median_difference, 0) << summary.regularizer << ", data set " << seed;
    }
  }
}

TEST_F(BruteForce, PointsAreSpreadKeptAndUsedAgain) {
  const Run run = trained("epochs = 5\nbatch = 10");
  LandscapeOptions asked;
  asked.vary = {{"a", 0, 2, 3}};
  asked.at = {{"c", 0.5}};
  asked.retrain = 4;
  asked.execution.n_threads = 1;  // so that each training reports for itself
  std::size_t n_epochs = 0;
  asked.execution.progress = [&](const ProgressReport& report) {
    n_epochs += report.epoch != nullptr ? 1 : 0;
  };
  const Landscape first = landscape(run, asked);
  EXPECT_EQ(n_epochs, 20U);
  std::vector<bool> quarters(4);
  for (const RetrainedPoint& point : first.retrained) {
    EXPECT_EQ(point.theta.at("c"), 0.5);
    quarters[static_cast<std::size_t>(point.theta.at("a") * 2)] = true;
    EXPECT_FALSE(point.values[0].is_within);  // one network has no band
  }
  EXPECT_EQ(quarters, std::vector<bool>(4, true));
  const Landscape second = landscape(run, asked);
  EXPECT_EQ(n_epochs, 20U);
  EXPECT_EQ(first.retrained[2].values[0].retrained, second.retrained[2].values[0].retrained);
}

}  // namespace
}  // namespace greybox::test
