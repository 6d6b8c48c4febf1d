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
#include "model/loaded_model.hpp"
#include "train/run_record.hpp"

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
  Run trained_with_estimator(const std::string& epochs = "300") {
    write_model_with_estimator(epochs);
    return trained_as(path("model.toml"), true);
  }
  void write_model_with_estimator(const std::string& epochs) const {
    const std::filesystem::path file = model("epochs = " + epochs + "\nbatch = 10\nrate = [1e-2, 1e-4]");
    const auto spec = std::make_shared<const ModelSpec>(read_model_spec(file));
    const std::string snippet = estimator_snippet(*bind_model(spec, nullptr));
    std::string text = bytes_of(file);
    text.insert(text.find("[regularizers]"), snippet + "\n");
    write("model.toml", text);
  }
  static EstimateOptions options() {
    EstimateOptions options;
    options.regularizer = "normD";
    options.amortised = true;
    options.rate = {1e-3, 1e-3};
    options.execution.n_threads = 1;
    return options;
  }
};

TEST_F(AmortisedToy, IsTrainedKeptAndAppliedAgain) {
  const Estimate first = estimate(trained_with_estimator(), options());
  ASSERT_TRUE(first.trained);
  EXPECT_EQ(first.trained->folder(), path("run-amortised"));
  EXPECT_EQ(first.windows.size(), 18U);
  const auto json = nlohmann::json::parse(to_json(first));
  EXPECT_NEAR(json.at("theta_mean").at("a").get<double>(), std::sqrt(2.0), 0.3);
  EXPECT_FALSE(json.contains("theta"));

  const Run kept = Run::open(path("run-amortised"));
  const Estimate again = estimate(kept, options());
  EXPECT_TRUE(has(again.note, "trained already"));
  for (std::size_t i = 0; i < 18; ++i) EXPECT_EQ(first.windows[i].theta, again.windows[i].theta);
  EXPECT_EQ(read_record(path("run-amortised")).ledger.back().command, "estimate");
  EXPECT_EQ(read_record(path("run-amortised")).options.mode, TrainMode::adaptive);

  EXPECT_LT(predict(kept).rmse, 0.3);  // θ of the estimator, all windows
}

TEST_F(AmortisedToy, LowersRAndMovesTheEstimatorAlone) {
  estimate(trained_with_estimator("50"), options());
  const auto before = arrays_of(path("run/weights.npz")),
             after = arrays_of(path("run-amortised/weights.npz"));
  for (const auto& [name, values] : before) {
    if (name.starts_with("guess."))
      EXPECT_NE(values, after.at(name)) << name;
    else
      EXPECT_EQ(values, after.at(name)) << name;
  }
  const DataTable curves = read_table(path("run-amortised/curves.csv"));
  ASSERT_EQ(curves.n_rows(), 50U);
  EXPECT_LT(curves.find("R")->at(49), 0.5 * curves.find("R")->at(0));
}

TEST_F(AmortisedToy, OrdinaryTrainingLeavesTheEstimatorAlone) {
  trained_with_estimator("1");
  const auto one = arrays_of(path("run/weights.npz"));
  trained_with_estimator("3");
  const auto three = arrays_of(path("run/weights.npz"));
  EXPECT_EQ(one.at("guess.0.weight"), three.at("guess.0.weight"));
  EXPECT_NE(one.at("fD.0.weight"), three.at("fD.0.weight"));
}

TEST_F(AmortisedToy, TakesOtherDataAndGridPoints) {
  EstimateOptions asked = options();
  asked.data = Table::read(write("other.csv", toy_data(25)));
  EXPECT_EQ(estimate(trained_with_estimator("50"), asked).windows.size(), 25U);
  const Run kept = Run::open(path("run-amortised"));
  asked.data.reset();
  asked.on = Splits{{Split::train}};
  EXPECT_EQ(estimate(kept, asked).n_windows, 24U);
  asked.on = Points{{{"x", -3, 3, 30}}};
  const Estimate report = estimate(kept, asked);
  EXPECT_EQ(report.n_windows, 30U);
  EXPECT_TRUE(std::isnan(report.windows[0].loss));
}

TEST_F(AmortisedToy, IsNotTrainedTwiceByAccident) {
  const Run run = trained_with_estimator("5");
  EstimateOptions asked = options();
  asked.epochs = 2;
  estimate(run, asked);
  const std::string said = refusal([&] { estimate(run, asked); });
  EXPECT_TRUE(has(said, "trained already")) << said;
  asked.overwrite = true;
  EXPECT_EQ(refusal([&] { estimate(run, asked); }), "");
}

TEST_F(AmortisedToy, AModelWithoutEstimatorIsToldWhatToAdd) {
  const std::string said = refusal([&] { estimate(trained("epochs = 5\nbatch = 10"), options()); });
  EXPECT_TRUE(has(said, "no [estimator]")) << said;
  EXPECT_TRUE(has(said, "a = \"2 * sigmoid(guess.a)\"")) << said;
  EXPECT_TRUE(has(said, "inputs  = [\"x\"]")) << said;
}

TEST_F(AmortisedToy, MistakesAreRefused) {
  const Run run = trained_with_estimator("5");
  EstimateOptions asked = options();
  asked.epochs = 0;
  EXPECT_TRUE(has(refusal([&] { estimate(run, asked); }), "option `epochs`"));
  asked.epochs = 1;
  asked.rate = {0, 1};
  EXPECT_TRUE(has(refusal([&] { estimate(run, asked); }), "option `rate`"));
  EXPECT_FALSE(std::filesystem::exists(path("run-amortised")));
}

// Recorded from the loop that trained estimators before there was one loop for everything; processors differ
// in the last bits of the run's weights, which are single.
TEST_F(AmortisedToy, GivesTheRecordedNumbers) {
  const Run run = trained_with_estimator("5");
  EstimateOptions asked = options();
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
    const double tolerance = is_single ? 1e-6 : 1e-7;
    estimate(run, asked);
    const auto weights = arrays_of(path("run-amortised/weights.npz"));
    EXPECT_NEAR(sum(weights.at("guess.0.weight")), -1.0049139931388789, tolerance);
    EXPECT_NEAR(sum(weights.at("guess.2.weight")), -0.29465036659657134, tolerance);
    EXPECT_NEAR(sum(weights.at("fD.0.weight")), -1.4401414282619953, 1e-6);
    const DataTable curves = read_table(path("run-amortised/curves.csv"));
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(curves.find("L")->at(i), loss[i], tolerance);
      EXPECT_NEAR(curves.find("R")->at(i), regularizer[i], tolerance);
    }
  }
}

TEST_F(AmortisedToy, ContinuesAfterAnInterruptionToTheSameBits) {
  const Run run = trained_with_estimator("5");
  EstimateOptions asked = options();
  asked.epochs = 6;
  estimate(run, asked);
  const std::string weights = bytes_of(path("run-amortised/weights.npz")),
                    curves = bytes_of(path("run-amortised/curves.csv"));
  std::filesystem::remove_all(path("run-amortised"));

  std::atomic<bool> cancel = false;
  std::size_t n_reports = 0;
  asked.execution.cancel = &cancel;
  asked.execution.progress = [&](const ProgressReport& report) {
    if (report.epoch == nullptr) return;
    ++n_reports;
    cancel = report.epoch->epoch == 4;
  };
  try {
    estimate(run, asked);
    FAIL() << "was not interrupted";
  } catch (const Interruption& interruption) {
    EXPECT_STREQ(interruption.what(), "interrupted after 4 of 6 epochs; the same call continues");
  }
  EXPECT_FALSE(read_record(path("run-amortised")).is_finished());
  cancel = false;

  EstimateOptions other = asked;
  other.seed = 1;
  EXPECT_TRUE(has(refusal([&] { estimate(run, other); }), "a training with other options"));
  EXPECT_EQ(estimate(run, asked).trained->outcome(), TrainOutcome::finished);
  EXPECT_EQ(n_reports, 6U);
  EXPECT_EQ(bytes_of(path("run-amortised/weights.npz")), weights);
  EXPECT_EQ(bytes_of(path("run-amortised/curves.csv")), curves);
}

TEST_F(AmortisedToy, DivergenceIsAnOutcome) {
  trained_with_estimator("5");
  std::string text = bytes_of(path("run/model.toml"));
  text.insert(text.find("\nbatch"), "\nclip_norm = inf\nclip_value = inf");
  write("run/model.toml", text);
  const Run run = Run::open(path("run"));
  EstimateOptions asked = options();
  asked.rate = {1e200, 1e200};
  asked.single_precision = true;
  const Estimate report = estimate(run, asked);
  ASSERT_TRUE(report.trained);
  EXPECT_EQ(report.trained->outcome(), TrainOutcome::diverged);
  EXPECT_TRUE(
      has(report.trained->message(), "training the estimator diverged in epoch 1, step 2 of 3: window "))
      << report.trained->message();
  EXPECT_TRUE(report.windows.empty());
  asked.rate = {1e-3, 1e-3};
  EXPECT_EQ(estimate(run, asked).trained->outcome(), TrainOutcome::finished);
}

TEST_F(AmortisedToy, InMemoryGivesTheEstimatesOfAFolder) {
  EstimateOptions asked = options();
  asked.epochs = 3;
  const Estimate in_folder = estimate(trained_with_estimator("5"), asked);
  const Run run = train(Model::read(path("model.toml")), {.execution = {.n_threads = 1}});
  const Estimate in_memory = estimate(run, asked);
  ASSERT_EQ(in_memory.windows.size(), in_folder.windows.size());
  for (std::size_t i = 0; i < in_memory.windows.size(); ++i)
    EXPECT_EQ(in_memory.windows[i].theta, in_folder.windows[i].theta);
  EXPECT_TRUE(in_memory.trained->folder().empty());
  EXPECT_TRUE(has(refusal([&] { estimate(run, asked); }), "trained already"));
}

}  // namespace
}  // namespace greybox::test
