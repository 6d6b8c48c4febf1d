// Missing values: refused with their place, dropped, or bridged linearly in time.
#include <cmath>

#include "data/made_table.hpp"
#include "data/scratch_folder.hpp"
#include "data/windows.hpp"

namespace greybox {
namespace {

using test::made_table;
using Doubles = std::vector<double>;

const SharedValues<double>& x_of(const DataTable& table) {
  return std::get<SharedValues<double>>(table.find("x")->values);
}

TEST(MissingValues, AreRefusedWithTheirPlace) {
  DataTable table = made_table({2, 2}, {1, 2, NAN, 4});
  test::expect_refused([&] { treat_missing(table, Missing::error, {"x"}); }, "made.csv", "row 4, column `x`",
                       "missing");
  table.lines.assign(4, 0);
  test::expect_refused([&] { treat_missing(table, Missing::error, {"x"}); }, "made.csv",
                       "array `x`, series `1`, step 0", "missing");
}

TEST(MissingValues, DoNotMatterInOtherColumns) {
  for (const Missing rule : {Missing::error, Missing::drop, Missing::interpolate}) {
    DataTable table = made_table({3}, {1, NAN, 3});
    treat_missing(table, rule, {"y"});
    EXPECT_EQ(table.n_rows(), 3u);
    EXPECT_TRUE(std::isnan(x_of(table)[1]));
  }
}

TEST(MissingValues, AreDroppedWithTheirRowsAndEmptySeries) {
  DataTable table = made_table({3, 1, 2}, {1, NAN, 3, NAN, 5, 6});
  table.columns.push_back({.name = "y", .values = std::vector<float>{0, 1, 2, 3, 4, 5}});
  treat_missing(table, Missing::drop, {"x"});
  EXPECT_EQ(x_of(table), (Doubles{1, 3, 5, 6}));
  EXPECT_EQ(std::get<SharedValues<float>>(table.columns[1].values), (std::vector<float>{0, 2, 4, 5}));
  EXPECT_EQ(table.time, (Doubles{0, 2, 0, 1}));
  EXPECT_EQ(table.lines, (std::vector<std::uint32_t>{2, 4, 6, 7}));
  ASSERT_EQ(table.series.size(), 2u);
  EXPECT_EQ(table.series[1].name, "2");
  EXPECT_EQ(table.series[1].first_row, 2u);
  EXPECT_EQ(table.series[1].n_rows, 2u);
}

TEST(MissingValues, AreBridgedInTimeWithinASeries) {
  DataTable table = made_table({5, 3}, {NAN, 1, NAN, NAN, 7, NAN, 2, NAN});
  table.time = {0, 1, 2, 4, 5, 0, 1, 2};
  treat_missing(table, Missing::interpolate, {"x"});
  EXPECT_EQ(x_of(table), (Doubles{1, 2.5, 5.5, 7, 2}));
  EXPECT_EQ(table.time, (Doubles{1, 2, 4, 5, 1}));
  EXPECT_EQ(table.series[0].n_rows, 4u);
  EXPECT_EQ(table.series[1].first_row, 4u);
}

TEST(MissingValues, AreTreatedPointByPointInFields) {
  DataTable table = made_table({3});
  table.columns = {
      {.name = "u", .height = 1, .width = 2, .values = std::vector<float>{1, 10, NAN, 20, 3, NAN}}};
  treat_missing(table, Missing::interpolate, {"u"});
  EXPECT_EQ(std::get<SharedValues<float>>(table.columns[0].values), (std::vector<float>{1, 10, 2, 20}));
}

TEST(MissingValues, MayNotBeAll) {
  DataTable table = made_table({2}, {NAN, NAN});
  test::expect_refused([&] { treat_missing(table, Missing::drop, {"x"}); }, "made.csv", "",
                       "nothing is left");
}

}  // namespace
}  // namespace greybox
