// One line of progress for all stages of a computation.
#include <gtest/gtest.h>

#include <cmath>

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
  progress.report("landscape", "pairs", 1, 10);
  EXPECT_DOUBLE_EQ(progress.fraction(), 3.0 / 8);
  progress.report("verdicts", "profiles", 0.5, 20);
  EXPECT_DOUBLE_EQ(progress.fraction(), 6.0 / 8);
  progress.report("landscape", "pairs", 0.1, 21);
  EXPECT_DOUBLE_EQ(progress.fraction(), 6.0 / 8);
  EXPECT_FALSE(progress.knows("training", "epochs"));
}

TEST(StagedProgress, TheTimeLeftDoesNotJump) {
  StagedProgress progress({{"landscape", "pairs", 1}, {"verdicts", "", 1}});
  double last = 0, most = 0;
  // The second stage takes twenty times as long as planned.
  for (int tenth = 1; tenth <= 2100; ++tenth) {
    const double seconds = tenth / 10.0;
    if (seconds <= 10)
      progress.report("landscape", "pairs", seconds / 10, seconds);
    else
      progress.report("verdicts", "profiles", (seconds - 10) / 200, seconds);
    const double left = progress.seconds_left().value_or(0);
    if (last > 0) most = std::max(most, std::abs(left - last));
    last = left;
  }
  EXPECT_LT(most, 5);
  EXPECT_LT(last, 10);
  EXPECT_NEAR(progress.fraction(), 1, 1e-9);
}

TEST(StagedProgress, SaysNothingBeforeThereIsSomethingToGoBy) {
  StagedProgress progress({{"landscape", "pairs", 1}});
  progress.report("landscape", "pairs", 0.5, 0.2);
  EXPECT_FALSE(progress.seconds_left());
}

}  // namespace
}  // namespace greybox::apps
