// Texts of options turned into what the library takes, and what is said about those that cannot be.
#include <gtest/gtest.h>

#include "apps/run_tool.hpp"
#include "at_option.hpp"
#include "json_text.hpp"
#include "on_option.hpp"
#include "points_option.hpp"
#include "rate_option.hpp"
#include "split_option.hpp"
#include "vary_option.hpp"
#include "view_option.hpp"
#include "window_option.hpp"

namespace greybox::apps {
namespace {

template <class F>
std::string message_of(F&& parse) {
  try {
    parse();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(OptionParsers, ReadParts) {
  EXPECT_TRUE(std::holds_alternative<std::monostate>(parse_splits("")));
  EXPECT_TRUE(std::get<Splits>(parse_splits("all")).parts.empty());
  EXPECT_EQ(std::get<Splits>(parse_splits("test+train")).parts, (std::vector{Split::test, Split::train}));
  EXPECT_EQ(message_of([] { parse_splits("tset"); }),
            "option `on`: error: `tset` is no part of the data\n  help: did you mean `test`?");
  EXPECT_EQ(
      message_of([] { parse_splits("train,test"); }),
      "option `on`: error: `train,test` is no part of the data\n  help: the parts are train, validation, "
      "test; join several with +, or say all");
}

TEST(OptionParsers, ReadWindows) {
  EXPECT_EQ(std::get<WindowIndex>(parse_window("17")).index, 17U);
  const auto at = std::get<WindowAt>(parse_window("a:b:-1.5"));
  EXPECT_EQ(at.series, "a:b");
  EXPECT_EQ(at.time, -1.5);
  EXPECT_EQ(message_of([] { parse_window("x"); }),
            "--window: error: `x` names no window\n  help: give its number, counted from 0, or SERIES:TIME, "
            "where it "
            "starts");
  for (const char* text : {"", ":", "a:", "-1", "1.5"})
    EXPECT_NE(message_of([&] { parse_window(text); }), "") << text;
}

TEST(OptionParsers, ReadViews) {
  EXPECT_TRUE(std::holds_alternative<std::monostate>(parse_view("")));
  EXPECT_TRUE(std::holds_alternative<RandomPlane>(parse_view("random")));
  EXPECT_EQ(std::get<PrincipalPlane>(parse_view("pca")).regularizer, "");
  EXPECT_EQ(std::get<PrincipalPlane>(parse_view("pca:corr")).regularizer, "corr");
  EXPECT_EQ(message_of([] { parse_view("side"); }),
            "--view: error: there is no view `side`\n  help: the views are random, pca and pca:REGULARIZER");
}

TEST(OptionParsers, ReadPoints) {
  const Points points = parse_points("x=-3:3:200,z=0:1e1:20");
  ASSERT_EQ(points.axes.size(), 2U);
  EXPECT_EQ(points.axes[0].column, "x");
  EXPECT_EQ(points.axes[0].low, -3);
  EXPECT_EQ(points.axes[1].high, 10);
  EXPECT_EQ(points.axes[1].n_points, 20U);
  for (const char* text : {"x", "x=", "=0:1:5", "x=0:1", "x=0:1:5:6", "x=0:1:-5", "x=0:1:5,", "x=a:1:5"})
    EXPECT_NE(message_of([&] { parse_points(text); }).find("is not column=low:high:points"),
              std::string::npos)
        << text;
}

class OnOption : public test::ToolTest {};

TEST_F(OnOption, IsAPartWindowsAFileOrPoints) {
  write("data.csv", "x\n1\n");
  EXPECT_EQ(parse_on(path("data.csv")).data, path("data.csv"));
  EXPECT_TRUE(parse_on("each").each_window);
  EXPECT_TRUE(std::holds_alternative<Splits>(parse_on("train+test").on));
  EXPECT_TRUE(std::holds_alternative<Points>(parse_on("x=0:1:5").on));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(parse_on("").on));
  EXPECT_EQ(message_of([] { parse_on("nowhere.csv"); }),
            "--on: error: there is no data file nowhere.csv\n  help: give a split, `each`, a file, or grid "
            "points such "
            "as x=-3:3:200");
  EXPECT_NE(message_of([] { parse_on("tset"); }), "");
}

TEST(OptionParsers, ReadRates) {
  EXPECT_EQ(parse_rate("1e-2:1e-4"), (std::pair{1e-2, 1e-4}));
  EXPECT_EQ(parse_rate("0.5"), (std::pair{0.5, 0.5}));
  for (const char* text : {"fast", "1:", ":1", "1:2:3", ""})
    EXPECT_NE(message_of([&] { parse_rate(text); }).find("neither a rate nor a pair of rates"),
              std::string::npos)
        << text;
}

TEST(OptionParsers, ReadWhereParametersAreHeld) {
  EXPECT_EQ(parse_at("").reference, ReferencePoint::prior);
  EXPECT_EQ(parse_at("b=1,d=2").values, (Theta{{"b", 1}, {"d", 2}}));
  const AtChoice at = parse_at("estimator,b=1");
  EXPECT_EQ(at.reference, ReferencePoint::estimator);
  EXPECT_EQ(at.values, (Theta{{"b", 1}}));
  EXPECT_EQ(parse_at("estimate").reference, ReferencePoint::estimate);
  EXPECT_EQ(message_of([] { parse_at("b=one"); }).substr(0, 41),
            "--at:1:3: error: this is not a number\n  1");
}

TEST(OptionParsers, ReadRangesToVary) {
  EXPECT_FALSE(parse_vary(std::string("a")).low);
  const VariedParameter parameter = parse_vary(std::string("a=0:2:101"));
  EXPECT_EQ(parameter.high, 2);
  EXPECT_EQ(parameter.n_points, 101U);
  for (const char* text : {"=0:1", "a=0", "a=0:", "a=0:1:", "a=0:1:2:3"})
    EXPECT_NE(message_of([&] { parse_vary(std::string(text)); }), "") << text;
}

TEST(JsonText, TakesOneMoreMember) {
  EXPECT_EQ(with_member("{}", "a", "1"), "{\"a\":1}");
  EXPECT_EQ(with_member("{\"a\":{}}", "b", json_of(std::string("x\"y"))), "{\"a\":{},\"b\":\"x\\\"y\"}");
}

}  // namespace
}  // namespace greybox::apps
