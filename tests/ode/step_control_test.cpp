// Step size control of one sample.
#include "ode/step_control.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/limits.hpp"

namespace greybox {
namespace {

StepControl control_at(double size) {
  StepControl control(5);
  control.set_first_step(size);
  return control;
}

TEST(StepControl, NeverStepsBeyondTheEnd) {
  const StepControl control = control_at(1);
  EXPECT_EQ(control.propose(10), 1);
  EXPECT_EQ(control.propose(0.3), 0.3);
  EXPECT_EQ(control.propose(1.005), 1.005) << "stretched rather than leaving a sliver";
}

TEST(StepControl, RejectsAndShrinks) {
  StepControl control = control_at(1);
  EXPECT_FALSE(control.judge(1, 2.0));
  EXPECT_LT(control.propose(10), 0.9);
  EXPECT_GT(control.propose(10), 0.5);
}

TEST(StepControl, ErrorThatIsNotANumberShrinksTheMost) {
  for (const double error : {kNaN, std::numeric_limits<double>::infinity()}) {
    StepControl control = control_at(1);
    EXPECT_FALSE(control.judge(1, error));
    EXPECT_DOUBLE_EQ(control.propose(10), 0.2);
  }
}

TEST(StepControl, DoesNotGrowRightAfterARejection) {
  StepControl control = control_at(1);
  EXPECT_FALSE(control.judge(1, 5.0));
  const double shorter = control.propose(10);
  EXPECT_TRUE(control.judge(shorter, 1e-6));
  EXPECT_EQ(control.propose(10), shorter);
  EXPECT_TRUE(control.judge(shorter, 1e-6));
  EXPECT_GT(control.propose(10), shorter);
}

TEST(StepControl, KeepsTheStepThatAnOutputTimeCutShort) {
  StepControl control = control_at(1);
  EXPECT_TRUE(control.judge(0.001, 1e-12));
  EXPECT_EQ(control.propose(10), 1);
}

TEST(StepControl, FirstStepOfAFastProblemIsSmall) {
  // y' = -1000 y from y = 1 with tolerance 1e-6: scaled norms 1e6, 1e9, 1e12.
  const double guess = first_step_guess(1e6, 1e9);
  EXPECT_DOUBLE_EQ(guess, 1e-5);
  const double step = first_step(guess, 1e9, 1e12, 5);
  EXPECT_GT(step, 1e-6);
  EXPECT_LT(step, 1e-2);
  EXPECT_TRUE(std::isnan(first_step_guess(1, kNaN)));
}

}  // namespace
}  // namespace greybox
