// Cells: numbers, words for missing values, and everything else.
#include "data/number.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>

namespace greybox {
namespace {

TEST(Number, ReadsWhatPeopleWrite) {
  const std::pair<const char*, double> cases[] = {
      {"0", 0},           {"-1", -1},     {"+1.5", 1.5},   {".5", 0.5},    {"5.", 5},
      {"1e5", 1e5},       {"1E-3", 1e-3}, {"-.25", -0.25}, {"+.5e+2", 50}, {"007", 7},
      {"1e-308", 1e-308}, {"0.1", 0.1},   {"1e22", 1e22}};
  for (const auto& [text, value] : cases) {
    const Cell cell = parse_cell(text);
    EXPECT_EQ(cell.kind, CellKind::number) << text;
    EXPECT_EQ(cell.value, value) << text;
  }
}

TEST(Number, KnowsTheWordsForMissing) {
  for (const char* text :
       {"", "NA", "na", "NaN", "nan", "NULL", "null", "-", ".", "N/A", "#N/A", "None", "missing"}) {
    const Cell cell = parse_cell(text);
    EXPECT_EQ(cell.kind, CellKind::missing) << text;
    EXPECT_TRUE(std::isnan(cell.value)) << text;
  }
}

TEST(Number, RefusesEverythingElse) {
  for (const char* text : {"1_000", "1,5", "1 000", "abc", "0x10", "1e", "e5", "+", "--1", "+-1", "1.2.3",
                           "nan(1)", "-nan", "1d5", "+NaN", "½", "1f"}) {
    EXPECT_EQ(parse_cell(text).kind, CellKind::text) << text;
  }
  for (const char* text : {"inf", "-inf", "Infinity", "+INF"})
    EXPECT_EQ(parse_cell(text).kind, CellKind::infinite) << text;
  for (const char* text : {"1e999", "-1e999", "1e-999"})
    EXPECT_EQ(parse_cell(text).kind, CellKind::out_of_range) << text;
}

TEST(Number, DoesNotDependOnTheLocale) {
  const char* german = std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(parse_cell("1.5").value, 1.5);
  EXPECT_EQ(parse_cell("1,5").kind, CellKind::text);
  EXPECT_EQ(shortest(1.5), "1.5");
  if (german != nullptr) std::setlocale(LC_ALL, "C");
}

TEST(Number, ShortestReadsBackExactly) {
  for (const double value :
       {0.1, 1.0 / 3, -2.5e-300, 1e21, 123456789.125, std::numeric_limits<double>::denorm_min()}) {
    EXPECT_EQ(parse_cell(shortest(value)).value, value);
  }
}

TEST(Number, TrimsSpacesAndTabsOnly) {
  EXPECT_EQ(trimmed(" \t a b\t "), "a b");
  EXPECT_EQ(trimmed("  "), "");
  EXPECT_EQ(trimmed("\na"), "\na");
}

}  // namespace
}  // namespace greybox
