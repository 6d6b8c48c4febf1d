// Missing values by other names, decimal commas, long tables, several files.
#include <cmath>

#include "data/scratch_folder.hpp"
#include "data/table.hpp"

namespace greybox {
namespace {

class Cells : public test::ScratchFolder {
 protected:
  DataTable read(std::string_view content, const TableOptions& options = {}) {
    return read_table(write("a.csv", content), options);
  }
  static std::vector<double> values(const DataTable& table, std::string_view name) {
    const auto& kept = std::get<SharedValues<double>>(table.find(name)->values);
    return {kept.begin(), kept.end()};
  }
  using Numbers = std::vector<double>;
};

TEST_F(Cells, AreMissingByManyNames) {
  for (const char* word : {"N/A", "#N/A", "None", "missing", "NULL"})
    EXPECT_TRUE(std::isnan(values(read("x,y\n" + std::string(word) + ",1\n"), "x")[0])) << word;
  const DataTable table = read("x,y\n-9999.0,?\n1,2\n", {.missing_words = {"-9999", "?"}});
  EXPECT_TRUE(std::isnan(values(table, "x")[0]));
  EXPECT_TRUE(std::isnan(values(table, "y")[0]));
  EXPECT_EQ(values(table, "x")[1], 1);
  test::expect_refused([&] { read("x,y\n1,?\n"); }, path("a.csv"), "row 2, column `y`",
                       "`?` is not a number");
}

TEST_F(Cells, MayHaveADecimalCommaWhereAnotherSignSeparates) {
  EXPECT_EQ(values(read("time;x\n0,5;1,25\n1;-2e-1\n"), "x"), (Numbers{1.25, -0.2}));
  EXPECT_EQ(read("time;x\n0,5;1,25\n1;3\n").time, (Numbers{0.5, 1}));
  test::expect_refused([&] { read("time;x\n0;1,250\n1;2.5\n"); }, path("a.csv"), "",
                       "a decimal comma and others");
}

TEST_F(Cells, OfLongTablesBecomeColumns) {
  const std::string text =
      "id,date,variable,value\n1,2020-01-01,x,1\n1,2020-01-02,x,2\n1,2020-01-01,y,5\n2,2020-01-01,x,7\n";
  const DataTable table =
      read(text, {.series_column = "id", .variable_column = "variable", .value_column = "value"});
  EXPECT_EQ(values(table, "x"), (Numbers{1, 2, 7}));
  EXPECT_EQ(values(table, "y")[0], 5);
  EXPECT_TRUE(std::isnan(values(table, "y")[1]));
  ASSERT_EQ(table.series.size(), 2U);
  EXPECT_EQ(table.series[1].name, "2");
  test::expect_refused(
      [&] {
        read("time,variable,value\n0,x,1\n0,x,2\n", {.variable_column = "variable", .value_column = "value"});
      },
      path("a.csv"), "row 3, column `variable`", "a second value of `x` at this time");
}

TEST_F(Cells, OfSeveralFilesMakeOneTable) {
  const auto first = write("first.csv", "time,x,y\n0,1,2\n1,3,4\n"),
             second = write("second.csv", "time,y,x\n0,6,5\n");
  const DataTable table = read_tables({first, second});
  EXPECT_EQ(values(table, "x"), (Numbers{1, 3, 5}));
  EXPECT_EQ(values(table, "y"), (Numbers{2, 4, 6}));
  EXPECT_EQ(table.series[0].name, "first");
  EXPECT_EQ(table.series[1].name, "second");
  EXPECT_FALSE(table.is_file);
  const auto other = write("other.csv", "time,x\n0,1\n");
  test::expect_refused([&] { read_tables({first, other}); }, other, "", "its columns are x, and those of");
  const auto again = write("again.csv", "series,time,x,y\nfirst,0,1,2\n");
  test::expect_refused([&] { read_tables({first, again}); }, again, "", "its series `first` is also in");
}

TEST_F(Cells, NumbersOfRowsWithoutANameAreLeftOut) {
  const DataTable table = read(",time,x\n0,0.5,3\n1,1,4\n");
  EXPECT_EQ(table.time, (Numbers{0.5, 1}));
  ASSERT_EQ(table.columns.size(), 1U);
  EXPECT_EQ(table.columns[0].name, "x");
}

// Remarks beside the numbers.
TEST_F(Cells, WordsThatNothingReadsAreLeftOut) {
  const std::string text = "time,note,x\n0,ok,3\n1,seen,4\n2,,5\n3,ok,6\n";
  const DataTable table = read(text, {.columns_read = {"x"}});
  ASSERT_EQ(table.columns.size(), 1U);
  EXPECT_EQ(table.columns[0].name, "x");
  EXPECT_EQ(table.columns[0].at(3), 6);
  EXPECT_THROW(read(text, {.columns_read = {"x", "note"}}), InputError);
  EXPECT_THROW(read(text), InputError);
}

TEST_F(Cells, OneValuePerRowIsToldFromAWideTable) {
  test::expect_refused([&] { read("time,parameter,result\n0,x,3\n0,y,4\n1,x,5\n", {.columns_read = {"x"}}); },
                       path("a.csv"), "header", "one value per row");
}

}  // namespace
}  // namespace greybox
