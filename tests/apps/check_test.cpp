// `greybox check` on every example, on every golden mistake, and on what is not a model file.
#include "apps/run_tool.hpp"
#include "cases/golden_cases.hpp"

namespace greybox::test {
namespace {

namespace fs = std::filesystem;

class Check : public ToolTest {
 protected:
  // Copies the models of a folder, so that data can be put beside them.
  std::vector<fs::path> copy_models(const std::string& folder) const {
    for (const fs::path& file : model_files(source(folder))) fs::copy_file(file, path(file.filename().string()));
    return model_files(path(""));
  }

  void expect_golden_messages(const std::string& folder, std::size_t least) const {
    const std::vector<fs::path> models = copy_models(folder);
    ASSERT_GE(models.size(), least);
    for (const fs::path& model : models) {
      const ToolResult result = greybox({"check", model.filename().string()});
      EXPECT_EQ(result.exit_code, 2) << model;
      EXPECT_EQ(result.out, "") << model;
      fs::path expected = source(folder) / model.filename();
      EXPECT_EQ(result.err, read_text(expected.replace_extension(".expected")));
    }
  }
};

TEST_F(Check, EveryExample) {
  copy_models("examples");
  for (const auto& entry : fs::directory_iterator(source("examples")))
    if (entry.path().extension() == ".csv") fs::copy_file(entry.path(), path(entry.path().filename().string()));
  expect_done({"data", "toy", "--force"});
  expect_done({"data", "reaction-diffusion", "--size", "4"});
  for (const fs::path& model : model_files(path(""))) {
    const auto json = expect_json_of(model);
    const bool has_data = fs::exists(model.parent_path() / data_of(model));
    EXPECT_EQ(json["warnings"].size(), has_data ? 0u : 1u) << model << json["warnings"];
    EXPECT_EQ(json.contains("data"), has_data) << model;
  }
}

TEST_F(Check, EveryGoldenMistakeOfReading) {
  expect_golden_messages("tests/cases/reading", 150);
}

TEST_F(Check, EveryGoldenMistakeOfBinding) {
  write("d.csv", "time,x,v,u,y\n0,1,2,3,4\n1,2,3,4,5\n2,3,4,5,6\n");
  expect_golden_messages("tests/cases/binding", 50);
}

}  // namespace
}  // namespace greybox::test
