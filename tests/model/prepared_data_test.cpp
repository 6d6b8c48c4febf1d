// A table made ready for a model: new columns, missing values, windows, splits.
#include "model/prepared_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "data/scratch_folder.hpp"
#include "model/loaded_model.hpp"

namespace greybox::test {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Ten rows of one series; y is what the model is compared with, z is read by nothing.
std::shared_ptr<const DataTable> made_rows(std::vector<double> x = {}, std::vector<double> z = {}) {
  if (x.empty()) x = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  z.resize(x.size());
  const std::vector<double> y(x.size(), 2.0);
  return Table().column("x", x).column("y", y).column("z", z).data();
}

LoadedModel prepared(const std::string& data, const std::shared_ptr<const DataTable>& table,
                     const std::string& input = "x") {
  const std::string text = "[data]\nfile = \"d.csv\"\n" + data + R"toml(
[parameters]
a = { prior = "uniform", low = 0, high = 1 }
[theory]
y = "a * )toml" + input + R"toml("
[network.fD]
inputs  = ["x", "a"]
hidden  = [2]
outputs = ["y"]
)toml";
  return assemble(std::make_shared<const ModelSpec>(parse_model_spec(text, "d.toml")), table);
}

TEST(PreparedData, AnAlgebraicModelHasOneRowPerWindow) {
  const LoadedModel loaded = prepared("", made_rows());
  EXPECT_EQ(loaded.data->all().size(), 10U);
  EXPECT_EQ(loaded.data->windows().longest(), 1U);
  EXPECT_EQ(loaded.data->n_dropped_rows() + loaded.data->n_dropped_windows(), 0U);
}

TEST(PreparedData, AddsColumnsOneFromAnother) {
  const LoadedModel loaded =
      prepared("[data.columns]\nx = \"x / 10\"\ntwice = \"2 * x\"", made_rows(), "twice");
  const DataTable& table = loaded.data->table();
  EXPECT_EQ(table.find("x")->at(5), 0.5);
  EXPECT_EQ(table.find("twice")->at(5), 1);
  EXPECT_EQ(column_names(*loaded.spec, *made_rows()),
            (std::vector<std::string>{"x", "y", "z", "x", "twice"}));
}

TEST(PreparedData, TheTableAsReadStaysAsItIs) {
  const std::shared_ptr<const DataTable> table = made_rows();
  prepared("[data.columns]\nx = \"x / 10\"", table);
  EXPECT_EQ(table->find("x")->at(5), 5);
}

TEST(PreparedData, OnlyColumnsThatAreReadMayNotMiss) {
  EXPECT_NO_THROW(prepared("", made_rows({}, {kMissing})));
  const std::shared_ptr<const DataTable> hole = made_rows({0, kMissing, 2, 3});
  EXPECT_THROW(prepared("missing = \"error\"", hole), InputError);
  EXPECT_EQ(prepared("", hole).data->all().size(), 3U);
  const LoadedModel dropped = prepared("missing = \"drop\"", hole);
  EXPECT_EQ(dropped.data->n_dropped_rows(), 1U);
  EXPECT_EQ(dropped.data->all().size(), 3U);
  const LoadedModel filled = prepared("missing = \"interpolate\"", hole);
  EXPECT_EQ(filled.data->table().find("x")->at(1), 1);
  EXPECT_EQ(filled.data->n_dropped_rows(), 0U);
}

TEST(PreparedData, WindowsAreDroppedWhereTheConditionHolds) {
  const LoadedModel loaded = prepared("drop = \"x > 6\"", made_rows());
  EXPECT_EQ(loaded.data->n_dropped_windows(), 3U);
  EXPECT_EQ(loaded.data->all().size(), 7U);
}

TEST(PreparedData, SplitsShareOutAllWindows) {
  const LoadedModel loaded =
      prepared("split = { train = 0.5, validation = 0.2, test = 0.3, by = \"window\" }", made_rows());
  std::vector<std::size_t> together;
  for (Split split : {Split::train, Split::validation, Split::test})
    for (std::size_t window : loaded.data->of_split(split)) together.push_back(window);
  EXPECT_EQ(loaded.data->of_split(Split::train).size(), 5U);
  EXPECT_EQ(loaded.data->of_split(Split::validation).size(), 2U);
  std::ranges::sort(together);
  EXPECT_EQ(together, loaded.data->all());
}

}  // namespace
}  // namespace greybox::test
