#include "analysis/posterior/warmup.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace greybox::test {
namespace {

std::vector<std::size_t> ends_of(std::size_t n_warmup) {
  const WarmupSchedule schedule(n_warmup);
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < n_warmup; ++i)
    if (schedule.ends_window(i)) ends.push_back(i + 1);
  return ends;
}

TEST(Warmup, WindowsDoubleAsInStan) {
  EXPECT_EQ(ends_of(1000), (std::vector<std::size_t>{100, 150, 250, 450, 950}));
  EXPECT_EQ(ends_of(150), (std::vector<std::size_t>{100}));
  EXPECT_EQ(ends_of(100), (std::vector<std::size_t>{90}));
  EXPECT_TRUE(ends_of(0).empty());
}

TEST(Warmup, ScalesAreLearnedInsideTheWindowsOnly) {
  const WarmupSchedule schedule(1000);
  EXPECT_FALSE(schedule.learns_scales(74));
  EXPECT_TRUE(schedule.learns_scales(75));
  EXPECT_TRUE(schedule.learns_scales(949));
  EXPECT_FALSE(schedule.learns_scales(950));
}

TEST(Warmup, VariancesAreDrawnTowardsASmallOne) {
  VarianceAdaptation adaptation(1);
  for (double x : {1.0, 2.0, 3.0, 4.0, 5.0}) adaptation.learn(std::vector<double>{x});
  EXPECT_DOUBLE_EQ(adaptation.finish()[0], 0.5 * 2.5 + 0.5 * 1e-3);
  for (double x : {7.0, 7.0}) adaptation.learn(std::vector<double>{x});
  EXPECT_DOUBLE_EQ(adaptation.finish()[0], 5e-3 / 7) << "what was learned before is forgotten";
}

TEST(Warmup, TheStepSizeSettlesWhereTheAcceptanceIsRight) {
  StepSizeAdaptation adaptation(0.8);
  adaptation.restart(1e-3);
  // An acceptance that falls with the step: 0.8 at a step of 0.5.
  for (int i = 0; i < 1000; ++i) adaptation.learn(std::exp(-adaptation.current() * std::log(1.25) / 0.5));
  EXPECT_NEAR(adaptation.averaged(), 0.5, 0.05);
}

}  // namespace
}  // namespace greybox::test
