// Means over the data: at_data(…) is evaluated at the states that were measured, whatever the model predicts.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "model/engine_harness.hpp"
#include "model/model_texts.hpp"

namespace greybox::test {
namespace {

const std::string kAtData = R"toml(
[regularizers]
all = "mean(at_data(norm2(network) / (1 + x^2 + v^2))) + 0.3*mean(norm2(network)) + abs(mean(at_data(dot(theory, network)))) + mean(at_data(k*d))"
[train]
regularizer = "all"
)toml";

const std::string kFieldAtData = R"toml(
[regularizers]
all = "mean(at_data(norm2(network))) + 0.2*mean(at_data(dot(theory, network))) + 0.1*mean(norm2(network))"
[train]
regularizer = "all"
)toml";

// The state starts from the parameters too, and networks read the window.
TEST(DataTerms, HaveExactGradients) {
  expect_model_gradients(driven_oscillator() + kAtData);
  expect_model_gradients(with_hypernetwork() + kAtData, 2e-7, {1, 7});
  expect_model_gradients(encoded_oscillator("[solver]\nmethod = \"euler\"\nmeans = \"time\"\n") + kAtData,
                         2e-7, {3});
  expect_model_gradients(encoded_oscillator("[solver]\nmethod = \"kvaerno3\"\n") + kAtData, 1e-5, {3});
}

TEST(DataTerms, HaveExactGradientsOnFields) {
  for (const char* norm : {"none", "instance"})
    expect_model_gradients(reaction_model({.norm = norm}) + kFieldAtData, 2e-7, {1, 3});
  expect_model_gradients(reaction_model({.norm = "batch"}) + kFieldAtData, 2e-7, {2, 70});
}

TEST(DataTerms, DoNotDependOnThreads) {
  expect_same_on_threads(driven_oscillator() + kAtData);
  expect_same_on_threads(reaction_model({.norm = "batch"}) + kFieldAtData);
}

const std::string kDecay = R"toml(
[parameters]
k = { prior = "uniform", low = 0.1, high = 5 }
[state]
x = "x"
v = { start = "learned", mean = 0, sd = 1 }
[theory]
x = "-k*x"
v = "-v"
[observe]
x = "x"
)toml";

LoadedModel decay(const std::vector<double>& x, const std::string& regularizers,
                  const std::string& data = "window = { length = 3, stride = 3 }\n") {
  std::vector<double> time;
  for (std::size_t i = 0; i < x.size(); ++i) time.push_back(static_cast<double>(i));
  return assemble(
      std::make_shared<const ModelSpec>(parse_model_spec(
          "scale = \"none\"\n[data]\nfile = \"d.csv\"\n" + data + kDecay + "[regularizers]\n" + regularizers,
          "d.toml")),
      Table().time(time).column("x", x).data());
}

// Of all windows, at k = 1.
double value_of(const LoadedModel& loaded) {
  const std::vector<std::size_t> windows = loaded.data->all();
  ThreadPool pool(1);
  Engine<double> engine(loaded.plan, loaded.data->windows(), pool, {.capacity = windows.size()});
  engine.set_weights(std::vector<double>(engine.n_weights()));
  const std::vector<double> theta(windows.size(), 1);
  engine.forward({&loaded.data->windows(), windows, theta});
  Objective<double> objective(loaded.model, {.loss_weight = 0, .lambda = 1, .regularizer = 0},
                              windows.size());
  return objective.evaluate(engine, {windows.size(), windows.size()}).total;
}

TEST(DataTerms, AreMeansOverAllSnapshots) {
  EXPECT_NEAR(value_of(decay({1, 2, 4, 8, 3, 5}, "R = \"mean(at_data(x^2))\"")), 119.0 / 6, 1e-12);
  EXPECT_NEAR(value_of(decay({1, 2, 4, 8, 3, 5}, "R = \"mean(at_data(norm2(theory.x)))\"")), 119.0 / 6,
              1e-12);
  EXPECT_NEAR(value_of(decay({1, 2, 4, 8, 3, 5}, "R = \"mean(at_data(t))\"")), 1, 1e-12);
  EXPECT_NEAR(value_of(decay({1, 2, 4, 8, 3, 5}, "R = \"mean(at_data(k))\"")), 1, 1e-12);
}

TEST(DataTerms, SkipWhatWasNotMeasured) {
  const double missing = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NEAR(value_of(decay({1, missing, 4, 8, 3, missing}, "R = \"mean(at_data(x^2))\"")), 90.0 / 4, 1e-12);
}

TEST(DataTerms, AreNotMeansOverThePrediction) {
  const LoadedModel loaded =
      decay({1, 2, 4, 8, 3, 5}, "R = \"mean(at_data(x^2))\"\nS = \"mean(x^2)\"\nT = \"mean(at_data(x^2))\"");
  EXPECT_EQ(loaded.model->terms.size(), 2U);
}

}  // namespace
}  // namespace greybox::test
