#include "analysis/estimate/amortised.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "analysis/estimate/estimator_snippet.hpp"
#include "analysis/estimate/estimator_training.hpp"
#include "analysis/trained_toy.hpp"
#include "core/checksum.hpp"
#include "data/npz.hpp"
#include "greybox/predict.hpp"
#include "greybox/run.hpp"
#include "model/fixture.hpp"

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

// Recorded from the loop that trained estimators before there was one loop for everything.
TEST_F(AmortisedToy, GivesTheRecordedNumbers) {
  EstimateOptions asked = options(trained_with_estimator("5"));
  asked.epochs = 3;
  asked.rate = {1e-2, 1e-3};
  for (bool is_single : {false, true}) {
    asked.single_precision = is_single;
    asked.overwrite = true;
    estimate(asked);
    const auto weights = arrays_of(path("run-amortised/weights.npz"));
    const Table curves = read_table(path("run-amortised/curves.csv"));
    printf("RECORD %d", is_single);
    for (const char* name : {"guess.0.weight", "guess.2.weight", "guess.4.bias", "fD.0.weight"})
      if (weights.contains(name)) printf(" %s %.17g", name, std::accumulate(weights.at(name).begin(), weights.at(name).end(), 0.0));
    for (std::size_t i = 0; i < 3; ++i) printf(" L %.17g R %.17g", curves.find("L")->at(i), curves.find("R")->at(i));
    printf(" %s\n", sha256_of_file(path("run-amortised/weights.npz")).c_str());
  }
}

// The mean of R over windows, each on its own, with θ from the estimator.
class WindowRegularizerOf : public ::testing::TestWithParam<std::string> {};

TEST_P(WindowRegularizerOf, HasTheGradientOfFiniteDifferences) {
  const Fixture fixture("predator-prey");
  const BoundModel& model = *fixture.loaded.model;
  std::size_t place = 0;
  while (model.regularizers.at(place).name != GetParam()) ++place;
  const std::vector<std::size_t> windows = fixture.loaded.data->all();
  ThreadPool pool(1);
  Engine<double> engine(fixture.loaded.plan, fixture.loaded.data->windows(), pool,
                        {.capacity = windows.size(), .is_differentiable = true});
  WindowRegularizer<double> regularizer(fixture.loaded.model, place, windows.size());
  const Samples<double> samples{&fixture.loaded.data->windows(), windows, {}};
  std::vector<double> weights = fixture.weights, gradient(weights.size());
  std::vector<double> grad_theta(windows.size() * fixture.loaded.spec->parameters.size());
  const auto mean = [&] {
    engine.set_weights(weights);
    engine.forward(samples);
    double sum = 0;
    for (double value : regularizer.evaluate(engine)) sum += value;
    return sum / static_cast<double>(windows.size());
  };
  mean();
  regularizer.evaluate_with_seeds(engine);
  engine.backward(samples, regularizer.seeds(), gradient, grad_theta);
  std::size_t n_checked = 0;
  for (const ModelTensor& item : engine.networks().tensors()) {
    if (!model.networks[item.network].is_estimator) continue;
    const std::size_t w = item.tensor.offset + item.tensor.size() / 2;
    const double middle = weights[w], step = 1e-5;
    weights[w] = middle + step;
    const double above = mean();
    weights[w] = middle - step;
    const double slope = (above - mean()) / (2 * step);
    weights[w] = middle;
    EXPECT_NEAR(gradient[w], slope, 1e-5 * std::max(std::abs(slope), 1e-2)) << item.tensor.name;
    ++n_checked;
  }
  EXPECT_GT(n_checked, 3U);
}

INSTANTIATE_TEST_SUITE_P(Regularizers, WindowRegularizerOf, ::testing::Values("normD", "corr"));

}  // namespace
}  // namespace greybox::test
