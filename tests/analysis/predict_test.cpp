// Predictions reported and cancelled on the way.
#include "greybox/predict.hpp"

#include <gtest/gtest.h>

#include "analysis/trained_toy.hpp"

namespace greybox::test {
namespace {

class PredictionOf : public TrainedToy {
 protected:
  // More windows than go into one batch.
  static constexpr std::size_t kWindows = 2500;

  PredictOptions options() {
    PredictOptions options;
    options.theta = {{"a", 1}, {"c", 0.5}};
    options.data = Table::read(write("many.csv", toy_data(kWindows)));
    options.execution.n_threads = 1;
    return options;
  }
};

TEST_F(PredictionOf, ManyWindowsIsReportedBatchByBatch) {
  std::vector<std::size_t> n_done;
  PredictOptions asked = options();
  asked.execution.progress = [&](const ProgressReport& report) {
    EXPECT_EQ(report.unit, "windows");
    EXPECT_EQ(report.n_total, kWindows);
    n_done.push_back(report.n_done);
  };
  EXPECT_EQ(predict(trained(), asked).n_windows, kWindows);
  ASSERT_GE(n_done.size(), 2U);
  EXPECT_TRUE(std::is_sorted(n_done.begin(), n_done.end()));
  EXPECT_EQ(n_done.back(), kWindows);
}

TEST_F(PredictionOf, EndsWhenItIsCancelledOnTheWay) {
  const Run run = trained();
  std::atomic<bool> cancel = false;
  std::size_t n_reports = 0;
  PredictOptions asked = options();
  asked.execution.cancel = &cancel;
  asked.execution.progress = [&](const ProgressReport&) {
    cancel = true;
    ++n_reports;
  };
  EXPECT_THROW(predict(run, asked), Interruption);
  EXPECT_EQ(n_reports, 1U);
  EXPECT_THROW(predict(run, asked), Interruption) << "cancelled before it begins";
  EXPECT_EQ(n_reports, 1U);
}

}  // namespace
}  // namespace greybox::test
