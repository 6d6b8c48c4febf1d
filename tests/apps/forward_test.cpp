// `greybox simulate`, `greybox explain` and `greybox compare` of theories, as a user runs them.
#include "apps/run_tool.hpp"
#include "data/npz.hpp"
#include "data/table.hpp"

namespace greybox::test {
namespace {

namespace fs = std::filesystem;

class Forward : public ToolTest {
 protected:
  static std::string fixture(const std::string& name) { return source("tests/fixtures/" + name).string(); }

  // The toy with another theory of its phase.
  std::string write_toy(const std::string& name, const std::string& theory) const {
    std::string text = bytes_of(source("examples/toy.toml"));
    const auto replace = [&](const std::string& from, const std::string& to) {
      text.replace(text.find(from), from.size(), to);
    };
    replace("name  = \"toy\"", "name = \"" + name + "\"");
    replace("a * sin(x + c)", theory);
    fs::copy_file(source("examples/toy.csv"), path("toy.csv"), fs::copy_options::overwrite_existing);
    write(name + ".toml", text);
    return name + ".toml";
  }
};

TEST_F(Forward, SimulatesWithoutData) {
  expect_done({"simulate", fixture("pendulum"), "--theta", "g=10", "--start", "angle=0.3,velocity=0",
               "--horizon", "3", "--step", "0.1", "--no-bands", "-o", "out"});
  const DataTable table = read_table(path("out/simulation.csv"));
  ASSERT_EQ(table.n_rows(), 31U);
  EXPECT_EQ(table.find("state.angle")->at(0), 0.3);
  EXPECT_EQ(table.find("state.velocity")->at(0), 0);
  for (const char* name : {"cos_angle", "velocity", "theory.velocity", "network.velocity"})
    ASSERT_NE(table.find(name), nullptr) << name;
  for (std::size_t row = 0; row < table.n_rows(); ++row)
    EXPECT_NEAR(table.find("cos_angle")->at(row), std::cos(table.find("state.angle")->at(row)), 1e-12);
  for (const char* file : {"out/simulation.npz", "out/simulation.svg", "out/simulation.png"})
    EXPECT_TRUE(fs::exists(path(file))) << file;
}

TEST_F(Forward, SimulatesWhatAnEncoderSaw) {
  const auto json =
      expect_json({"simulate", fixture("predator-prey"), "--theta", "alpha=0.7,beta=1,gamma=0.5,delta=1",
                   "--start", "0", "--horizon", "12", "--no-bands", "-o", "out", "--json"});
  EXPECT_EQ(json["end"].get<double>() - json["start"].get<double>(), 12);
  expect_wrong_input({"simulate", fixture("predator-prey"), "--theta", "alpha=0.7,beta=1,gamma=0.5,delta=1",
                      "--start", "prey=1,predator=1", "--horizon", "3", "--no-bands"},
                     "the network `encoder` reads the window");
}

TEST_F(Forward, RefusesStartsThatCannotBeRead) {
  const auto from = [](const std::string& start) {
    return std::vector<std::string>{"simulate", fixture("pendulum"), "--theta", "g=10",      "--horizon",
                                    "1",        "--start",           start,     "--no-bands"};
  };
  expect_wrong_input(from("angle=0.3,velocity"), "not name=value");
  expect_wrong_input(from("angle=0.3"), "no value is given for the state `velocity`");
  expect_wrong_input(from("nowhere"), "not name=value, nor the number of a window");
  expect_wrong_input(from("1000"), "there is no window 1000");
  expect_wrong_input(from("nowhere:1"), "the data have no series `nowhere`");
  expect_wrong_input({"simulate", fixture("toy"), "--start", "y=1"}, "no [state] to simulate");
}

TEST_F(Forward, PredictsAtTheOriginThatIsAskedFor) {
  expect_wrong_input({"predict", fixture("toy"), "--theta", "estimate"}, "holds no estimate");
  expect_wrong_input({"predict", fixture("toy"), "--theta", "posterior"}, "holds no distribution");
  expect_wrong_input({"predict", fixture("toy"), "--theta", "run"}, "has no θ of its own");
}

TEST_F(Forward, ExplainsAndWritesAModelToTrainAgain) {
  const ToolResult result = greybox({"explain", fixture("pendulum"), "--theta", "g=10", "--term",
                                     "velocity*cos(angle)", "--write", "new.toml", "-o", "out", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["shares"].size(), 2U);
  EXPECT_EQ(json["candidates"][1]["component"], "velocity");
  for (const char* file : {"out/explanation.json", "out/dependence.csv", "out/explanation.png"})
    EXPECT_TRUE(fs::exists(path(file))) << file;
  const ToolResult checked = greybox({"check", "new.toml"});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  expect_wrong_input({"explain", fixture("pendulum"), "--theta", "g=10", "--write", "new.toml"},
                     "a file of this name already");
  expect_wrong_input({"explain", fixture("pendulum"), "--theta", "g=10", "--term", "sin(", "-o", "out"},
                     "--term");
  expect_wrong_input({"explain", fixture("reaction-diffusion"), "--theta", "a=0.0015,b=0.005"}, "fields");
}

TEST_F(Forward, ComparesTheories) {
  const std::string phase = write_toy("phase", "a * sin(x + c)"), line = write_toy("line", "a * x + c");
  const std::vector<std::string> compare = {"compare", phase, line, "--epochs", "30", "-o", "out"};
  const ToolResult result = greybox(compare);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("behind the best"), std::string::npos) << result.out;
  for (const char* file :
       {"out/theories.csv", "out/theories.json", "out/theories.png", "out/phase/weights.npz"})
    EXPECT_TRUE(fs::exists(path(file))) << file;
  const ToolResult again = greybox({"compare", "out/phase", "out/line", "-o", "again", "--json"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(nlohmann::json::parse(again.out)["theories"].size(), 2U);
  expect_wrong_input({"compare", phase, line, "--trials", "3"}, "--trials");
}

}  // namespace
}  // namespace greybox::test
