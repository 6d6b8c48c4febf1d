// How many steps an interval takes, and where they start.
#include "ode/fixed_planner.hpp"

#include <gtest/gtest.h>

namespace greybox {
namespace {

template <class T>
Plan<T> plan_of(const std::vector<T>& times, double step) {
  const std::size_t count = times.size();
  Plan<T> plan(1);
  plan_fixed_steps(
      {.n_samples = 1, .n_intervals = count - 1, .times = times.data(), .stride = 1, .counts = &count}, step,
      plan);
  return plan;
}

TEST(FixedPlanner, TakesTheFewestEqualStepsNotLongerThanAsked) {
  const Plan<double> plan = plan_of<double>({0, 1, 1.3, 1.5}, 0.3);
  EXPECT_EQ(plan.first_step(1), 4u);
  EXPECT_EQ(plan.first_step(2), 5u);
  EXPECT_EQ(plan.first_step(3), 6u);
  EXPECT_DOUBLE_EQ(plan.sizes(0)[0], 0.25);
  EXPECT_DOUBLE_EQ(plan.starts(3)[0], 0.75);
  EXPECT_DOUBLE_EQ(plan.sizes(5)[0], 0.2);
}

TEST(FixedPlanner, StepZeroIsOneStepPerInterval) {
  EXPECT_EQ(plan_of<double>({0, 100, 101}, 0).n_steps(), 2u);
}

TEST(FixedPlanner, IntervalWithoutLengthTakesNoStep) {
  EXPECT_EQ(plan_of<double>({2, 2, 3}, 1).n_steps(), 1u);
}

TEST(FixedPlanner, RoundedTimesCostNoExtraStep) {
  std::vector<float> times;
  for (int k = 0; k <= 2000; ++k) times.push_back(static_cast<float>(0.05 * k));
  EXPECT_EQ(plan_of<float>(times, 0.05).n_steps(), 2000u);
  EXPECT_EQ(plan_of<double>({times.begin(), times.begin() + 3}, 0.05).n_steps(), 2u);
}

}  // namespace
}  // namespace greybox
