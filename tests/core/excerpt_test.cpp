// Carets stand under the mistake, whatever the line is made of.
#include "core/excerpt.hpp"

#include <gtest/gtest.h>

namespace greybox {
namespace {

TEST(Excerpt, WidensTheGutterWithTheLineNumber) {
  EXPECT_EQ(excerpt("a = b", {.line = 7, .column = 5, .length = 1}), "  7 | a = b\n    |     ^");
  EXPECT_EQ(excerpt("a = b", {.line = 1234, .column = 5, .length = 1}), "  1234 | a = b\n       |     ^");
}

TEST(Excerpt, GivesAnEmptySpanOneCaret) {
  EXPECT_EQ(excerpt("a = b", {.line = 7, .column = 3}), "  7 | a = b\n    |   ^");
}

TEST(Excerpt, HasNoCaretsWithoutAColumn) {
  EXPECT_EQ(excerpt("a = b", {.line = 7}), "  7 | a = b");
}

TEST(Excerpt, CountsCharactersNotBytes) {
  EXPECT_EQ(excerpt("θ = \"μ·velocty\"", {.line = 1, .column = 11, .length = 7}),
            "  1 | θ = \"μ·velocty\"\n    |        ^^^^^^^");
  EXPECT_EQ(excerpt("x = µ²", {.line = 1, .column = 5, .length = 4}), "  1 | x = µ²\n    |     ^^");
}

TEST(Excerpt, ShowsTabsAsBlanks) {
  EXPECT_EQ(excerpt("\ta\t= b", {.line = 1, .column = 6, .length = 1}),
            "  1 |     a    = b\n    |            ^");
}

TEST(Excerpt, PointsPastTheEndOfTheLine) {
  EXPECT_EQ(excerpt("a = ", {.line = 1, .column = 5, .length = 1}), "  1 | a = \n    |     ^");
  EXPECT_EQ(excerpt("a = ", {.line = 1, .column = 90, .length = 3}), "  1 | a = \n    |     ^");
  EXPECT_EQ(excerpt("a = b\r\n", {.line = 1, .column = 5, .length = 100}), "  1 | a = b\n    |     ^");
  EXPECT_EQ(excerpt("a = b", {.line = 1, .column = 5, .length = SIZE_MAX}), "  1 | a = b\n    |     ^");
}

TEST(Excerpt, ReplacesWhatCannotBePrinted) {
  EXPECT_EQ(excerpt("a\x1B[2J = \xFF?", {.line = 1, .column = 10, .length = 1}),
            "  1 | a\uFFFD[2J = \uFFFD?\n    |          ^");
  // A sequence cut short, an overlong one and a C1 control character.
  EXPECT_EQ(excerpt("\xE2\x82", {.line = 1, .column = 2, .length = 1}), "  1 | \uFFFD\uFFFD\n    |  ^");
  EXPECT_EQ(excerpt("\xC0\x80", {.line = 1, .column = 2, .length = 1}), "  1 | \uFFFD\uFFFD\n    |  ^");
  EXPECT_EQ(excerpt("\xC2\x9Bx", {.line = 1, .column = 3, .length = 1}), "  1 | \uFFFDx\n    |  ^");
}

TEST(Excerpt, CutsALongLineAroundTheSpan) {
  const std::string line = std::string(200, 'a') + "XYZ" + std::string(200, 'b');
  EXPECT_EQ(excerpt(line, {.line = 1, .column = 201, .length = 3}), "  1 | …" + std::string(40, 'a') + "XYZ" +
                                                                        std::string(57, 'b') + "…\n    |  " +
                                                                        std::string(40, ' ') + "^^^");
}

TEST(Excerpt, CutsALongLineAtItsEnds) {
  const std::string line(150, 'a');
  EXPECT_EQ(excerpt(line, {.line = 1, .column = 1, .length = 1}),
            "  1 | " + std::string(100, 'a') + "…\n    | ^");
  EXPECT_EQ(excerpt(line, {.line = 1, .column = 150, .length = 1}),
            "  1 | …" + std::string(100, 'a') + "\n    |  " + std::string(99, ' ') + "^");
  EXPECT_EQ(excerpt(line, {.line = 1, .column = 151, .length = 1}),
            "  1 | …" + std::string(100, 'a') + "\n    |  " + std::string(100, ' ') + "^");
}

TEST(Excerpt, CutsALongSpanToo) {
  EXPECT_EQ(excerpt(std::string(300, 'a'), {.line = 1, .column = 11, .length = 280}),
            "  1 | " + std::string(100, 'a') + "…\n    | " + std::string(10, ' ') + std::string(90, '^'));
}

}  // namespace
}  // namespace greybox
