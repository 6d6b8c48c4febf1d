// `greybox check` on every example, on every golden mistake, and on what is not a model file.
#include "apps/run_tool.hpp"
#include "cases/golden_cases.hpp"
#include "data/real_data.hpp"

namespace greybox::test {
namespace {

namespace fs = std::filesystem;

class Check : public ToolTest {
 protected:
  // Copies the models of a folder, so that data can be put beside them.
  std::vector<fs::path> copy_models(const std::string& folder) const {
    for (const fs::path& file : model_files(source(folder)))
      fs::copy_file(file, path(file.filename().string()));
    return model_files(path(""));
  }

  void copy_tables() const {
    for (const auto& entry : fs::directory_iterator(source("examples")))
      if (entry.path().extension() == ".csv" || entry.path().extension() == ".npz")
        fs::copy_file(entry.path(), path(entry.path().filename().string()));
  }

  // What can be made here.
  void make_data() const {
    expect_done({"data", "toy", "--force"});
    expect_done({"data", "damped-pendulum"});
    expect_done({"data", "reaction-diffusion", "--size", "4"});
    const auto published = real_data();
    if (!published) return;
    expect_done({"data", "pendulum", "--from", (*published / "pendulum").string()});
    expect_done({"data", "predator-prey", "--from", (*published / "predator-prey").string()});
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

// With data beside it nothing is suspicious; without, only that they are not there.
TEST_F(Check, EveryExample) {
  copy_models("examples");
  copy_tables();
  make_data();
  for (const fs::path& model : model_files(path(""))) {
    const ToolResult result = greybox({"check", model.filename().string(), "--json"});
    EXPECT_EQ(result.exit_code, 0) << model << result.err;
    const auto json = nlohmann::json::parse(result.out);
    EXPECT_GT(json["n_weights"], 0) << model;
    if (json.contains("data")) {
      EXPECT_GT(json["data"]["train"], 0) << model;
      // The paper deals out overlapping windows of the plankton one by one.
      if (model.stem() == "predator-prey")
        EXPECT_TRUE(result.err.starts_with("warning: windows overlap across splits")) << result.err;
      // Its authors' network does not know θ, and mode aphynity learns one θ alone.
      else if (model.stem() == "aphynity-pendulum")
        EXPECT_TRUE(result.err.starts_with("warning: no network reads a parameter")) << result.err;
      else
        EXPECT_EQ(result.err, "") << model;
    } else {
      const std::string name = model.stem().string();
      EXPECT_TRUE(name.starts_with("pendulum") || name == "predator-prey" || name == "forced-pendulum")
          << model << " could have had data";
      EXPECT_TRUE(result.err.starts_with("warning: there is no data file")) << result.err;
    }
  }
}

TEST_F(Check, PrintsTheModelOnStdout) {
  make_data();
  fs::copy_file(source("examples/toy.toml"), path("toy.toml"));
  const std::string text = expect_done({"check", "toy.toml"});
  for (const char* part : {"toy", "Parameters", "sin(x + c)", "369 weights", "toy.csv: 120 rows", "40 train"})
    EXPECT_NE(text.find(part), std::string::npos) << "no `" << part << "` in:\n" << text;
}

TEST_F(Check, SaysWhatIsKnownOfANetwork) {
  for (const char* file : {"oscillator-odd.toml", "oscillator.csv"})
    fs::copy_file(source("examples") / file, path(file));
  const std::string text = expect_done({"check", "oscillator-odd.toml"});
  EXPECT_NE(text.find("gives what is odd in position and velocity, decreasing in velocity"),
            std::string::npos)
      << text;
  const ToolResult trained =
      greybox({"train", "oscillator-odd.toml", "-o", "run", "--epochs", "2", "--batch", "100"});
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
}

TEST_F(Check, WarnsOnStderr) {
  fs::copy_file(source("examples/toy.toml"), path("toy.toml"));
  const ToolResult result = greybox({"check", "toy.toml"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(result.out.starts_with("toy: ")) << result.out;
  EXPECT_TRUE(result.err.starts_with("warning: ")) << result.err;
}

TEST_F(Check, StructuralSaysWhatNoDataCanDetermine) {
  make_data();
  fs::copy_file(source("examples/toy.toml"), path("toy.toml"));
  EXPECT_EQ(expect_done({"check", "toy.toml", "--structural"}),
            "a and c: determined, if the theory alone were right\n"
            "a and c: the network can undo whatever they do; the data alone do not choose, only a "
            "regularizer does\n");
  const auto json = nlohmann::json::parse(expect_done({"check", "toy.toml", "--structural", "--json"}));
  EXPECT_EQ(json["theory"]["determined"], nlohmann::json({"a", "c"}));
  EXPECT_EQ(json["network"]["absorbed"], nlohmann::json({"a", "c"}));
  fs::remove(path("toy.csv"));
  expect_wrong_input({"check", "toy.toml", "--structural"}, "--structural: error: the test needs the data");
}

TEST_F(Check, RefusesWhatIsNoModel) {
  expect_wrong_input({"check", "nowhere.toml"}, "nowhere.toml: error: there is no such file");
  expect_wrong_input({"check", path("").string()}, "this is a folder");
  write("binary.toml", std::string("\0\1\2\xff", 4));
  expect_wrong_input({"check", "binary.toml"}, "binary.toml:1");
  expect_wrong_input({"check", "a.toml", "b.toml"}, "b.toml");
}

TEST_F(Check, RefusesBrokenData) {
  fs::copy_file(source("examples/toy.toml"), path("toy.toml"));
  write("toy.csv", "x,y\n1,2\n3,four\n");
  expect_wrong_input({"check", "toy.toml"}, "toy.csv: row 3, column `y`: error:");
  write("toy.csv", "x,z\n1,2\n3,4\n");
  expect_wrong_input({"check", "toy.toml"}, "`y`");
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
