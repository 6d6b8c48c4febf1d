// Tables made of arrays: gathered, checked, independent of each other, and written so that they are read
// back.
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "data/scratch_folder.hpp"
#include "data/table.hpp"
#include "data/table_writer.hpp"

namespace greybox {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

using MadeTable = test::ScratchFolder;

std::vector<double> values_of(const DataTable& table, const std::string& name) {
  std::vector<double> values;
  for (std::size_t row = 0; row < table.n_rows(); ++row) values.push_back(table.find(name)->at(row));
  return values;
}

Table two_series() {
  const std::vector<std::string> ids = {"b", "a", "b", "a"};
  const std::vector<double> time = {0, 5, 1, 6}, x = {1, 2, 3, 4};
  return Table().series(ids).time(time).column("x", x);
}

std::string refused_size(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing";
}

TEST_F(MadeTable, RowsAreGatheredBySeries) {
  const auto data = two_series().data();
  ASSERT_EQ(data->series.size(), 2U);
  EXPECT_EQ(data->series[0].name, "b");
  EXPECT_EQ(data->series[1].name, "a");
  EXPECT_EQ(data->series[1].first_row, 2U);
  EXPECT_EQ(values_of(*data, "x"), (std::vector<double>{1, 3, 2, 4}));
  EXPECT_EQ(data->time, (std::vector<double>{0, 1, 5, 6}));
  EXPECT_FALSE(data->is_file);
}

TEST_F(MadeTable, SeriesMayBeNumbers) {
  const std::vector<std::int64_t> ids = {7, 7, -1};
  const std::vector<double> x = {1, 2, 3};
  const auto data = Table().column("x", x).series(ids).data();
  ASSERT_EQ(data->series.size(), 2U);
  EXPECT_EQ(data->series[0].name, "7");
  EXPECT_EQ(data->series[1].name, "-1");
}

TEST_F(MadeTable, WithoutSeriesAndTimeRowsAreCounted) {
  const std::vector<double> x = {3, 1, 2};
  const Table table = Table().column("x", x);
  EXPECT_EQ(table.n_rows(), 3U);
  EXPECT_EQ(table.columns(), std::vector<std::string>{"x"});
  EXPECT_EQ(table.data()->time, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(table.data()->series.at(0).name, kWholeFile);
}

TEST_F(MadeTable, RefusesSizesThatDoNotAgree) {
  const std::vector<double> two = {1, 2}, three = {1, 2, 3};
  const std::vector<std::string> names = {"a"};
  EXPECT_EQ(refused_size([&] { Table().column("x", two).column("y", three); }),
            "column `y` has 3 values, but the table has 2 rows");
  EXPECT_EQ(refused_size([&] { Table().column("x", two).time(three); }),
            "time has 3 values, but the table has 2 rows");
  EXPECT_EQ(refused_size([&] { Table().column("x", two).series(names); }),
            "series has 1 values, but the table has 2 rows");
  EXPECT_EQ(refused_size([&] { Table().field("u", three, 2, 2); }),
            "column `u` has 3 values, which is no multiple of 2 × 2");
  EXPECT_EQ(refused_size([&] { Table().field("u", three, 0, 2); }),
            "column `u` has 3 values, which is no multiple of 0 × 2");
  EXPECT_EQ(refused_size([&] { Table().column("x", two).column("x", two); }), "column `x` is given twice");
  EXPECT_EQ(refused_size([&] { static_cast<void>(Table().time(two).data()); }), "the table has no columns");
}

TEST_F(MadeTable, TimeMustIncreaseWithinASeries) {
  const std::vector<double> x = {1, 2, 3}, back = {0, 2, 1}, same = {0, 1, 1}, missing = {0, kMissing, 2};
  for (const std::vector<double>& time : {back, missing})
    EXPECT_THROW(static_cast<void>(Table().column("x", x).time(time).data()), InputError);
  EXPECT_EQ(Table().column("x", x).time(same).data()->time, same) << "a step, which a model may refuse";
  const std::vector<std::string> ids = {"a", "a", "b"};
  EXPECT_EQ(Table().column("x", x).time(back).series(ids).data()->time, back) << "each series has its own";
}

TEST_F(MadeTable, InfiniteValuesAreRefusedAndMissingOnesAreNot) {
  const std::vector<double> infinite = {1, -kInfinite}, missing = {1, kMissing};
  test::expect_refused([&] { static_cast<void>(Table().named("mine").column("x", infinite).data()); }, "mine",
                       "array `x`, series `all`, step 1", "infinite");
  EXPECT_TRUE(std::isnan(Table().column("x", missing).data()->find("x")->at(1)));
}

TEST_F(MadeTable, CopiesAreIndependent) {
  const std::vector<double> y = {5, 6, 7, 8};
  const Table first = two_series();
  const std::string digest = first.data()->sha256;
  Table second = first;
  second.column("y", y).named("second");
  EXPECT_EQ(first.columns(), std::vector<std::string>{"x"});
  EXPECT_EQ(first.data()->sha256, digest);
  EXPECT_EQ(second.columns(), (std::vector<std::string>{"x", "y"}));
}

TEST_F(MadeTable, ArraysAreCopiedIn) {
  std::vector<double> x = {1, 2};
  const Table table = Table().column("x", x);
  x[0] = 9;
  EXPECT_EQ(table.data()->find("x")->at(0), 1);
}

TEST_F(MadeTable, TheDigestIsOfTheContentAlone) {
  const std::string digest = two_series().data()->sha256;
  EXPECT_EQ(digest.size(), 64U);
  EXPECT_EQ(two_series().named("other").data()->sha256, digest);
  const std::vector<std::string> ids = {"b", "c", "b", "c"};
  const std::vector<double> time = {0, 5, 1, 7}, x = {1, 2, 3, 4.5};
  EXPECT_NE(two_series().series(ids).data()->sha256, digest);
  EXPECT_NE(two_series().time(time).data()->sha256, digest);
  EXPECT_NE(two_series().column("y", x).data()->sha256, digest);
}

TEST_F(MadeTable, FloatsAndFieldsStayWhatTheyAre) {
  const std::vector<float> x = {0.1F, 0.2F};
  std::vector<double> u(12);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = static_cast<double>(i);
  const auto data = Table().column("x", x).field("u", u, 2, 3).data();
  EXPECT_TRUE(std::holds_alternative<SharedValues<float>>(data->find("x")->values));
  EXPECT_EQ(data->find("x")->at(1), static_cast<double>(0.2F));
  EXPECT_TRUE(data->find("u")->is_field());
  EXPECT_EQ(data->find("u")->height, 2U);
  EXPECT_EQ(data->find("u")->at(1, 4), 10);
}

// Fields are gathered by series like numbers.
TEST_F(MadeTable, FieldsFollowTheirRows) {
  const std::vector<std::string> ids = {"a", "b", "a"};
  const std::vector<double> u = {0, 1, 10, 11, 20, 21};
  const auto data = Table().series(ids).field("u", u, 1, 2).data();
  EXPECT_EQ(data->find("u")->at(1, 1), 21);
  EXPECT_EQ(data->find("u")->at(2, 0), 10);
}

TEST_F(MadeTable, ATableThatWasReadTakesMoreColumns) {
  const std::vector<double> more = {7, 8};
  Table table = Table::read(write("two.csv", "series,time,x\na,0,1\nb,3,2\n"));
  table.column("y", more);
  const auto data = table.data();
  EXPECT_EQ(data->series.at(1).name, "b");
  EXPECT_EQ(data->time, (std::vector<double>{0, 3}));
  EXPECT_EQ(values_of(*data, "y"), more);
  EXPECT_FALSE(data->is_file) << "it is not what the file holds any more";
}

TEST_F(MadeTable, IsReadBackUnderTheNamesOfItsRoles) {
  const TableOptions roles{.series_column = "run", .time_column = "t"};
  const auto data = two_series().data();
  write_table(path("out.csv"), *data, roles);
  const DataTable back = read_table(path("out.csv"), roles);
  EXPECT_EQ(back.time, data->time);
  EXPECT_EQ(values_of(back, "x"), values_of(*data, "x"));
  EXPECT_EQ(back.series.at(0).name, "b");
  EXPECT_EQ(back.find("t"), nullptr);
  // Also where it would not be needed: the model asks for the columns.
  const std::vector<double> x = {1, 2};
  write_table(path("plain.csv"), *Table().column("x", x).data(), roles);
  EXPECT_EQ(read_table(path("plain.csv"), roles).n_rows(), 2U);
}

TEST_F(MadeTable, FieldsAreReadBackFromNpz) {
  const std::vector<float> u = {0, 1, 10, 11, 20, 21, 30, 31};
  const std::vector<std::int64_t> ids = {0, 0, 1, 1};
  const std::vector<double> time = {0, 0.5, 0, 0.25};
  const auto data = Table().series(ids).time(time).field("u", u, 1, 2).data();
  write_table(path("out.npz"), *data, {.series_column = "", .time_column = "t"});
  const DataTable back = read_table(path("out.npz"), {.series_column = "", .time_column = "t"});
  EXPECT_EQ(back.series.size(), 2U);
  EXPECT_EQ(back.time, data->time);
  EXPECT_EQ(back.find("u")->at(3, 1), 31);
  EXPECT_TRUE(std::holds_alternative<SharedValues<float>>(back.find("u")->values));
}

}  // namespace
}  // namespace greybox
