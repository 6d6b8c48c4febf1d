// `greybox predict` on the fixtures: what it writes, and what it refuses.
#include "apps/run_tool.hpp"
#include "data/npz.hpp"
#include "data/table.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

namespace fs = std::filesystem;

std::string fixture(const std::string& name) {
  return std::string(kSourceFolder) + "/tests/fixtures/" + name;
}

class Predict : public ToolTest {
 protected:
  // A run folder of the toy that a test may spoil.
  void copy_toy() const { fs::copy(fixture("toy"), path("run")); }

  // Python with numpy: a virtual environment's python3 may lack what the system's has.
  std::string python_with_numpy() const {
    for (const char* python : {"python3", "/usr/bin/python3"})
      if (run(python, {"-c", "import numpy"}).exit_code == 0) return python;
    return "";
  }
};

TEST_F(Predict, PrintsTheResult) {
  const std::string text = expect_done({"predict", fixture("toy"), "--theta", "a=1,c=0.2"});
  EXPECT_TRUE(text.starts_with("13 windows, 1 output time\nRMSE ")) << text;
  EXPECT_NE(text.find("\nR centred = "), std::string::npos) << text;
}

TEST_F(Predict, PrintsTheResultAsJson) {
  const auto json = expect_json(
      {"predict", fixture("pendulum"), "--theta", "g=10", "--regularizer", "mean(g^2)", "--json"});
  EXPECT_EQ(json["windows"], 7);
  EXPECT_EQ(json["steps"], 10);
  EXPECT_GT(json["rmse"], 0);
  EXPECT_EQ(json["R"].size(), 4u);
  EXPECT_EQ(json["R"]["mean(g^2)"], 100);
}

TEST_F(Predict, DrawsCurves) {
  fs::copy(fixture("pendulum"), path("run"), fs::copy_options::recursive);
  const std::string told = expect_done({"predict", "run", "--theta", "g=10", "--picture"});
  EXPECT_NE(told.find("run/predict/predictions.svg\n"), std::string::npos) << told;
  const std::string svg = bytes_of(path("run/predict/predictions.svg"));
  EXPECT_NE(svg.find(">predicted<"), std::string::npos);
  EXPECT_NE(svg.find(">At g = 10<"), std::string::npos);
  const auto json =
      expect_json({"predict", "run", "--theta", "g=10", "--picture", "--width", "85mm", "--json"});
  EXPECT_EQ(json["files"].size(), 3U);
}

TEST_F(Predict, SaysWhyThereIsNoPictureOfFields) {
  fs::copy(fixture("reaction-diffusion"), path("run"), fs::copy_options::recursive);
  const ToolResult result = greybox({"predict", "run", "--theta", "a=0.0015,b=0.005", "--picture"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("predictions of fields are no curves"), std::string::npos) << result.err;
}

TEST_F(Predict, WritesArrays) {
  expect_done({"predict", fixture("reaction-diffusion"), "--theta", "a=0.0015,b=0.005", "-o", "out.npz"});
  std::map<std::string, std::vector<std::size_t>> shapes;
  for (const auto& [name, array] : read_npz(path("out.npz"))) shapes[name] = array.shape;
  const std::vector<std::size_t> field = {3, 3, 9, 7};
  for (const char* name : {"u", "v", "theory.u", "theory.v", "network.u", "network.v", "state.u", "state.v"})
    EXPECT_EQ(shapes.at(name), field);
  for (const char* name : {"R.normD", "R.product", "rmse", "nrmse"}) EXPECT_EQ(shapes.at(name).size(), 0u);
  EXPECT_EQ(shapes.at("theta"), (std::vector<std::size_t>{3, 2}));
}

TEST_F(Predict, WritesArraysThatNumpyReads) {
  const std::string python = python_with_numpy();
  if (python.empty()) GTEST_SKIP() << "python3-numpy is not installed";
  expect_done({"predict", fixture("pendulum"), "--theta", "g=10", "-o", "out.npz"});
  const ToolResult result = run(python, {"-c", R"(
import numpy
out = numpy.load("out.npz")
for name in ("cos_angle", "sin_angle", "velocity", "theory.angle", "theory.velocity", "network.angle", "network.velocity"):
    assert out[name].shape == (7, 10), (name, out[name].shape)
    assert numpy.isfinite(out[name]).all(), name
assert numpy.allclose(out["cos_angle"]**2 + out["sin_angle"]**2, 1)
assert float(out["R.both"]) == float(out["R.normD"]) + float(out["R.corr"])
assert out["theta"].shape == (7, 1) and (out["theta"] == 10).all()
)"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(Predict, WritesATableThatReadsBack) {
  for (const char* output : {"out.npz", "out.csv"})
    expect_done({"predict", fixture("pendulum"), "--theta", "g=10", "-o", output});
  const DataTable table = read_table(path("out.csv"), {.series_column = "window"});
  EXPECT_EQ(table.series.size(), 7u);
  std::size_t n_compared = 0;
  for (const auto& [name, array] : read_npz(path("out.npz"))) {
    if (array.shape.size() != 2 || name == "theta") continue;
    ASSERT_NE(table.find(name), nullptr) << name;
    for (std::size_t row = 0; row < 70; ++row)
      EXPECT_EQ(table.find(name)->at(row), array.to_doubles()[row]) << name;
    ++n_compared;
  }
  EXPECT_EQ(n_compared, 9u);
}

TEST_F(Predict, RefusesWrongParameters) {
  const auto with_theta = [](const std::string& theta) {
    return std::vector<std::string>{"predict", fixture("toy"), "--theta", theta};
  };
  expect_wrong_input(with_theta("a=1"), "`c`");
  expect_wrong_input(with_theta("a=1,c=1,d=1"), "no parameter `d`");
  expect_wrong_input(with_theta("a=3,c=1"), "outside its bounds");
  expect_wrong_input(with_theta("a=nan,c=1"), "outside its bounds");
  expect_wrong_input(with_theta("a=1,c=x"), "not a number");
  expect_wrong_input(with_theta("a=1,c=1,"), "not name=value");
  expect_wrong_input(with_theta("a=1,a=1,c=1"), "given twice");
  expect_wrong_input(with_theta("a"), "not name=value");
  expect_wrong_input(with_theta("estimator"), "no [estimator]");
}

TEST_F(Predict, RefusesWhatIsNoRun) {
  expect_wrong_input({"predict", "nowhere", "--theta", "a=1,c=0"},
                     "nowhere: error: this is not a run folder");
  expect_wrong_input({"predict", path("").string(), "--theta", "a=1,c=0"}, "no model.toml");
  expect_wrong_input({"predict", fixture("toy/model.toml"), "--theta", "a=1,c=0"}, "not a run folder");
}

TEST_F(Predict, RefusesWrongData) {
  const std::vector<std::string> base = {"predict", fixture("toy"), "--theta", "a=1,c=0", "--data"};
  const auto with_data = [&](const std::string& file) {
    std::vector<std::string> arguments = base;
    arguments.push_back(file);
    return arguments;
  };
  expect_wrong_input(with_data("nowhere.csv"), "nowhere.csv: error: there is no such file");
  expect_wrong_input(with_data(path("").string()), "this is a folder");
  write("other.csv", "p,q\n1,2\n");
  expect_wrong_input(with_data("other.csv"), "`x`");
}

TEST_F(Predict, RefusesWrongWeights) {
  copy_toy();
  const std::vector<std::string> predict = {"predict", "run", "--theta", "a=1,c=0"};
  expect_done(predict);
  const std::string good = bytes_of(path("run/weights.npz"));
  fs::copy_file(fixture("pendulum/weights.npz"), path("run/weights.npz"),
                fs::copy_options::overwrite_existing);
  expect_wrong_input(predict, "weights of another model");
  write("run/weights.npz", good.substr(0, good.size() / 2));
  expect_wrong_input(predict, "run/weights.npz");
  write("run/weights.npz", "");
  expect_wrong_input(predict, "run/weights.npz");
  fs::remove(path("run/weights.npz"));
  expect_wrong_input(predict, "no weights.npz");
}

TEST_F(Predict, RefusesOutputsThatCannotBe) {
  const auto to = [](const std::string& run, const std::string& theta, const std::string& output) {
    return std::vector<std::string>{"predict", fixture(run), "--theta", theta, "-o", output};
  };
  expect_wrong_input(to("toy", "a=1,c=0", "out.txt"), "neither npz nor csv");
  expect_wrong_input(to("reaction-diffusion", "a=0.0015,b=0.005", "out.csv"), ".npz");
  for (const char* output : {"no/out.csv", "no/out.npz"})
    expect_wrong_input(to("toy", "a=1,c=0", output), "no folder");
  for (const char* output : {"/proc/out.csv", "/proc/out.npz"})
    expect_failure(to("toy", "a=1,c=0", output), 1, "cannot write");
  EXPECT_TRUE(fs::is_empty(path("")));
}

}  // namespace
}  // namespace greybox::test
