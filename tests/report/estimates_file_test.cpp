#include <gtest/gtest.h>

#include "data/scratch_folder.hpp"
#include "data/table.hpp"
#include "greybox/estimate.hpp"

namespace greybox::test {
namespace {

using EstimatesFile = ScratchFolder;

TEST_F(EstimatesFile, HasOneRowPerEstimate) {
  EstimateReport report;
  report.estimates.resize(2);
  report.estimates[0].theta = {{"a", 1.5}, {"c", -2}};
  report.estimates[1].theta = {{"a", 1.25}, {"c", 3}};
  report.estimates[1].regularizer = 0.5;
  report.estimates[1].loss = 4;
  report.estimates[1].rmse = 2;
  report.estimates[1].time = 7;
  for (Estimate& estimate : report.estimates) estimate.series = "C1";
  write_estimates(report, path("each.csv"));
  const DataTable table = read_table(path("each.csv"));
  ASSERT_EQ(table.n_rows(), 2U);
  EXPECT_EQ(table.time[1], 7);
  EXPECT_EQ(table.find("a")->at(0), 1.5);
  EXPECT_EQ(table.find("c")->at(1), 3);
  EXPECT_EQ(table.find("R")->at(1), 0.5);
  EXPECT_EQ(table.find("L")->at(1), 4);
  EXPECT_EQ(table.find("rmse")->at(1), 2);
}

}  // namespace
}  // namespace greybox::test
