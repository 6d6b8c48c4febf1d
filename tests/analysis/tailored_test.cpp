// What is asked of networks that learned in mode tailored.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "greybox/compare.hpp"
#include "greybox/predict.hpp"
#include "train/toy.hpp"

namespace greybox {
namespace {

class TailoredToy : public test::ToyFolder {
 protected:
  TailoredToy() {
    model(
        "regularizer = \"normD\"\nlambda = 0.01\nepochs = 30\nbatch = 5\nrate = 1e-2\ntailored = { steps = "
        "2, "
        "rate = 0.05 }");
  }
  Run trained(TrainMode mode, const std::optional<std::string>& regularizer = {}) const {
    TrainOptions options;
    options.mode = mode;
    options.regularizer = regularizer;
    options.folder = path("run");
    options.execution.n_threads = 1;
    return train(Model::read(path("model.toml")), options);
  }
  static Prediction predicted(const Run& run, ThetaFrom origin = ThetaFrom::automatic) {
    return predict(run, {.theta_from = origin, .execution = {.n_threads = 1}});
  }
};

// By the steps of the training, from the θ that it found.
TEST_F(TailoredToy, PredictionsAdaptToEachWindow) {
  const Run run = trained(TrainMode::tailored);
  const Prediction prediction = predicted(run);
  const Theta start = run.record()->theta;
  std::set<double> values;
  for (std::size_t i = 0; i < prediction.n_windows; ++i) values.insert(prediction.theta[2 * i]);
  EXPECT_GT(values.size(), prediction.n_windows / 2);
  const Prediction at_start = predicted(run, ThetaFrom::run);
  EXPECT_EQ(at_start.theta[0], start.at("a"));
  EXPECT_LT(prediction.regularizers.at(0).second, at_start.regularizers.at(0).second);
  EXPECT_EQ(predicted(run, ThetaFrom::tailored).theta, prediction.theta);
  EXPECT_EQ(predicted(Run::open(path("run"))).theta, prediction.theta);
}

// Also by a regularizer that the model file does not have.
TEST_F(TailoredToy, PredictionsFollowTheRegularizerOfTheTraining) {
  const Run run = trained(TrainMode::tailored, "mean(norm2(network)) + 0.1*(a - 1)^2");
  EXPECT_NE(predicted(run).theta, predicted(run, ThetaFrom::run).theta);
}

TEST_F(TailoredToy, OtherRunsHaveNoTailoredTheta) {
  const Run run = trained(TrainMode::adaptive);
  test::expect_option_refused([&] { predicted(run, ThetaFrom::tailored); }, "theta",
                              "was not trained in mode tailored");
}

TEST_F(TailoredToy, ComparesWithOtherModes) {
  CompareOptions request;
  request.modes = {TrainMode::inductive, TrainMode::tailored};
  request.lambdas = {0.01, 0.1};
  request.trials = 3;
  request.execution.n_threads = 1;
  const Comparison comparison = compare(Model::read(path("model.toml")), request);
  ASSERT_EQ(comparison.rows.size(), 4U);
  for (const ComparedRow& row : comparison.rows) {
    EXPECT_EQ(row.trials, 3U);
    EXPECT_TRUE(std::isfinite(row.loss.standard_error)) << row.mode;
  }
  EXPECT_EQ(comparison.rows[2].mode, "tailored");
}

}  // namespace
}  // namespace greybox
