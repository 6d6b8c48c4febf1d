#include <gtest/gtest.h>

#include "data/scratch_folder.hpp"
#include "data/table.hpp"
#include "greybox/estimate.hpp"

namespace greybox::test {
namespace {

using EstimatesFile = ScratchFolder;

TEST_F(EstimatesFile, HasOneRowPerEstimate) {
  Estimate estimate;
  estimate.windows.resize(2);
  estimate.windows[0].theta = {{"a", 1.5}, {"c", -2}};
  estimate.windows[1].theta = {{"a", 1.25}, {"c", 3}};
  estimate.windows[1].regularizer = 0.5;
  estimate.windows[1].loss = 4;
  estimate.windows[1].rmse = 2;
  estimate.windows[1].start = 7;
  for (WindowEstimate& one : estimate.windows) one.series = "C1";
  write_estimate(estimate, path("each.csv"));
  const DataTable table = read_table(path("each.csv"));
  ASSERT_EQ(table.n_rows(), 2U);
  EXPECT_EQ(table.time[1], 7);
  EXPECT_EQ(table.find("a")->at(0), 1.5);
  EXPECT_EQ(table.find("c")->at(1), 3);
  EXPECT_EQ(table.find("R")->at(1), 0.5);
  EXPECT_EQ(table.find("L")->at(1), 4);
  EXPECT_EQ(table.find("rmse")->at(1), 2);
}

TEST_F(EstimatesFile, OfOneThetaHasOneRow) {
  Estimate estimate;
  estimate.theta = {{"a", 1.5}};
  estimate.regularizer = 0.25;
  write_estimate(estimate, path("one.csv"));
  const DataTable table = read_table(path("one.csv"));
  ASSERT_EQ(table.n_rows(), 1U);
  EXPECT_EQ(table.find("a")->at(0), 1.5);
  EXPECT_EQ(table.find("R")->at(0), 0.25);
}

}  // namespace
}  // namespace greybox::test
