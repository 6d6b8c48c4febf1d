#include "analysis/run/window_choice.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace greybox::test {
namespace {

std::vector<std::size_t> windows(std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

TEST(StratifiedDraw, TakesOneWindowOfEachPart) {
  const std::vector<std::size_t> drawn = stratified_draw(windows(2700), 300);
  ASSERT_EQ(drawn.size(), 300U);
  for (std::size_t i = 0; i < drawn.size(); ++i) EXPECT_EQ(drawn[i] / 9, i);
}

// With nine windows in a series, every ninth would be the same part of each.
TEST(StratifiedDraw, DoesNotFallInStepWithSeries) {
  std::set<std::size_t> places;
  for (std::size_t window : stratified_draw(windows(2700), 300)) places.insert(window % 9);
  EXPECT_EQ(places.size(), 9U);
}

TEST(StratifiedDraw, RepeatsWithItsSeedAlone) {
  EXPECT_EQ(stratified_draw(windows(1000), 50), stratified_draw(windows(1000), 50, 0));
  EXPECT_NE(stratified_draw(windows(1000), 50), stratified_draw(windows(1000), 50, 1));
}

TEST(StratifiedDraw, GivesAllWhereAllAreAskedFor) {
  EXPECT_EQ(stratified_draw(windows(7), 0), windows(7));
  EXPECT_EQ(stratified_draw(windows(7), 7), windows(7));
}

}  // namespace
}  // namespace greybox::test
