// JSON files of strangers: limits, and values that are not what is asked for.
#include "data/json_file.hpp"

#include <cmath>
#include <ctime>

#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

class JsonFile : public test::ScratchFolder {
 protected:
  void expect_refused(const std::string& text, const std::function<void(const JsonValue&)>& ask,
                      const std::string& message) const {
    const Json json = Json::parse(text);
    test::expect_refused([&] { ask(JsonValue(json, "a.json")); }, "a.json", "", message);
  }
};

TEST_F(JsonFile, GivesItsValues) {
  write("a.json",
        R"({"text": "é", "yes": true, "n": 3, "x": [1.5, null], "by": {"a": 1, "b": 2e3}, "none": null})");
  const std::optional<Json> json = read_json_file(path("a.json"));
  ASSERT_TRUE(json);
  const JsonValue value(*json, "a.json");
  EXPECT_EQ(value.at("text").text(), "é");
  EXPECT_TRUE(value.at("yes").boolean());
  EXPECT_EQ(value.at("n").count(), 3U);
  EXPECT_EQ(value.at("x").numbers().at(0), 1.5);
  EXPECT_EQ(value.at("by").numbers_by_name(), (std::map<std::string, double>{{"a", 1}, {"b", 2000}}));
  EXPECT_EQ(value.at("by").names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_FALSE(value.find("none"));
  EXPECT_FALSE(value.find("missing"));
  EXPECT_TRUE(value.find("n"));
}

TEST_F(JsonFile, NullStandsForNaN) {
  const Json json = Json::parse(R"({"x": [1, null]})");
  EXPECT_TRUE(std::isnan(JsonValue(json, "").at("x").numbers().at(1)));
  EXPECT_EQ(Json(std::nan("")).dump(), "null");
}

TEST_F(JsonFile, NoneWhereThereIsNoFile) {
  EXPECT_FALSE(read_json_file(path("none.json")));
}

TEST_F(JsonFile, NamesThePlaceOfAWrongType) {
  const std::string text = R"({"a": {"b": [1, {"c": "x"}]}, "t": 1})";
  expect_refused(
      text, [](const JsonValue& v) { v.at("t").text(); }, "`t` is not text");
  expect_refused(
      text, [](const JsonValue& v) { v.at("t").boolean(); }, "`t` is not true or false");
  expect_refused(
      text, [](const JsonValue& v) { v.at("a").elements(); }, "`a` is not a list");
  expect_refused(
      text, [](const JsonValue& v) { v.at("t").at("x"); }, "`t` is not an object");
  expect_refused(
      text, [](const JsonValue& v) { v.at("t").find("x"); }, "`t` is not an object");
  expect_refused(
      text, [](const JsonValue& v) { v.at("a").at("d"); }, "`a.d` is missing");
  expect_refused(
      text, [](const JsonValue& v) { v.at("a").at("b").numbers(); }, "`a.b[1]` is not a number");
  expect_refused(
      text, [](const JsonValue& v) { v.at("a").at("b").elements()[1].at("c").number(); },
      "`a.b[1].c` is not a number");
  expect_refused(
      "[1]", [](const JsonValue& v) { v.at("x"); }, "this is not an object");
  expect_refused(
      "[1]", [](const JsonValue& v) { v.texts(); }, "`[0]` is not text");
}

TEST_F(JsonFile, CountsAreWholeAndNotTooLarge) {
  const auto ask = [](const JsonValue& value) { value.at("n").count(); };
  expect_refused(R"({"n": -1})", ask, "`n` is not a whole number of 0 or more");
  expect_refused(R"({"n": 1.5})", ask, "`n` is not a whole number of 0 or more");
  expect_refused(R"({"n": "3"})", ask, "`n` is not a whole number of 0 or more");
  expect_refused(R"({"n": null})", ask, "`n` is not a whole number of 0 or more");
  expect_refused(R"({"n": 18446744073709551615})", ask, "`n` is not a number of things");
  const Json seed = Json::parse("18446744073709551615");
  EXPECT_EQ(JsonValue(seed, "").whole_number(), 18446744073709551615U) << "a seed may be any number";
}

TEST_F(JsonFile, IsNotNestedTooDeep) {
  write("deep.json", std::string(100'000, '['));
  test::expect_refused([&] { read_json_file(path("deep.json")); }, path("deep.json"), "",
                       "nested more than 64 deep");
  write("shallow.json", std::string(60, '[') + std::string(60, ']'));
  EXPECT_TRUE(read_json_file(path("shallow.json")));
}

// Time goes with the size: it went with its square, 20 s for these.
TEST_F(JsonFile, ListsOfManyObjectsAreReadQuickly) {
  std::string text = "[{}";
  for (int i = 0; i < 300'000; ++i) text += ",{}";
  write("a.json", text + "]");
  const std::clock_t begin = std::clock();
  EXPECT_EQ(read_json_file(path("a.json"))->size(), 300'001U);
  EXPECT_LT(std::clock() - begin, 5 * CLOCKS_PER_SEC);
}

TEST_F(JsonFile, SaysWhereItIsNotJson) {
  for (const char* text : {"", "{\"a\": ", "{\"a\": 1} x", "\xff", "nan"}) {
    write("bad.json", text);
    test::expect_refused([&] { read_json_file(path("bad.json")); }, path("bad.json"), "", "not valid JSON");
  }
}

TEST_F(JsonFile, IsAFileOfModerateSize) {
  test::expect_refused([&] { read_json_file(path("")); }, path(""), "", "not a file");
  write("large.json", "1");
  std::filesystem::resize_file(path("large.json"), (std::uintmax_t{1} << 28U) + 1);  // a hole: takes no disk
  test::expect_refused([&] { read_json_file(path("large.json")); }, path("large.json"), "",
                       "larger than 256 MiB");
}

TEST_F(JsonFile, ObjectsOfAnySizeDoNotTakeForEver) {
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i) text += "\"" + std::to_string(i) + "\": 0, ";
  write("a.json", text + "\"last\": 0}");
  test::expect_refused([&] { read_json_file(path("a.json")); }, path("a.json"), "", "more than 2000 members");
}

TEST_F(JsonFile, TextsDoNotSteerTheTerminal) {
  expect_refused(R"({"name": "\u001b[2J"})", [](const JsonValue& v) { v.at("name").text(); },
                 "control characters");
  expect_refused(R"({"name": "\u009b2J"})", [](const JsonValue& v) { v.at("name").text(); },
                 "control characters");
}

}  // namespace
}  // namespace greybox
