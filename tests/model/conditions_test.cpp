// Networks whose weights are made of conditions (weights = "film" and "hyper").
#include <gtest/gtest.h>

#include "model/engine_harness.hpp"
#include "model/fixture.hpp"
#include "model/model_texts.hpp"
#include "model/prediction.hpp"

namespace greybox::test {
namespace {

const std::string kObserved = "[observe]\nx = \"x\"\nv = \"v\"\n";

// The network reads the state, and is made of the parameters and of a network of the window.
std::string oscillator(const std::string& network, const std::string& solver = kRungeKutta) {
  return kDrivenTheory + kEncoder + network + "outputs = [\"x\", \"v\"]\n" + kObserved + solver +
         kRegularizers;
}

std::string made_oscillator(const std::string& weights, const std::string& activation) {
  return oscillator(
      "[network.fD]\ninputs = [\"x\", \"v\", \"cos(t)\"]\nconditions = [\"k\", \"sqrt(d + 1)\", "
      "\"enc.z\", \"enc.w\"]\n" +
      std::string("weights = \"") + weights + "\"\nmaker = 3\nhidden = [7, 6]\nactivation = \"" + activation +
      "\"\n");
}

TEST(Conditions, GradientsAreExact) {
  for (const char* weights : {"film", "hyper"})
    for (const char* activation : {"tanh", "silu"})
      expect_model_gradients(made_oscillator(weights, activation), 5e-7, {1, 7});
}

// Solvers of stiff equations ask for Jacobians, which must leave no trace.
TEST(Conditions, GradientsAreExactWithImplicitSolvers) {
  for (const char* weights : {"film", "hyper"})
    expect_model_gradients(with(made_oscillator(weights, "tanh"), kRungeKutta,
                                "[solver]\nmethod = \"kvaerno5\"\nmeans = \"time\"\nrelative_tolerance = "
                                "1e-12\nabsolute_tolerance = 1e-12\n"),
                           1e-6, {1});
}

TEST(Conditions, GradientsAreExactOverTheData) {
  for (const char* weights : {"film", "hyper"})
    expect_model_gradients(with(made_oscillator(weights, "tanh"), "all = \"",
                                "all = \"mean(at_data(norm2(network - theory))) + "),
                           5e-7, {5});
}

// Without trajectory, conditions may be what the network's inputs may be.
TEST(Conditions, GradientsAreExactInAlgebraicModels) {
  for (const char* weights : {"film", "hyper"})
    expect_model_gradients(
        kParameters +
        "[theory]\ny = \"k*sin(x + d)\"\n[network.fD]\ninputs = [\"x\"]\nconditions = "
        "[\"k\", \"d\", \"theory.y\"]\nweights = \"" +
        weights + "\"\nmaker = 4\nhidden = [5]\nactivation = \"gelu\"\noutputs = [\"y\"]\n" + kRegularizers);
}

// A network of the window that is made of θ, and runs once for each.
TEST(Conditions, GradientsAreExactOfEncoders) {
  for (const char* weights : {"film", "hyper"})
    expect_model_gradients(with(made_oscillator(weights, "tanh"), "inputs = \"window\"\nhidden = [5]",
                                std::string("inputs = [\"window\"]\nconditions = [\"k\"]\nweights = \"") +
                                    weights + "\"\nhidden = [5]"),
                           5e-7, {3});
}

TEST(Conditions, GiveTheSameBitsOnAnyNumberOfThreads) {
  for (const char* weights : {"film", "hyper"}) expect_same_on_threads(made_oscillator(weights, "tanh"));
}

// docs/adapting.md: scales and shifts as equations. The weights come in the same order there.
TEST(Conditions, FilmIsWhatItsEquationsSay) {
  const std::string own =
      "[network.fD]\ninputs = [\"x\", \"v\"]\nconditions = [\"k\", \"d\"]\nweights = \"film\"\nmaker = "
      "3\nhidden = [5, "
      "4]\nactivation = \"tanh\"\n";
  const std::string equations = R"toml(
[network.layer0]
inputs = ["x", "v"]
hidden = []
outputs = ["z[5]"]
[network.layer1]
inputs = ["tanh((1 + film.s0) * layer0.z + film.b0)"]
hidden = []
outputs = ["z[4]"]
[network.fD]
inputs = ["tanh((1 + film.s1) * layer1.z + film.b1)"]
hidden = []
outputs = ["x", "v"]
[network.film]
inputs = ["k", "d"]
hidden = [3]
activation = "tanh"
outputs = ["s0[5]", "b0[5]", "s1[4]", "b1[4]"]
)toml";
  const std::string rest = kObserved + kRungeKutta + kRegularizers;
  EngineHarness film(kDrivenTheory + own + "outputs = [\"x\", \"v\"]\n" + rest, 7, 1, std::size_t{1} << 30);
  EngineHarness written(kDrivenTheory + equations + "[data_driven]\nx = \"fD.x\"\nv = \"fD.v\"\n" + rest, 7,
                        1, std::size_t{1} << 30);
  ASSERT_EQ(film.weights.size(), written.weights.size());
  film.weights = written.weights;
  EXPECT_NEAR(film.objective(), written.objective(), 1e-13);
  film.differentiate(), written.differentiate();
  for (std::size_t i = 0; i < film.weights.size(); ++i)
    EXPECT_NEAR(film.grad_weights[i], written.grad_weights[i], 1e-12) << i;
  for (std::size_t i = 0; i < film.theta.size(); ++i)
    EXPECT_NEAR(film.grad_theta[i], written.grad_theta[i], 1e-12) << i;
}

// Weights of their own and a slope for every hidden unit of the maker, here one that is always 0 or always 1.
TEST(Conditions, HyperMakesTheWeightsOfAnOrdinaryNetwork) {
  const auto text = [](const std::string& more) {
    return kDrivenTheory + "[network.fD]\ninputs = [\"x\", \"v\"]\n" + more +
           "hidden = [5, 4]\nactivation = \"sigmoid\"\noutputs = [\"x\", \"v\"]\n" + kObserved + kRungeKutta +
           kRegularizers;
  };
  EngineHarness ordinary(text(""), 7, 1, std::size_t{1} << 30);
  EngineHarness made(text("conditions = [\"k\"]\nweights = \"hyper\"\nmaker = 1\n"), 7, 1,
                     std::size_t{1} << 30);
  const std::size_t n = ordinary.weights.size();
  ASSERT_EQ(made.weights.size(), n + 2 + n);
  for (const bool is_on : {false, true}) {
    std::vector<double> sum = ordinary.weights;
    made.weights[n] = 0, made.weights[n + 1] = is_on ? 1e3 : -1e3;
    for (std::size_t i = 0; i < n; ++i) {
      made.weights[i] = ordinary.weights[i];
      made.weights[n + 2 + i] = 0.1 * static_cast<double>(i % 5);
      sum[i] += is_on ? made.weights[n + 2 + i] : 0;
    }
    EngineHarness same(text(""), 7, 1, std::size_t{1} << 30);
    same.weights = sum;
    EXPECT_NEAR(made.objective(), same.objective(), 1e-12) << is_on;
  }
}

// tests/fixtures/make_conditions_fixture.py
TEST(Conditions, AreWhatPyTorchSays) {
  const Fixture fixture("conditions");
  const LoadedModel& loaded = fixture.loaded;
  const std::vector<std::size_t> windows = loaded.data->all();
  const std::size_t n = windows.size();
  const std::vector<double>& theta = fixture.expected.at("theta");
  ThreadPool pool(1);
  const Prediction prediction = make_prediction<double>(loaded, {fixture.weights, windows, theta}, pool);
  for (const char* name : {"x", "v"})
    expect_close(name, prediction.observed(name), fixture.expected.at(name), 1e-12);
  Engine<double> engine(loaded.plan, loaded.data->windows(), pool,
                        {.capacity = n, .is_differentiable = true});
  engine.set_weights(fixture.weights);
  const Samples<double> samples{&loaded.data->windows(), windows, theta};
  engine.forward(samples);
  Objective<double> objective(loaded.model, {1, 0.1, 0}, n);
  const auto values = objective.evaluate(engine, {n, n});
  expect_close("normD", std::vector{values.regularizer}, fixture.expected.at("normD"), 1e-12);
  expect_close("J", std::vector{values.total}, fixture.expected.at("J"), 1e-12);
  std::vector<double> gradient(engine.n_weights()), grad_theta(theta.size());
  engine.backward(samples, objective.cotangents(engine, {n, n}), gradient, grad_theta);
  expect_close("θ", grad_theta, fixture.expected.at("grad_theta"), 1e-10);
  for (const ModelTensor& item : engine.networks().tensors())
    expect_close(item.tensor.name, std::span(gradient).subspan(item.tensor.offset, item.tensor.size()),
                 fixture.expected.at("grad." + item.tensor.name), 1e-10);
}

}  // namespace
}  // namespace greybox::test
