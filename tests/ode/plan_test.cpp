// The bookkeeping of steps: padding, and samples that were given up.
#include "ode/plan.hpp"

#include <gtest/gtest.h>

namespace greybox {
namespace {

struct TwoSamples {
  std::vector<double> times = {0, 10, 1, 11, 2, 12};
  std::vector<std::size_t> counts = {3, 2};
  SampleTimes<double> view() const {
    return {.n_samples = 2, .n_intervals = 2, .times = times.data(), .stride = 2, .counts = counts.data()};
  }
};

TEST(Plan, PadsWithStepsOfSizeZeroAtTheIntervalsEnd) {
  const TwoSamples samples;
  Plan<double> plan(2);
  plan.begin(samples.view());
  plan.add_step(0, 0, 1);
  plan.add_step(1, 10, 0.25);
  plan.add_step(1, 10.25, 0.75);
  plan.end_interval();
  plan.add_step(0, 1, 1);
  plan.end_interval();

  ASSERT_EQ(plan.n_intervals(), 2u);
  EXPECT_EQ(plan.first_step(1), 2u);
  EXPECT_EQ(plan.n_steps(), 3u);
  EXPECT_EQ(plan.sizes(1)[0], 0);
  EXPECT_EQ(plan.starts(1)[0], 1);
  EXPECT_EQ(plan.sizes(1)[1], 0.75);
  EXPECT_EQ(plan.sizes(2)[1], 0);
  EXPECT_EQ(plan.starts(2)[1], 11) << "a sample without more times stays at its last one";
  EXPECT_EQ(plan.endings().stopped_at, (std::vector<double>{2, 11}));
}

TEST(Plan, SampleGivenUpLeavesNoStepsInItsLastInterval) {
  const TwoSamples samples;
  Plan<double> plan(2);
  plan.begin(samples.view());
  plan.add_step(0, 0, 1);
  plan.add_step(1, 10, 1);
  plan.end_interval();
  plan.add_step(0, 1, 0.1);
  plan.add_step(0, 1.1, 0.1);
  plan.give_up(0, Outcome::too_many_steps, 1.2);
  plan.end_interval();

  EXPECT_EQ(plan.n_steps(), 1u);
  EXPECT_EQ(plan.endings().outcomes[0], Outcome::too_many_steps);
  EXPECT_EQ(plan.endings().outcomes[1], Outcome::finished);
  EXPECT_EQ(plan.endings().stopped_at[0], 1.2);
  EXPECT_EQ(plan.endings().n_completed[0], 1u);
  EXPECT_EQ(plan.endings().n_completed[1], 2u);
}

}  // namespace
}  // namespace greybox
