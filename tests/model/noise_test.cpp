// Noise of measured values: log-likelihoods against scipy's, derivatives against differences, and in models.
#include "model/noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "greybox/error.hpp"
#include "model/engine_harness.hpp"
#include "model/model_texts.hpp"
#include "model/noise_data.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

const NoiseFamily& family_called(const std::string& name) {
  for (const NoiseFamily& family : noise_families())
    if (family.name == name) return family;
  throw std::out_of_range(name);
}

TEST(Noise, LikelihoodsAreThoseOfScipy) {
  std::ifstream file(std::string(kSourceFolder) + "/tests/fixtures/noise/terms.csv");
  std::string line, cell;
  std::getline(file, line);
  std::size_t n = 0;
  for (; std::getline(file, line); ++n) {
    std::istringstream cells(line);
    std::getline(cells, cell, ',');
    const NoiseFamily& family = family_called(cell);
    std::vector<double> numbers;
    while (std::getline(cells, cell, ',')) numbers.push_back(std::stod(cell));
    const double value = family.term({numbers[0], numbers[1], numbers[2], numbers[3]}).value;
    EXPECT_NEAR(value, numbers[4], 1e-9 * std::max(1.0, std::abs(numbers[4]))) << line;
  }
  EXPECT_GE(n, 40U);
}

TEST(Noise, DerivativesAreExact) {
  for (const NoiseFamily& family : noise_families())
    for (double predicted : {-3.0, 2e-4, 0.4, 1.0, 12.0})
      for (double measured : {1.0, 3.0, 40.0})
        for (double spread : {0.3, 1.7}) {
          const Measurement at{predicted, measured, spread, 4};
          const NoiseTerm term = family.term(at);
          const double h = 1e-6 * std::abs(predicted), d = 1e-6 * spread;
          const auto value = [&](double p, double s) { return family.term({p, measured, s, 4}).value; };
          const double by_prediction =
              (value(predicted + h, spread) - value(predicted - h, spread)) / (2 * h);
          const double by_spread = (value(predicted, spread + d) - value(predicted, spread - d)) / (2 * d);
          const double size = 1 + std::abs(term.value);
          EXPECT_NEAR(term.by_prediction, by_prediction, 1e-6 * std::abs(by_prediction) + 1e-9 * size / h)
              << family.name << ' ' << predicted << ' ' << measured;
          EXPECT_NEAR(term.by_spread, by_spread, 1e-6 * std::abs(by_spread) + 1e-9 * size / d)
              << family.name << ' ' << predicted << ' ' << measured;
        }
}

// A network that predicts negative counts at first is led back, however far off it is.
TEST(Noise, GoesOnBelowZero) {
  for (const char* name : {"lognormal", "poisson", "negative_binomial"})
    for (double measured : {1.0, 5.0, 1000.0}) {
      const NoiseFamily& family = family_called(name);
      double last = family.term({1e-3 * measured, measured, 0.5}).value;
      for (double predicted : {0.0, -0.1 * measured, -measured, -1e6 * measured}) {
        const NoiseTerm term = family.term({predicted, measured, 0.5});
        EXPECT_TRUE(std::isfinite(term.value)) << name;
        EXPECT_GT(term.value, last) << name << ' ' << predicted;
        EXPECT_LT(term.by_prediction, 0) << name << ' ' << predicted;
        last = term.value;
      }
    }
  EXPECT_NEAR(family_called("poisson").term({0, 0, 1}).value, 0, 1e-3);
  EXPECT_GT(family_called("poisson").term({-0.1, 0, 1}).value, 0.1) << "no gain in fewer than no counts";
}

TEST(Noise, SaysWhatCannotBeMeasured) {
  EXPECT_FALSE(family_called("poisson").fault(-1).empty());
  EXPECT_FALSE(family_called("negative_binomial").fault(1.5).empty());
  EXPECT_TRUE(family_called("poisson").fault(0).empty());
  EXPECT_FALSE(family_called("lognormal").fault(0).empty());
  EXPECT_FALSE(family_called("relative").fault(0).empty());
  EXPECT_TRUE(family_called("normal").fault(-1e300).empty());
}

std::string oscillator(const std::string& noise) {
  return R"toml(
[data.columns]
level = "exp(x)"
[parameters]
k = { prior = "uniform", low = 0, high = 2 }
d = { prior = "uniform", low = 0, high = 2 }
[inputs]
drive = "w"
[state]
x = "x"
v = "v"
[theory]
x = "v"
v = "-k*x - d*v + drive"
[network.fD]
inputs = ["x", "v"]
outputs = ["v"]
hidden = [4]
activation = "tanh"
[observe]
level = "exp(x)"
v = "v"
[noise]
)toml" + noise;
}

TEST(Noise, GradientsOfModelsAreExact) {
  for (const char* noise :
       {"level = { sd = 0.3 }\nv = { kind = \"student\", sd = 0.2, df = 3 }",
        "level = { kind = \"relative\", sd = 0.2 }\nv = { sd = \"0.1 + 0.2*level + d^2\" }",
        "level = { kind = \"lognormal\", sd = \"0.1 + 0.05*drive^2\" }\nv = { sd = \"0.3*predicted\" }",
        "level = { kind = \"poisson\" }\nv = { sd = \"k\" }",
        "level = { kind = \"negative_binomial\", dispersion = \"d\" }\nv = { sd = \"0.1 + abs(w_of)\" }\n"
        "[define]\nw_of = \"drive\"",
        "level = { kind = \"negative_binomial\", dispersion = 0.4 }"})
    expect_model_gradients(oscillator(noise) + "\n" + kRegularizers, 1e-6, {1, 7});
}

TEST(Noise, OfFieldsHasExactGradients) {
  expect_model_gradients(
      reaction_model() + kRegularizers + "[noise]\nu = { sd = \"0.2 + 0.1*predicted^2\" }\n", 1e-6, {3});
}

class NoisyEngine : public ::testing::Test {
 protected:
  static constexpr std::size_t kSamples = 40;

  MadeModel made_{oscillator("level = { kind = \"student\" }\nv = { sd = \"estimate\" }"), kSamples};
};

// Blocks read noise and starts of their engine, which must not stay behind where it was made.
TEST_F(NoisyEngine, IsTheSameAfterAMove) {
  ThreadPool pool(1);
  const std::vector<std::size_t> windows = made_.data->all();
  const std::vector<double> theta(2 * kSamples, 0.5);
  const auto loss = [&](Engine<double>& engine, double spread) {
    engine.set_weights(std::vector<double>(engine.n_weights(), 0.1));
    engine.set_noise(std::vector<double>{spread, spread});
    engine.forward({&made_.data->windows(), windows, theta});
    return engine.losses()[0];
  };
  auto engine = std::make_unique<Engine<double>>(made_.plan, made_.data->windows(), pool,
                                                 EngineOptions{.capacity = kSamples});
  const double before = loss(*engine, 0.3);
  Engine<double> moved(std::move(*engine));
  engine.reset();
  EXPECT_NE(loss(moved, 0.7), before);
  EXPECT_EQ(loss(moved, 0.3), before);
}

TEST_F(NoisyEngine, DifferentiatesWhatIsEstimated) {
  ThreadPool pool(1);
  Engine<double> engine(made_.plan, made_.data->windows(), pool,
                        {.capacity = kSamples, .is_differentiable = true});
  Objective<double> objective(made_.model, {}, kSamples);
  const std::vector<std::size_t> windows = made_.data->all();
  const std::vector<double> weights = initial_weights(engine.networks().tensors(), 5);
  std::vector<double> theta(2 * kSamples, 0.5), grad_weights(weights.size()), grad_theta(theta.size());
  engine.set_weights(weights);
  const auto value = [&](const std::vector<double>& noise) {
    engine.set_noise(noise);
    engine.forward({&made_.data->windows(), windows, theta});
    return objective.evaluate(engine, {kSamples, kSamples}).loss;
  };
  const std::vector<double> noise = {0.3, 0.7};
  value(noise);
  engine.backward({&made_.data->windows(), windows, theta},
                  objective.cotangents(engine, {kSamples, kSamples}), grad_weights, grad_theta);
  const std::vector<double> gradient = {engine.noise_gradient(0), engine.noise_gradient(1)};
  for (std::size_t o : {0, 1}) {
    std::vector<double> more = noise, less = noise;
    more[o] *= std::exp(1e-5);
    less[o] *= std::exp(-1e-5);
    EXPECT_NEAR(gradient[o], (value(more) - value(less)) / 2e-5, 1e-8);
  }
}

TEST_F(NoisyEngine, IsTheSameForAnyNumberOfThreads) {
  const std::vector<std::size_t> windows = made_.data->all();
  std::vector<std::vector<double>> losses, gradients;
  for (std::size_t n_threads : {1, 3}) {
    ThreadPool pool(n_threads);
    Engine<float> engine(made_.plan, made_.data->windows(), pool,
                         {.capacity = kSamples, .is_differentiable = true});
    Objective<float> objective(made_.model, {}, kSamples);
    const std::vector<double> weights = initial_weights(engine.networks().tensors(), 5);
    const std::vector<float> own(weights.begin(), weights.end()), theta(2 * kSamples, 0.5F);
    std::vector<float> grad_weights(own.size()), grad_theta(theta.size());
    engine.set_weights(own);
    engine.forward({&made_.data->windows(), windows, theta});
    objective.evaluate(engine, {kSamples, kSamples});
    engine.backward({&made_.data->windows(), windows, theta},
                    objective.cotangents(engine, {kSamples, kSamples}), grad_weights, grad_theta);
    losses.emplace_back(engine.losses().begin(), engine.losses().end());
    gradients.push_back({engine.noise_gradient(0), engine.noise_gradient(1)});
    gradients.back().insert(gradients.back().end(), grad_weights.begin(), grad_weights.end());
    EXPECT_NE(losses.back()[0], engine.squared_errors()[0]);
  }
  EXPECT_EQ(losses[0], losses[1]);
  EXPECT_EQ(gradients[0], gradients[1]);
}

TEST(NoiseData, MayMissValues) {
  const std::string text = oscillator("level = { sd = 0.3 }\nv = { sd = 0.3 }");
  MadeModel made(text, 2);
  DataTable table = made.data->table();
  std::erase_if(table.columns, [](const Column& column) { return column.name == "drive"; });
  for (Column& column : table.columns)
    if (column.name == "v")
      std::get<SharedValues<double>>(column.values).change([](auto& values) { values[2] = std::nan(""); });
  const PreparedData gaps(made.model, table);
  ThreadPool pool(1);
  Engine<double> engine(made.plan, gaps.windows(), pool, {.capacity = 2});
  const std::vector<std::size_t> windows = gaps.all();
  const std::vector<double> theta(4, 0.5);
  engine.set_weights(initial_weights(engine.networks().tensors(), 5));
  engine.forward({&gaps.windows(), windows, theta});
  EXPECT_TRUE(std::isfinite(engine.losses()[0]));
  EXPECT_EQ(engine.n_compared()[0], 3) << "two snapshots of two variables, less one";
}

TEST(NoiseData, SaysWhereAValueIsImpossible) {
  MadeModel made(oscillator("v = { kind = \"poisson\" }"), 2);
  try {
    refuse_impossible_values(*made.model, made.data->table());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("whole number"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("`v`"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace greybox::test
