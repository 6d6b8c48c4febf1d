// `greybox sample` on the toy: what it writes, and what it refuses.
#include <csignal>
#include <thread>

#include "apps/trained_run.hpp"
#include "data/npz.hpp"

namespace greybox::test {
namespace {

namespace fs = std::filesystem;

using SampleCommand = TrainedRun;

TEST_F(SampleCommand, WritesWhatItPromises) {
  train_toy();
  const auto json = expect_json({"sample", "run", "--regularizer", "normD", "--beta", "20", "--json"});
  EXPECT_EQ(json["method"], "grid");
  EXPECT_EQ(json["parameters"].size(), 2U);
  for (const char* name : {"json", "npz", "svg", "png"})
    EXPECT_TRUE(fs::exists(path(std::string("run/sample/posterior.") + name))) << name;
  for (int chain = 1; chain <= 4; ++chain)
    EXPECT_TRUE(fs::exists(path("run/sample/chain-" + std::to_string(chain) + ".csv")));
  auto kept = nlohmann::json::parse(bytes_of(path("run/sample/posterior.json")));
  EXPECT_EQ(kept["parameters"], json["parameters"]);
  EXPECT_EQ(kept["sensitivity"].size(), 5U);
}

TEST_F(SampleCommand, RunsChainsAndPrintsATable) {
  train_toy();
  const ToolResult result =
      greybox({"sample", "run", "--regularizer", "normD", "--beta", "20", "--method", "nuts", "--draws",
               "200", "--warmup", "200", "--chains", "2", "-o", "out"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("2 chains of 200 draws after 200 of warm-up"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("R-hat"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("mean ± sd at other β"), std::string::npos) << result.out;
  for (const auto& [name, array] : read_npz(path("out/posterior.npz")))
    EXPECT_EQ(array.shape, (std::vector<std::size_t>{2, 200})) << name;
  EXPECT_FALSE(fs::exists(path("run/sample")));
}

// Where ArviZ is installed, it is the judge of the chains' form.
TEST_F(SampleCommand, WritesChainsThatArviZReads) {
  if (run("python3", {"-c", "import arviz"}).exit_code != 0) GTEST_SKIP() << "ArviZ is not installed";
  train_toy();
  greybox({"sample", "run", "--regularizer", "normD", "--beta", "20", "--method", "nuts", "--draws", "300"});
  const ToolResult result = run("python3", {"-c", R"(
import arviz, glob
data = arviz.from_cmdstan(sorted(glob.glob("run/sample/chain-*.csv")))
assert data.posterior["a"].shape == (4, 300), data.posterior["a"].shape
assert data.sample_stats["diverging"].shape == (4, 300)
)"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(SampleCommand, RefusesWhatMakesNoSense) {
  train_toy();
  const auto with = [](std::vector<std::string> more) {
    std::vector<std::string> all = {"sample", "run", "--regularizer", "normD"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  expect_wrong_input(with({}), "makes the median e times less likely");
  expect_wrong_input(with({"--beta", "0"}), "must be a positive number");
  expect_wrong_input(with({"--beta", "1", "--on", "nowhere.csv"}), "there is no data file nowhere.csv");
  expect_wrong_input(with({"--beta", "1", "--on", "x=1:2"}), "column=low:high:points");
  expect_wrong_input(with({"--beta", "1", "--chains", "0"}), "--chains");
  expect_wrong_input(with({"--beta", "1", "--draws", "-5"}), "negative");
  expect_wrong_input(with({"--beta", "1", "--method", "gibbs"}), "--method");
  expect_wrong_input({"sample", "run", "--regularizer", "norm", "--beta", "1"}, "no regularizer `norm`");
  expect_wrong_input({"sample", "nowhere", "--regularizer", "normD", "--beta", "1"}, "nowhere");
  EXPECT_FALSE(fs::exists(path("run/sample")));
}

TEST_F(SampleCommand, KeepsWhatItHasWhenInterrupted) {
  train_toy();
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::seconds(4));
    ::kill(running(), SIGINT);
  });
  const ToolResult result =
      greybox({"sample", "run", "--regularizer", "normD", "--beta", "20", "--method", "nuts", "--draws",
               "5000000", "--warmup", "50", "--chains", "4", "-o", "out"});
  stopper.join();
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_NE(result.err.find("4 chains of 5000050 steps on"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("interrupted: "), std::string::npos) << result.err;
  EXPECT_NE(result.out.find("R-hat"), std::string::npos) << result.out;
  EXPECT_TRUE(fs::exists(path("out/posterior.json")));
}

TEST_F(SampleCommand, UsesFewerWindows) {
  train_toy();
  const auto json =
      expect_json({"sample", "run", "--regularizer", "normD", "--beta", "20", "--sample", "7", "--json"});
  EXPECT_EQ(json["windows"], 7);
}

TEST_F(SampleCommand, DrawsAndNetworksAreBandsInPicturesOfPredictions) {
  train_toy();
  ASSERT_EQ(greybox({"train", "toy.toml", "-o", "other", "--epochs", "50", "--seed", "1"}).exit_code, 0);
  ASSERT_EQ(greybox({"sample", "run", "--regularizer", "normD", "--beta", "100"}).exit_code, 0);
  const ToolResult result =
      greybox({"predict", "run", "--theta", "posterior", "--picture", "--draws", "20", "--with", "other"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string svg = bytes_of(path("run/predict/predictions.svg"));
  EXPECT_NE(svg.find(">90 % of 20 draws of θ<"), std::string::npos);
  EXPECT_NE(svg.find(">range of 2 networks<"), std::string::npos);
}

}  // namespace
}  // namespace greybox::test
