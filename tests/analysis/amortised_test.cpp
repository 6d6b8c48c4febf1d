#include "analysis/estimate/amortised.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "analysis/estimate/estimator_snippet.hpp"
#include "analysis/trained_toy.hpp"
#include "data/npz.hpp"
#include "greybox/predict.hpp"
#include "greybox/run.hpp"
#include "model/loaded_model.hpp"

namespace greybox::test {
namespace {

std::map<std::string, std::vector<double>> arrays_of(const std::filesystem::path& file) {
  std::map<std::string, std::vector<double>> arrays;
  for (const auto& [name, array] : read_npz(file)) arrays[name] = array.to_doubles();
  return arrays;
}

class AmortisedToy : public TrainedToy {
 protected:
  // The toy with the estimator that the refusal recommends.
  std::filesystem::path trained_with_estimator(const std::string& epochs = "300") {
    TrainOptions options;
    options.model = model("epochs = " + epochs + "\nbatch = 10\nrate = [1e-2, 1e-4]");
    const auto spec = std::make_shared<const ModelSpec>(read_model_spec(options.model));
    const std::string snippet = estimator_snippet(*bind_model(spec, nullptr));
    std::string text = bytes_of(options.model);
    text.insert(text.find("[regularizers]"), snippet + "\n");
    options.model = write("model.toml", text);
    options.run = path("run");
    options.n_threads = 1;
    options.overwrite = true;
    train(options);
    return options.run;
  }
  static EstimateOptions options(const std::filesystem::path& run) {
    EstimateOptions options;
    options.run = run;
    options.regularizer = "normD";
    options.amortised = true;
    options.rate = {1e-3, 1e-3};
    options.n_threads = 1;
    return options;
  }
};

TEST_F(AmortisedToy, IsTrainedKeptAndAppliedAgain) {
  const std::filesystem::path run = trained_with_estimator();
  const EstimateReport first = estimate(options(run));
  EXPECT_EQ(first.run, path("run-amortised"));
  EXPECT_EQ(first.estimates.size(), 18U);
  const auto json = nlohmann::json::parse(first.json);
  EXPECT_NEAR(json.at("theta_mean").at("a").get<double>(), std::sqrt(2.0), 0.3);
  EXPECT_FALSE(json.contains("theta"));

  const EstimateReport again = estimate(options(first.run));
  EXPECT_TRUE(has(again.note, "trained already"));
  for (std::size_t i = 0; i < 18; ++i) EXPECT_EQ(first.estimates[i].theta, again.estimates[i].theta);
  EXPECT_EQ(read_run(first.run).ledger.back().command, "estimate");
  EXPECT_EQ(read_run(first.run).mode, TrainMode::adaptive);

  PredictOptions predicted;
  predicted.run = first.run;
  predicted.data = path("data.csv");
  predicted.use_estimator = true;
  EXPECT_LT(predict(predicted).rmse, 0.3);
}

TEST_F(AmortisedToy, LowersRAndMovesTheEstimatorAlone) {
  const std::filesystem::path run = trained_with_estimator("50");
  estimate(options(run));
  const auto before = arrays_of(run / "weights.npz"), after = arrays_of(path("run-amortised/weights.npz"));
  for (const auto& [name, values] : before) {
    if (name.starts_with("guess."))
      EXPECT_NE(values, after.at(name)) << name;
    else
      EXPECT_EQ(values, after.at(name)) << name;
  }
  const Table curves = read_table(path("run-amortised/curves.csv"));
  ASSERT_EQ(curves.n_rows(), 50U);
  EXPECT_LT(curves.find("R")->at(49), 0.5 * curves.find("R")->at(0));
}

TEST_F(AmortisedToy, OrdinaryTrainingLeavesTheEstimatorAlone) {
  const auto one = arrays_of(trained_with_estimator("1") / "weights.npz");
  const auto three = arrays_of(trained_with_estimator("3") / "weights.npz");
  EXPECT_EQ(one.at("guess.0.weight"), three.at("guess.0.weight"));
  EXPECT_NE(one.at("fD.0.weight"), three.at("fD.0.weight"));
}

TEST_F(AmortisedToy, TakesOtherDataAndGridPoints) {
  EstimateOptions asked = options(trained_with_estimator("50"));
  asked.on = write("other.csv", toy_data(25)).string();
  EXPECT_EQ(estimate(asked).estimates.size(), 25U);
  asked.run = path("run-amortised");
  asked.on = "train";
  EXPECT_EQ(estimate(asked).n_windows, 24U);
  asked.on = "x=-3:3:30";
  const EstimateReport report = estimate(asked);
  EXPECT_EQ(report.n_windows, 30U);
  EXPECT_TRUE(std::isnan(report.estimates[0].loss));
}

TEST_F(AmortisedToy, IsNotTrainedTwiceByAccident) {
  EstimateOptions asked = options(trained_with_estimator("5"));
  asked.epochs = 2;
  estimate(asked);
  const std::string said = refusal([&] { estimate(asked); });
  EXPECT_TRUE(has(said, "trained already")) << said;
  asked.overwrite = true;
  EXPECT_EQ(refusal([&] { estimate(asked); }), "");
}

TEST_F(AmortisedToy, AModelWithoutEstimatorIsToldWhatToAdd) {
  const std::string said = refusal([&] { estimate(options(trained("epochs = 5\nbatch = 10"))); });
  EXPECT_TRUE(has(said, "no [estimator]")) << said;
  EXPECT_TRUE(has(said, "a = \"2 * sigmoid(guess.a)\"")) << said;
  EXPECT_TRUE(has(said, "inputs  = [\"x\"]")) << said;
}

TEST_F(AmortisedToy, MistakesAreRefused) {
  EstimateOptions asked = options(trained_with_estimator("5"));
  asked.epochs = 0;
  EXPECT_TRUE(has(refusal([&] { estimate(asked); }), "--epochs"));
  asked.epochs = 1;
  asked.rate = {0, 1};
  EXPECT_TRUE(has(refusal([&] { estimate(asked); }), "--rate"));
  EXPECT_FALSE(std::filesystem::exists(path("run-amortised")));
}

// Recorded from the loop that trained estimators before there was one loop for everything; vector widths
// differ in the last bits.
TEST_F(AmortisedToy, GivesTheRecordedNumbers) {
  EstimateOptions asked = options(trained_with_estimator("5"));
  asked.epochs = 3;
  asked.rate = {1e-2, 1e-3};
  asked.overwrite = true;
  const auto sum = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  const std::array<double, 3> loss{0.54873870028720495, 0.90632335165825417, 0.97406212484576338},
      regularizer{0.059475180800762424, 0.042877654675033426, 0.038504378708811446};
  for (bool is_single : {false, true}) {
    asked.single_precision = is_single;
    const double tolerance = is_single ? 1e-6 : 1e-12;
    estimate(asked);
    const auto weights = arrays_of(path("run-amortised/weights.npz"));
    EXPECT_NEAR(sum(weights.at("guess.0.weight")), -1.0049139931388789, tolerance);
    EXPECT_NEAR(sum(weights.at("guess.2.weight")), -0.29465036659657134, tolerance);
    EXPECT_NEAR(sum(weights.at("fD.0.weight")), -1.4401414282619953, 1e-6);
    const Table curves = read_table(path("run-amortised/curves.csv"));
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(curves.find("L")->at(i), loss[i], tolerance);
      EXPECT_NEAR(curves.find("R")->at(i), regularizer[i], tolerance);
    }
  }
}

TEST_F(AmortisedToy, ContinuesAfterAnInterruptionToTheSameBits) {
  EstimateOptions asked = options(trained_with_estimator("5"));
  asked.epochs = 6;
  estimate(asked);
  const std::string weights = bytes_of(path("run-amortised/weights.npz")),
                    curves = bytes_of(path("run-amortised/curves.csv"));
  std::filesystem::remove_all(path("run-amortised"));

  std::atomic<bool> cancel = false;
  std::size_t n_reports = 0;
  asked.cancel = &cancel;
  asked.on_epoch = [&](const EpochReport& report) {
    ++n_reports;
    cancel = report.epoch == 4;
  };
  try {
    estimate(asked);
    FAIL() << "was not interrupted";
  } catch (const Interruption& interruption) {
    EXPECT_STREQ(interruption.what(), "interrupted after 4 of 6 epochs; the same command continues");
  }
  EXPECT_FALSE(std::filesystem::exists(path("run-amortised/run.json")));
  cancel = false;

  EstimateOptions other = asked;
  other.seed = 1;
  EXPECT_TRUE(has(refusal([&] { estimate(other); }), "a training with other options"));
  EXPECT_EQ(estimate(asked).outcome, TrainOutcome::finished);
  EXPECT_EQ(n_reports, 6U);
  EXPECT_EQ(bytes_of(path("run-amortised/weights.npz")), weights);
  EXPECT_EQ(bytes_of(path("run-amortised/curves.csv")), curves);
}

TEST_F(AmortisedToy, DivergenceIsAnOutcome) {
  std::string text = bytes_of(trained_with_estimator("5") / "model.toml");
  text.insert(text.find("\nbatch"), "\nclip_norm = inf\nclip_value = inf");
  write("run/model.toml", text);
  EstimateOptions asked = options(path("run"));
  asked.rate = {1e200, 1e200};
  asked.single_precision = true;
  const EstimateReport report = estimate(asked);
  EXPECT_EQ(report.outcome, TrainOutcome::diverged);
  EXPECT_TRUE(has(report.message, "training the estimator diverged in epoch 1, step 2 of 3: window "))
      << report.message;
  EXPECT_TRUE(report.estimates.empty());
  EXPECT_FALSE(std::filesystem::exists(path("run-amortised/checkpoint.npz")));
  asked.rate = {1e-3, 1e-3};
  EXPECT_EQ(estimate(asked).outcome, TrainOutcome::finished);
}

}  // namespace
}  // namespace greybox::test
