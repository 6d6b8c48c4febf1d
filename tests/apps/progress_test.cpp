// One line of progress for all stages of a computation.
#include <gtest/gtest.h>

#include <cmath>

#include "progress_bar.hpp"
#include "progress_line.hpp"
#include "staged_progress.hpp"
#include "terminal.hpp"

namespace greybox::apps {
namespace {

const std::vector<LinePart> kParts = {{"120/1000", 6},          {"L 0.01234", 4},
                                      {"R 0.5678", 3},          {"validation L 0.02", 2},
                                      {"1.2e+05 samples/s", 0}, {"2:05 min left", 5}};

TEST(ProgressLine, FitsAnyWidth) {
  for (std::size_t width : {10U, 20U, 40U, 59U, 79U, 119U})
    EXPECT_LE(n_characters(progress_line(0.4, kParts, width)), width) << width;
}

TEST(ProgressLine, LeavesOutWhatMattersLeast) {
  const std::string narrow = progress_line(0.4, kParts, 59);
  EXPECT_NE(narrow.find("2:05 min left"), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("L 0.01234"), std::string::npos) << narrow;
  EXPECT_EQ(narrow.find("samples/s"), std::string::npos) << narrow;
  EXPECT_NE(progress_line(0.4, kParts, 119).find("samples/s"), std::string::npos);
}

TEST(ProgressLine, ShowsTheShareThatIsDone) {
  EXPECT_EQ(progress_line(0.5, {{"x", 0}}, 80).substr(0, 36), "████████████");
  EXPECT_EQ(progress_line(2, {{"x", 0}}, 80).find("░"), std::string::npos);
}

TEST(StagedProgress, StagesShareOneBarByTheirWeights) {
  StagedProgress progress({{"landscape", "pairs", 3}, {"landscape", "refits", 1}, {"verdicts", "", 4}});
  progress.report("landscape", "pairs", 1, 0.1);
  EXPECT_DOUBLE_EQ(progress.fraction(), 3.0 / 8);
  progress.report("verdicts", "profiles", 0.5, 0.2);
  EXPECT_DOUBLE_EQ(progress.fraction(), 6.0 / 8);
  progress.report("landscape", "pairs", 0.1, 0.3);
  EXPECT_DOUBLE_EQ(progress.fraction(), 6.0 / 8);
  EXPECT_FALSE(progress.knows("training", "epochs"));
}

// What a run of stages is told to need, every tenth of a second: {seconds of the stage, …}.
std::vector<double> told_over(StagedProgress& progress, const std::vector<PlannedStage>& plan,
                              const std::vector<double>& seconds_of) {
  std::vector<double> told;
  double begin = 0;
  for (std::size_t k = 0; k < plan.size(); ++k) {
    for (double t = 0.1; t <= seconds_of[k] + 1e-9; t += 0.1) {
      progress.report(plan[k].stage, plan[k].unit, t / seconds_of[k], begin + t);
      told.push_back(progress.seconds_left().value_or(-1));
    }
    begin += seconds_of[k];
  }
  return told;
}

TEST(StagedProgress, TheTimeLeftDoesNotJumpWhereAStageTakesTwentyTimesAsLongAsPlanned) {
  const std::vector<PlannedStage> plan = {{"landscape", "pairs", 1}, {"verdicts", "", 1}};
  StagedProgress progress(plan);
  const std::vector<double> told = told_over(progress, plan, {10, 200});
  double most = 0;
  for (std::size_t i = 1; i < told.size(); ++i)
    if (told[i - 1] >= 0) most = std::max(most, std::abs(told[i] - told[i - 1]));
  EXPECT_LT(most, 5);
  EXPECT_LT(told.back(), 1);
  EXPECT_NEAR(progress.fraction(), 1, 0.01);
}

TEST(StagedProgress, AStageThatEndsEarlyIsNotPaidForByTheNext) {
  const std::vector<PlannedStage> plan = {{"landscape", "pairs", 1}, {"verdicts", "", 1}};
  StagedProgress progress(plan);
  // The next stage is short, and says so from its own pace.
  const std::vector<double> told = told_over(progress, plan, {30, 6});
  EXPECT_LT(told[330], 8) << "three seconds before the end";
  EXPECT_LT(told.back(), 1);
}

TEST(StagedProgress, TimesAreRightFromTheBeginningWhereTheWeightsAre) {
  const std::vector<PlannedStage> plan = {{"a", "", 6}, {"b", "", 1}, {"c", "", 2}};
  StagedProgress progress(plan);
  const std::vector<double> told = told_over(progress, plan, {12, 2, 4});
  for (std::size_t i = 15; i < told.size(); ++i)
    EXPECT_NEAR(told[i], 18 - 0.1 * static_cast<double>(i + 1), 1) << i;
}

TEST(ProgressBar, CountsAllTrainingsThatStandInARow) {
  const EpochReport half{.epoch = 50, .epochs = 100, .seconds_left = 10};
  EXPECT_DOUBLE_EQ(fraction_of_all(half, {}), 0.5);
  EXPECT_DOUBLE_EQ(seconds_left_of_all(half, {}), 10);
  EXPECT_DOUBLE_EQ(fraction_of_all(half, {2, 4}), 1.5 / 4);
  EXPECT_DOUBLE_EQ(seconds_left_of_all(half, {2, 4}), 50);
  EXPECT_DOUBLE_EQ(seconds_left_of_all(half, {4, 4}), 10);
}

TEST(StagedProgress, SaysNothingBeforeThereIsSomethingToGoBy) {
  StagedProgress progress({{"landscape", "pairs", 1}});
  progress.report("landscape", "pairs", 0.5, 0.2);
  EXPECT_FALSE(progress.seconds_left());
}

}  // namespace
}  // namespace greybox::apps
