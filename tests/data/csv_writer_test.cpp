// CSV written: digits, quotes, missing values.
#include "data/csv_writer.hpp"

#include <cmath>

#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

class CsvWriterTest : public test::ScratchFolder {
 protected:
  std::string written(const std::vector<CsvColumn>& columns) {
    write_csv(path("a.csv"), columns);
    return bytes_of(path("a.csv"));
  }
};

TEST_F(CsvWriterTest, WritesShortestNumbers) {
  const std::vector<double> x = {0.1, -3, 1e-300, 1.0 / 3, NAN};
  const std::vector<std::string> names = {"a", "b", "c", "d", "e"};
  EXPECT_EQ(written({{"n", names}, {"x", x}}), "n,x\na,0.1\nb,-3\nc,1e-300\nd,0.3333333333333333\ne,\n");
}

TEST_F(CsvWriterTest, QuotesWhatWouldBeMisread) {
  const std::vector<std::string> texts = {"a,b",    "say \"x\"",   "two\nlines", "",
                                          " blank", "#no comment", "plain text"};
  EXPECT_EQ(
      written({{"a;b", texts}}),
      "\"a;b\"\n\"a,b\"\n\"say \"\"x\"\"\"\n\"two\nlines\"\n\"\"\n\" blank\"\n\"#no comment\"\nplain text\n");
}

TEST_F(CsvWriterTest, WhatPeopleLookAtHasNoFormulas) {
  const std::vector<std::string> texts = {"=1+1", "@SUM(A1)", "+a", "-a", "-1.5", "plain"};
  EXPECT_EQ(written({{.name = "n", .values = texts, .is_shown = true}}),
            "n\n'=1+1\n'@SUM(A1)\n'+a\n'-a\n-1.5\nplain\n");
  EXPECT_EQ(written({{.name = "n", .values = texts, .is_shown = false}}),
            "n\n=1+1\n@SUM(A1)\n+a\n-a\n-1.5\nplain\n");
}

TEST_F(CsvWriterTest, KeepsARowOfOneMissingValue) {
  const std::vector<double> x = {1, NAN, 2};
  EXPECT_EQ(written({{"x", x}}), "x\n1\nNA\n2\n");
}

TEST_F(CsvWriterTest, SaysWhyItCannotWrite) {
  const std::vector<double> x = {1};
  EXPECT_THROW(write_csv(path("none") / "a.csv", std::vector<CsvColumn>{{"x", x}}), std::runtime_error);
}

}  // namespace
}  // namespace greybox
