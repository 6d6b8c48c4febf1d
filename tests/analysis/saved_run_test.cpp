// What analyses say about a run does not depend on where it lives.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/trained_toy.hpp"
#include "greybox/estimate.hpp"
#include "greybox/landscape.hpp"
#include "greybox/predict.hpp"
#include "greybox/report.hpp"

namespace greybox::test {
namespace {

class SavedRun : public TrainedToy {
 protected:
  static Run trained_from_arrays() {
    std::vector<double> x, y;
    for (int i = 0; i < 60; ++i) {
      x.push_back(6.0 * i / 60 - 3);
      y.push_back(std::sin(x.back()) + std::cos(x.back()));
    }
    return train(Model::parse(toy_model("epochs = 20\nbatch = 10"), "toy"),
                 Table().column("x", x).column("y", y), {.execution = {.n_threads = 1}});
  }
  static LandscapeGrid grid_of(const Run& run) {
    return landscape(run, {.vary = {{"a", 0, 2, 5}, {"c", -3, 3, 4}}, .execution = {.n_threads = 1}})
        .grids.at(0);
  }
};

TEST_F(SavedRun, HasTheLandscapeThatItHadInMemory) {
  Run run = trained_from_arrays();
  const LandscapeGrid before = grid_of(run);
  run.save(path("saved"));
  for (const Run& again : {run, Run::open(path("saved"))}) {
    const LandscapeGrid after = grid_of(again);
    EXPECT_EQ(after.n_windows, before.n_windows);
    EXPECT_EQ(after.rmse, before.rmse);
    for (std::size_t r = 0; r < before.maps.size(); ++r)
      EXPECT_EQ(after.maps[r].values, before.maps[r].values);
  }
}

TEST_F(SavedRun, KeepsLedgerAndEstimates) {
  Run run = trained_from_arrays();
  grid_of(run);
  const Estimate found = estimate(run, {.regularizer = "normD", .on = Splits{{Split::validation}}});
  EXPECT_NE(found.warnings, std::vector<std::string>{}) << "validation windows were looked at before";
  run.save(path("saved"));
  const Run back = Run::open(path("saved"));
  EXPECT_EQ(back.record()->ledger.back().command, "estimate");
  const Landscape held = landscape(back, {.vary = {{"a", 0, 2, 3}}, .reference = ReferencePoint::estimate});
  EXPECT_EQ(held.grids.at(0).held.at("c"), found.theta.at("c"));
}

TEST_F(SavedRun, WarnsOfNothingThatDidNotChange) {
  Run run = trained_from_arrays();
  const Run before = run.in_memory();
  run.save(path("saved"));
  for (const Run& again : {before, run, Run::open(path("saved"))})
    for (const std::string& warning : landscape(again, {.vary = {{"a", 0, 2, 3}}}).warnings)
      EXPECT_FALSE(has(warning, "changed since")) << warning;
}

TEST_F(SavedRun, PredictsNumbersByName) {
  const Run run = trained_from_arrays();
  const Prediction prediction = predict(run, {.theta = {{"a", 1.4}, {"c", 0.8}}});
  ASSERT_EQ(prediction.n_windows, 60U);
  ASSERT_EQ(prediction.n_steps, 1U);
  for (std::size_t w = 0; w < 60; w += 7)
    EXPECT_NEAR(prediction.observed("y")[w], prediction.theory("y")[w] + prediction.network("y")[w], 1e-12);
  EXPECT_NEAR(prediction.theory("y")[30], 1.4 * std::sin(0 + 0.8), 1e-12);
  EXPECT_EQ(prediction.theta[2 * 59], 1.4);
  EXPECT_THROW(static_cast<void>(prediction.observed("z")), std::out_of_range);
  const Prediction one = predict(run, {.theta = {{"a", 1.4}, {"c", 0.8}}, .on = WindowIndex{30}});
  ASSERT_EQ(one.n_windows, 1U);
  EXPECT_EQ(one.observed("y")[0], prediction.observed("y")[30]);
}

TEST_F(SavedRun, InMemoryMakesAReport) {
  const ReportPage page = make_report(
      trained_from_arrays(), {.vary = {{"a", 0, 2, 3}, {"c", -3, 3, 3}}, .execution = {.n_threads = 1}});
  EXPECT_TRUE(has(page.data, "\"training\""));
}

}  // namespace
}  // namespace greybox::test
