// Wide text tables that are sound: roles of columns, series, missing values, size and speed.
#include "data/csv_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ctime>

#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

class CsvTableTest : public test::ScratchFolder {
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

TEST_F(CsvTableTest, ReadsVariablesTimeAndSeries) {
  const DataTable table = read("series,time,x,y\nA,0,1,2\nA,0.5,3,4\nB,0,5,6\n");
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(values(table, "x"), (Numbers{1, 3, 5}));
  EXPECT_EQ(values(table, "y"), (Numbers{2, 4, 6}));
  EXPECT_EQ(table.time, (Numbers{0, 0.5, 0}));
  ASSERT_EQ(table.series.size(), 2u);
  EXPECT_EQ(table.series[1].name, "B");
  EXPECT_EQ(table.series[1].first_row, 2u);
  EXPECT_EQ(table.series[1].n_rows, 1u);
  EXPECT_EQ(table.lines, (std::vector<std::uint32_t>{2, 3, 4}));
  EXPECT_EQ(table.find("z"), nullptr);
  EXPECT_EQ(table.file, path("a.csv").string());
}

TEST_F(CsvTableTest, NumbersRowsWithoutTime) {
  const DataTable table = read("series,x\nA,1\nB,2\nA,3\n");
  EXPECT_EQ(table.time, (Numbers{0, 1, 0}));
  EXPECT_EQ(read("x\n1\n2\n").series[0].name, kWholeFile);
}

TEST_F(CsvTableTest, GathersScatteredSeriesInOrder) {
  const DataTable table = read("time,series,x\n0,B,1\n0,A,2\n1,B,3\n1,A,4\n2,B,5\n");
  EXPECT_EQ(table.series[0].name, "B");
  EXPECT_EQ(values(table, "x"), (Numbers{1, 3, 5, 2, 4}));
  EXPECT_EQ(table.time, (Numbers{0, 1, 2, 0, 1}));
  EXPECT_EQ(table.lines, (std::vector<std::uint32_t>{2, 4, 6, 3, 5}));
}

TEST_F(CsvTableTest, TakesOtherColumnsForTimeAndSeries) {
  const DataTable table =
      read("run;day;time\n7;1;5\n7;2;4\n", {.series_column = "run", .time_column = "day"});
  EXPECT_EQ(values(table, "time"), (Numbers{5, 4}));
  EXPECT_EQ(table.series[0].name, "7");
}

TEST_F(CsvTableTest, ReadsMissingCellsAsNaN) {
  const DataTable table = read("x,y\n1,\nNA,2\n-, NaN \nnull,\"\"\n");
  EXPECT_EQ(table.n_rows(), 4u);
  for (const auto& [row, column] : {std::pair{0, 1}, {1, 0}, {2, 0}, {2, 1}, {3, 0}, {3, 1}}) {
    EXPECT_TRUE(
        std::isnan(table.columns[static_cast<std::size_t>(column)].at(static_cast<std::size_t>(row))));
  }
  EXPECT_EQ(table.find("x")->at(0), 1);
  EXPECT_EQ(table.find("y")->at(1), 2);
}

TEST_F(CsvTableTest, SeriesMayBeAnyText) {
  const DataTable table = read("series,x\n\"a,b\"\"c\nd\",1\nÉté,2\n");
  EXPECT_EQ(table.series[0].name, "a,b\"c\nd");
  EXPECT_EQ(table.series[1].name, "Été");
  EXPECT_EQ(table.lines, (std::vector<std::uint32_t>{2, 4}));
}

TEST_F(CsvTableTest, EndingDoesNotDecideTheSeparator) {
  for (const char* name : {"a.csv", "a.tsv", "a.txt", "A.CSV"}) {
    EXPECT_EQ(values(read_table(write(name, "x\ty\n1\t2\n")), "y"), Numbers{2}) << name;
  }
}

TEST_F(CsvTableTest, ReadsEveryNumberOfRowsAndColumns) {
  for (const std::size_t n_columns : {1u, 2u, 7u, 33u}) {
    for (const std::size_t n_rows : {1u, 2u, 31u, 999u, 1000u, 1001u, 2500u}) {
      std::string content;
      for (std::size_t c = 0; c < n_columns; ++c) content += fmt::format("{}c{}", c > 0 ? "," : "", c);
      for (std::size_t r = 0; r < n_rows; ++r) {
        for (std::size_t c = 0; c < n_columns; ++c)
          content += fmt::format("{}{}", c > 0 ? "," : "\n", r * 100 + c);
      }
      const DataTable table = read(content);
      ASSERT_EQ(table.n_rows(), n_rows);
      ASSERT_EQ(table.columns.size(), n_columns);
      for (std::size_t r = 0; r < n_rows; ++r) {
        for (std::size_t c = 0; c < n_columns; ++c)
          ASSERT_EQ(table.columns[c].at(r), static_cast<double>(r * 100 + c));
      }
    }
  }
}

std::string million_rows() {
  std::string content = "time,x,y,z,w\n";
  for (int i = 0; i < 1000000; ++i) {
    const double t = 0.01 * i;
    content +=
        fmt::format("{:.2f},{:.10g},{:.10g},{:.10g},{}\n", t, std::sin(t), std::cos(t), 1e-5 * t, i % 7);
  }
  return content;
}

TEST_F(CsvTableTest, ReadsAMillionRowsQuicklyInLittleMemory) {
  const auto file = write("big.csv", million_rows());
  const std::clock_t start = std::clock();  // processor time: a busy machine does not matter
  const DataTable table = read_table(file);
  [[maybe_unused]] const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_EQ(table.n_rows(), 1000000u);
  EXPECT_NEAR(table.find("y")->at(999999), std::cos(9999.99), 1e-9);
  std::size_t bytes = table.time.capacity() * 8 + table.lines.capacity() * 4;
  for (const Column& column : table.columns)
    bytes += std::get<SharedValues<double>>(column.values).capacity() * 8;
  EXPECT_LT(bytes, 1.15 * 1000000 * (5 * 8 + 4));
#ifdef NDEBUG
  EXPECT_LT(seconds, 5);  // with sanitizers too
#endif
}

}  // namespace
}  // namespace greybox
