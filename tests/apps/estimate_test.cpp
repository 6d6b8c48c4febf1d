// `greybox estimate` on the toy: what it prints and keeps, and what it refuses.
#include "apps/trained_run.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

namespace fs = std::filesystem;

class EstimateCommand : public TrainedRun {
 protected:
  nlohmann::json kept(const std::string& run = "run") const {
    return nlohmann::json::parse(bytes_of(path(run + "/estimates.json")));
  }
};

TEST_F(EstimateCommand, KeepsEveryEstimate) {
  train_toy();
  const auto first = expect_json({"estimate", "run", "--regularizer", "normD", "--json"});
  expect_json({"estimate", "run", "--regularizer", "centred", "--on", "train+test", "--json"});
  const auto estimates = kept();
  ASSERT_EQ(estimates.size(), 2U);
  EXPECT_EQ(estimates[0]["theta"], first["theta"]);
  EXPECT_EQ(estimates[1]["regularizer"], "centred");
  EXPECT_EQ(estimates[1]["on"], "train+test");
  EXPECT_EQ(estimates[1]["options"]["on"], "train+test");
}

TEST_F(EstimateCommand, LosesNoneOfSeveralAtTheSameTime) {
  train_toy();
  const ToolResult result =
      run("sh", {"-c", "for i in 1 2 3 4 5 6; do '" + std::string(kTool) +
                           "' estimate run --regularizer normD --seed $i >/dev/null & done; wait"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(kept().size(), 6U);
}

TEST_F(EstimateCommand, LeavesAFileAloneThatIsNoList) {
  train_toy();
  write("run/estimates.json", "{\"mine\": 1}");
  const ToolResult result = greybox({"estimate", "run", "--regularizer", "normD"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.err.find("estimates.json: error: this is not a list"), std::string::npos) << result.err;
  EXPECT_EQ(bytes_of(path("run/estimates.json")), "{\"mine\": 1}");
}

TEST_F(EstimateCommand, TellsOfEachWindow) {
  train_toy();
  const std::string text = expect_done({"estimate", "run", "--regularizer", "normD", "--on", "each"});
  EXPECT_NE(text.find("mean ± sd over the windows"), std::string::npos) << text;
  EXPECT_TRUE(fs::exists(path("run/estimates.csv")));
  EXPECT_FALSE(kept()[0].contains("theta"));
  EXPECT_TRUE(kept()[0].contains("theta_mean"));
}

TEST_F(EstimateCommand, TakesGridPointsOfTheInputs) {
  train_toy();
  const auto json =
      expect_json({"estimate", "run", "--regularizer", "normD", "--on", "x=-3:3:200", "--json"});
  EXPECT_EQ(json["windows"], 200);
  EXPECT_TRUE(json["L"].is_null());
  const std::string text = expect_done({"estimate", "run", "--regularizer", "normD", "--on", "x=-3:3:200"});
  EXPECT_EQ(text.find("RMSE"), std::string::npos) << text;
}

TEST_F(EstimateCommand, TrainsAnEstimatorAndAppliesIt) {
  train_toy(/*has_estimator=*/true);
  const ToolResult trained = greybox(
      {"estimate", "run", "--regularizer", "normD", "--amortised", "--epochs", "5", "--rate", "1e-3"});
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
  for (const char* name :
       {"model.toml", "weights.npz", "run.json", "curves.csv", "estimates.csv", "estimates.json"})
    EXPECT_TRUE(fs::exists(path("run-amortised") / name)) << name;
  const ToolResult applied = greybox({"estimate", "run-amortised", "--regularizer", "normD", "--amortised"});
  EXPECT_EQ(applied.out, trained.out);
  EXPECT_NE(applied.err.find("is trained already"), std::string::npos) << applied.err;
  expect_done({"predict", "run-amortised", "--theta", "estimator"});
}

TEST_F(EstimateCommand, RefusesWhatMakesNoSense) {
  train_toy();
  const auto with = [](std::vector<std::string> more) {
    std::vector<std::string> all = {"estimate", "run", "--regularizer", "normD"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  expect_wrong_input({"estimate", "run", "--regularizer", "normE"}, "did you mean `normD`?");
  expect_wrong_input(with({"--on", "tset"}), "did you mean `test`?");
  expect_wrong_input(with({"--on", "z=0:1:5"}), "the model reads no column `z`");
  expect_wrong_input(with({"--rate", "fast"}), "neither a rate nor a pair");
  expect_wrong_input(with({"--steps", "0"}), "--steps");
  expect_wrong_input(with({"--starts", "-1"}), "negative");
  expect_wrong_input(with({"--amortised"}), "outputs = [\"a\", \"c\"]");
  expect_wrong_input({"estimate", "nowhere", "--regularizer", "normD"}, "nowhere");
}

TEST_F(EstimateCommand, RefusesWhatIsNotThereOrNotFinished) {
  train_toy();
  const std::vector<std::string> estimate = {"estimate", "run", "--regularizer", "normD", "--on", "test"};
  std::string text = bytes_of(path("run/model.toml"));
  std::string record = bytes_of(path("run/run.json"));
  const std::string whole = "{ train = \"1/3\", validation = \"1/3\", test = \"1/3\", by = \"window\" }";
  ASSERT_NE(text.find(whole), std::string::npos);
  write("run/model.toml", text.replace(text.find(whole), whole.size(), "{ train = 1, by = \"window\" }"));
  expect_wrong_input(estimate, "there are no windows in `test`");
  const std::string finished = "\"finished\": true";
  write("run/run.json", record.replace(record.find(finished), finished.size(), "\"finished\": false"));
  expect_wrong_input(estimate, "did not finish");
}

}  // namespace
}  // namespace greybox::test
