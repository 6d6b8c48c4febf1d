// APHYNITY's scheme: a multiplier that grows with the loss, through trainings and their folders.
#include <nlohmann/json.hpp>

#include "train/multiplier.hpp"
#include "train/toy_training.hpp"
#include "train/trainer.hpp"

namespace greybox {
namespace {

constexpr const char* kScheme =
    "regularizer = \"normD\"\nlambda = 0.01\nepochs = 6\nbatch = 5\naphynity = { lambda0 = 2, tau = 5, every "
    "= 2 "
    "}";

TEST(Multiplier, GrowsByTheLossAtTheGivenEpochs) {
  const AphynitySpec scheme{.lambda0 = 1, .tau = 4, .every = 3};
  EXPECT_EQ(next_multiplier(scheme, 1, 1, 0.5), 1);
  EXPECT_EQ(next_multiplier(scheme, 1, 3, 0.5), 3);
  EXPECT_EQ(next_multiplier(scheme, 3, 6, 0), 3);
}

TEST(Multiplier, WeighsAsThePaperUpToAFactor) {
  for (double multiplier : {0.0, 0.25, 1.0, 40.0}) {
    const ObjectiveWeights weights = constrained_weights(multiplier);
    EXPECT_DOUBLE_EQ(weights.loss, multiplier * weights.regularizer);
    EXPECT_EQ(std::max(weights.loss, weights.regularizer), 1);
  }
}

class Aphynity : public test::ToyTraining {
 protected:
  TrainOptions aphynity(const std::string& run) const {
    TrainOptions request = options(run);
    request.mode = TrainMode::aphynity;
    return request;
  }
};

TEST_F(Aphynity, CurvesReportAndRecordTellTheMultiplier) {
  model(kScheme);
  std::vector<EpochReport> epochs;
  TrainOptions request = aphynity("run");
  request.execution.progress = [&](const ProgressReport& report) { epochs.push_back(*report.epoch); };
  const std::optional<RunRecord> report = train_toy(request).record();
  double multiplier = 2;
  for (const EpochReport& epoch : epochs) {
    EXPECT_EQ(epoch.multiplier, multiplier) << epoch.epoch;
    if (epoch.epoch % 2 == 0) multiplier += 5 * epoch.loss;
  }
  EXPECT_EQ(report->multiplier, multiplier);
  const auto record = nlohmann::json::parse(bytes_of(path("run/run.json")));
  EXPECT_EQ(record.at("multiplier"), multiplier);
  EXPECT_TRUE(record.at("options").at("lambda").is_null());
  EXPECT_EQ(record.at("options").at("aphynity").at("tau"), 5);
  EXPECT_TRUE(std::isnan(read_record(path("run")).options.lambda));
  EXPECT_EQ(report->theta.size(), 2U);
  EXPECT_NE(bytes_of(path("run/curves.csv")).find("rate,multiplier\n1,"), std::string::npos);
}

TEST_F(Aphynity, OtherModesHaveNoMultiplier) {
  model(kScheme);
  TrainOptions request = options("run");
  request.execution.progress = [](const ProgressReport& report) {
    EXPECT_TRUE(std::isnan(report.epoch->multiplier));
  };
  EXPECT_TRUE(std::isnan(train_toy(request).record()->multiplier));
  EXPECT_FALSE(nlohmann::json::parse(bytes_of(path("run/run.json"))).contains("multiplier"));
}

// With a multiplier that never moves, the scheme is inductive learning with λ = 1 / multiplier.
TEST_F(Aphynity, IsInductiveLearningWhileTheMultiplierStays) {
  model(
      "regularizer = \"normD\"\nlambda = 0.125\nepochs = 3\nbatch = 5\naphynity = { lambda0 = 8, every = 4 "
      "}");
  TrainOptions inductive = options("inductive");
  inductive.mode = TrainMode::inductive;
  train_toy(aphynity("aphynity"));
  train_toy(inductive);
  EXPECT_EQ(bytes_of(path("aphynity/weights.npz")), bytes_of(path("inductive/weights.npz")));
}

// The theory cannot explain the data, and R forbids the network to, until the loss weighs enough.
TEST_F(Aphynity, LowersTheLossAsTheMultiplierGrows) {
  const auto report_with = [&](const std::string& scheme, std::uint64_t seed) {
    model(
        "regularizer = \"normD\"\nepochs = 400\nbatch = 8\nrate = [1e-2, 1e-3]\naphynity = { lambda0 = "
        "0.1, " +
            scheme + " }",
        "a = { prior = \"uniform\", low = 0, high = 0.3 }\nc = { prior = \"uniform\", low = -1, high = 1 }");
    TrainOptions request = aphynity(scheme.substr(0, 3) + std::to_string(seed));
    request.seed = seed;
    return *train_toy(request).record();
  };
  for (std::uint64_t seed : {1, 2, 3}) {
    const RunRecord grown = report_with("tau = 1", seed), stuck = report_with("every = 1000", seed);
    EXPECT_GT(grown.multiplier, 1) << seed;
    EXPECT_EQ(stuck.multiplier, 0.1) << seed;
    EXPECT_LT(grown.loss, 0.2 * stuck.loss) << seed;
    EXPECT_GT(grown.regularizer, stuck.regularizer) << seed;
  }
}

TEST_F(Aphynity, RefusesWhatHasNoMeaning) {
  model(kScheme);
  TrainOptions request = aphynity("run");
  request.lambda = 0.5;
  test::expect_option_refused([&] { train_toy(request); }, "lambda", "λ has no meaning in mode aphynity");
  request = aphynity("run");
  request.regularizer = "";
  test::expect_option_refused([&] { train_toy(request); }, "regularizer", "there is none");
  EXPECT_FALSE(std::filesystem::exists(path("run")));
}

TEST_F(Aphynity, ARefitTakesLambdaFromTheModel) {
  model(kScheme);
  const Run run = train_toy(aphynity("run"));
  EXPECT_EQ(refit(run, {{"a", 1}, {"c", 0.25}}).record()->options.lambda, 0.01);
}

}  // namespace
}  // namespace greybox
