#include "data/date.hpp"

#include <gtest/gtest.h>

namespace greybox {
namespace {

TEST(Dates, AreReadAsIsoWritesThem) {
  EXPECT_EQ(parse_date("1970-01-01"), 0);
  EXPECT_EQ(parse_date("2000-02-29"), 951782400);
  EXPECT_EQ(parse_date("2021-03"), parse_date("2021-03-01"));
  EXPECT_EQ(parse_date("1970-01-01T01:00"), 3600);
  EXPECT_EQ(parse_date("1970-01-01 01:02:03.25"), 3723.25);
  EXPECT_EQ(parse_date("1970-01-01T02:00+02:00"), 0);
  EXPECT_EQ(parse_date("1969-12-31T22:00-0200"), 0);
  EXPECT_EQ(parse_date("1969-12-31"), -86400);
}

TEST(Dates, AreReadWhereOneOrderAloneIsUsual) {
  EXPECT_EQ(parse_date("31.12.1969"), -86400);
  EXPECT_EQ(parse_date("01.01.1970 01:00"), 3600);
  EXPECT_EQ(parse_date("1970/01/02"), 86400);
  for (const char* text : {"31.12", "31.13.1969", "31.12.69", "1970/01", "1970/01-02"})
    EXPECT_FALSE(parse_date(text)) << text;
}

TEST(Dates, AreNothingElse) {
  for (const char* text :
       {"", "1970", "1970-1-1", "1970-13-01", "2021-02-29", "01/02/2021", "2021-03-05T", "2021-03-05x",
        "2021-03-05T25:00", "2021-03-05T10:61", "12:30", "2021-03-05T10:00+"})
    EXPECT_FALSE(parse_date(text)) << text;
}

TEST(Dates, AreWrittenBack) {
  EXPECT_EQ(date_text(951782400), "2000-02-29");
  EXPECT_EQ(date_text(3723), "1970-01-01 01:02:03");
  EXPECT_EQ(date_text(-86400), "1969-12-31");
}

TEST(Durations, AreConverted) {
  EXPECT_EQ(parse_duration("30 days", "days"), 30);
  EXPECT_EQ(parse_duration("2 weeks", "days"), 14);
  EXPECT_EQ(parse_duration("90 min", "hours"), 1.5);
  EXPECT_EQ(parse_duration("1h", "seconds"), 3600);
  EXPECT_EQ(parse_duration("5", ""), 5);
  EXPECT_FALSE(parse_duration("5 days", ""));
  EXPECT_FALSE(parse_duration("5 parsecs", "days"));
  EXPECT_FALSE(parse_duration("days", "days"));
}

}  // namespace
}  // namespace greybox
