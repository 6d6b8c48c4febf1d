// Tables written and read back.
#include "data/table_writer.hpp"

#include <cmath>

#include "data/made_table.hpp"
#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

class TableWriterTest : public test::ScratchFolder {
 protected:
  void expect_round_trip(const std::string& name, const DataTable& table) {
    write_table(path(name), table);
    const DataTable back = read_table(path(name));
    EXPECT_EQ(back.time, table.time);
    ASSERT_EQ(back.series.size(), table.series.size());
    for (std::size_t i = 0; i < table.series.size(); ++i) {
      EXPECT_EQ(back.series[i].name, table.series[i].name);
      EXPECT_EQ(back.series[i].first_row, table.series[i].first_row);
      EXPECT_EQ(back.series[i].n_rows, table.series[i].n_rows);
    }
    ASSERT_EQ(back.columns.size(), table.columns.size());
    for (const Column& column : table.columns) {
      ASSERT_NE(back.find(column.name), nullptr);
      for (std::size_t i = 0; i < table.n_rows() * column.points(); ++i) {
        const double expected = column.at(i / column.points(), i % column.points());
        const double read = back.find(column.name)->at(i / column.points(), i % column.points());
        EXPECT_TRUE(read == expected || (std::isnan(read) && std::isnan(expected)))
            << column.name << ", value " << i;
      }
    }
  }
};

TEST_F(TableWriterTest, RoundTripsCsv) {
  for (const std::vector<std::size_t>& lengths : {std::vector<std::size_t>{1}, {3, 1, 5}, {7, 7}}) {
    DataTable table = test::made_table(lengths, {1.0 / 3, NAN, -2.5e-9});
    expect_round_trip("a.csv", table);
    for (double& t : table.time) t = 0.1 * t + 5;
    table.series[0].name = "a, \"b\"\nc";
    table.columns.push_back({.name = "y (1/s, mean)", .values = std::vector<float>(table.n_rows(), 0.1f)});
    expect_round_trip("b.csv", table);
  }
}

TEST_F(TableWriterTest, WritesWholeFilesWithoutSeries) {
  DataTable table = test::made_table({2}, {1, 2});
  table.series[0].name = kWholeFile;
  write_table(path("a.csv"), table);
  EXPECT_EQ(bytes_of(path("a.csv")), "x\n1\n2\n");
}

TEST_F(TableWriterTest, RoundTripsFieldsInNpz) {
  DataTable table = test::made_table({3, 3}, {1, 2, 3, NAN, 5, 6});
  std::vector<float> field(6 * 5 * 7);
  for (std::size_t i = 0; i < field.size(); ++i) field[i] = 0.1f * static_cast<float>(i);
  table.columns.push_back({.name = "u", .height = 5, .width = 7, .values = field});
  expect_round_trip("a.npz", table);
  EXPECT_THROW(write_table(path("a.csv"), table), std::runtime_error);
  EXPECT_THROW(write_table(path("b.npz"), test::made_table({2, 3})), std::runtime_error);
}

}  // namespace
}  // namespace greybox
