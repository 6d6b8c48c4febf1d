// Names that are a column and something else: golden messages, and what stays allowed.
#include "model/name_collisions.hpp"

#include <gtest/gtest.h>

#include "cases/golden_cases.hpp"
#include "model/loaded_model.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

std::shared_ptr<const DataTable> table_of_names() {
  const std::vector<double> time = {0, 1, 2}, values = {1, 2, 3};
  Table table;
  table.named("d.csv").time(time);
  for (const char* name : {"x", "v", "u", "y", "k", "pi", "t", "t0"}) table.column(name, values);
  return table.data();
}

LoadedModel assembled(const std::string& text, const std::string& path = "d.toml") {
  return assemble(std::make_shared<const ModelSpec>(parse_model_spec(text, path)), table_of_names());
}

TEST(NameCollisions, GoldenCases) {
  const std::filesystem::path folder = std::filesystem::path(kSourceFolder) / "tests/cases/collisions";
  ASSERT_GE(model_files(folder).size(), 5U);
  expect_golden_cases(folder, [](const std::filesystem::path& file) -> std::string {
    try {
      assembled(read_text(file), file.filename().string());
    } catch (const InputError& error) {
      return error.what();
    }
    ADD_FAILURE() << file << " was accepted";
    return "";
  });
}

constexpr const char* kSound = R"toml([data]
file = "d.csv"
[parameters]
a = { prior = "uniform", low = 0, high = 1 }
[inputs]
u = "u"
[state]
x = "x"
v = "0"
[theory]
x = "-a * x + u * v + 0 * clock"
v = "0"
[network.fD]
inputs  = ["x", "a"]
hidden  = [2]
outputs = ["x"]
[observe]
x = "x"
)toml";

TEST(NameCollisions, StatesAndInputsMayBeCalledLikeTheirColumns) {
  EXPECT_NO_THROW(assembled(kSound));
}

TEST(NameCollisions, AnInputLeavesTheMeasuredColumnAlone) {
  std::string text = kSound;
  text.replace(text.find("[inputs]\nu = \"u\""), 16, "[inputs]\npush = \"2 * u\"");
  text.replace(text.find("u * v"), 5, "push * v");
  text.replace(text.find("[observe]\n"), 10, "[observe]\nu = \"v\"\n");
  const LoadedModel loaded = assembled(text);
  EXPECT_EQ(loaded.data->windows().columns[loaded.model->observed[0].column]->at(1), 2);
  EXPECT_EQ(loaded.data->windows().columns[loaded.model->input_columns[0]]->at(1), 4);
}

}  // namespace
}  // namespace greybox::test
