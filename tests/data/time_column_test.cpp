// What is taken for the time, and what columns are called.
#include "data/time_column.hpp"

#include <fmt/format.h>

#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

class TimeColumn : public test::ScratchFolder {
 protected:
  DataTable read(std::string_view content, const TableOptions& options = {}) {
    return read_table(write("a.csv", content), options);
  }
  using Numbers = std::vector<double>;
};

TEST_F(TimeColumn, IsFoundByItsUsualNames) {
  for (const char* name : {"time", "Time", "TIME", "t", "timestamp", "Date", "time [s]", "Time (days)",
                           "time_s", "t_h", "t [min]", "day", "Hours", "year", "datetime", "Time/s"}) {
    EXPECT_TRUE(is_usual_time_name(name)) << name;
    const DataTable table = read(std::string(name) + ",x\n0.5,1\n2,3\n");
    EXPECT_EQ(table.time, (Numbers{0.5, 2})) << name;
    EXPECT_EQ(table.time_name, name);
    EXPECT_EQ(table.columns.size(), 1U) << name;
  }
  for (const char* name : {"T", "temperature", "dt", "daylight", "x", "minutes_of_meeting"})
    EXPECT_FALSE(is_usual_time_name(name)) << name;
}

TEST_F(TimeColumn, IsFoundByTheLastWordOfItsName) {
  for (const char* name : {"sample time", "report_date", "Sampling Time [h]", "Zeit (min)"}) {
    const DataTable table = read(std::string(name) + ",x\n0.5,1\n2,3\n");
    EXPECT_EQ(table.time, (Numbers{0.5, 2})) << name;
  }
  // Unless an equation reads it.
  EXPECT_EQ(read("dwell_time,x\n5,1\n2,3\n", {.columns_read = {"dwell_time", "x"}}).time, (Numbers{0, 1}));
}

// `h` may be hours or a height: where nothing reads it and it rises, somebody has to say.
TEST_F(TimeColumn, IsAskedForWhereOneRisesThatNothingReads) {
  const char* content = "h,x\n0,1\n0.5,2\n1,2\n1.5,3\n2,1\n2.5,2\n";
  test::expect_refused([&] { read(content, {.columns_read = {"x"}}); }, path("a.csv"), "column `h`",
                       "no column is called like the time");
  const Numbers counted{0, 1, 2, 3, 4, 5};
  EXPECT_EQ(read(content, {.time_column = "none", .columns_read = {"x"}}).time, counted);
  EXPECT_EQ(read(content, {.columns_read = {"x", "h"}}).time, counted);
  EXPECT_EQ(read("index,x\n0,1\n1,2\n2,2\n3,3\n4,1\n5,2\n", {.columns_read = {"x"}}).time, counted);
}

TEST_F(TimeColumn, IsTheOneCalledTimeBeforeOthers) {
  EXPECT_EQ(read("t,time,day\n5,1,9\n4,2,9\n").time, (Numbers{1, 2}));
  EXPECT_EQ(read("day,timestamp,x\n3,1,9\n3,2,9\n").time, (Numbers{1, 2}));
}

TEST_F(TimeColumn, IsNotGuessed) {
  const auto file = path("a.csv");
  test::expect_refused([&] { read("t,Time,x\n1,2,3\n"); }, file, "header",
                       "several columns could be the time: `t`, `Time`");
  test::expect_refused(
      [&] {
        read("Date,x\n1,2\n", {.columns_read = {"x", "Date"}});
      },
      file, "header", "column `Date` looks like the time, and an equation reads it as a variable");
  test::expect_refused([&] { read("day,x\n1,2\n1,3\n"); }, file, "row 3, column `day`", "time must increase");
}

TEST_F(TimeColumn, OfATableInMemoryIsThatOfTheSameFile) {
  const std::vector<std::string> names{"pond", "x", "Time"};
  const ColumnRoles roles = column_roles(names, {.series_column = "pond"}, "data");
  EXPECT_EQ(roles.series, 0U);
  EXPECT_EQ(roles.time, 2U);
  EXPECT_FALSE(column_roles(names, {}, "data").series);
  EXPECT_FALSE(column_roles(names, {.time_column = "none"}, "data").time);
  test::expect_refused([&] { column_roles(names, {.time_column = "tme"}, "data"); }, "data", "",
                       "no column `tme`, which the model takes for time");
  test::expect_refused([&] { column_roles(names, {.series_column = "x", .time_column = "x"}, "data"); },
                       "data", "", "column `x` cannot be both time and series");
}

TEST_F(TimeColumn, CanBeLeftOut) {
  const DataTable table = read("t,x\n5,1\n4,3\n", {.time_column = "none"});
  EXPECT_EQ(table.time, (Numbers{0, 1}));
  EXPECT_EQ(table.time_name, "");
  EXPECT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(read("day,x\n3,1\n3,3\n", {.needs_time = false}).time, (Numbers{0, 1}));
}

TEST_F(TimeColumn, IsConvertedFromTheUnitInItsName) {
  const DataTable table = read("time_ms,x\n0,1\n500,2\n", {.time_unit = "seconds"});
  EXPECT_EQ(table.time, (Numbers{0, 0.5}));
  EXPECT_EQ(table.converted_from, "ms");
  EXPECT_EQ(read("time [min],x\n0,1\n90,2\n", {.time_unit = "hours"}).time, (Numbers{0, 1.5}));
  // As it stands where nothing else is asked for.
  for (const char* name : {"time_ms", "time", "time_s"}) {
    const DataTable same = read(fmt::format("{},x\n0,1\n500,2\n", name),
                                {.time_unit = std::string_view(name) == "time_ms" ? "" : "seconds"});
    EXPECT_EQ(same.time, (Numbers{0, 500})) << name;
    EXPECT_EQ(same.converted_from, "") << name;
  }
}

TEST_F(TimeColumn, MayHoldDates) {
  const DataTable days = read("date,x\n2021-03-05,1\n2021-03-06T12:00,2\n2021-03-07 00:00:00Z,3\n");
  EXPECT_TRUE(days.has_dates);
  EXPECT_EQ(days.time_unit, "days");
  EXPECT_EQ(days.time, (Numbers{18691, 18692.5, 18693}));
  EXPECT_EQ(read("date,x\n1970-01-01,1\n1970-01-02,2\n", {.time_unit = "hours"}).time, (Numbers{0, 24}));
  test::expect_refused([&] { read("date,x\n2021-03-05,1\n7,2\n"); }, path("a.csv"), "column `date`",
                       "some times are dates and others are numbers");
  test::expect_refused([&] { read("date,x\n05/03/2021,1\n"); }, path("a.csv"), "row 2, column `date`",
                       "is a date of which");
}

TEST_F(TimeColumn, ColumnsGetNamesThatEquationsCanUse) {
  const DataTable table = read("time,flow [l/min]\n0,1\n1,2\n", {.renamed = {{"flow", "flow [l/min]"}}});
  EXPECT_NE(table.find("flow"), nullptr);
  test::expect_refused(
      [&] {
        read("time,flow\n0,1\n", {.renamed = {{"f", "flo"}}});
      },
      path("a.csv"), "header", "no column `flo`, which [data.rename] calls `f`");
}

}  // namespace
}  // namespace greybox
