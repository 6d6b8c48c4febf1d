// The engine's gradients against finite differences, for what models can be made of; independence of threads,
// blocks and neighbours; states that become non-finite.
#include "model/engine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "model/engine_harness.hpp"
#include "model/model_texts.hpp"

namespace greybox::test {
namespace {

// A network that reads the state itself computes nothing before its samples wait for each other.
std::string reaction_that_reads_the_state() {
  std::string text = reaction_model({.norm = "batch"}) + kRegularizers;
  return text.replace(text.find("[\"u\", \"w\"]"), 10, "[\"u\"]");
}

class Solvers : public ::testing::TestWithParam<std::string> {};

TEST_P(Solvers, GradientsAreExact) {
  // Tight tolerances, so that the steps of adaptive methods hardly change between the two sides of a
  // difference.
  const bool is_adaptive = find_tableau(GetParam())->is_adaptive();
  const std::string steps =
      is_adaptive ? "relative_tolerance = 1e-12\nabsolute_tolerance = 1e-12\n" : "step = 0.11\n";
  const std::string solver = "[solver]\nmethod = \"" + GetParam() + "\"\nmeans = \"time\"\n" + steps;
  expect_model_gradients(encoded_oscillator(solver) + kRegularizers, is_adaptive ? 1e-6 : 2e-7);
}

INSTANTIATE_TEST_SUITE_P(Methods, Solvers,
                         ::testing::Values("euler", "midpoint", "rk4", "rk4_38", "dopri5", "tsit5",
                                           "kvaerno5"),
                         [](const auto& test) { return test.param; });

TEST(Engine, GradientsOfFieldModelsAreExact) {
  for (const char* boundary : {"no_flux", "periodic", "fixed"})
    expect_model_gradients(reaction_model({.boundary = boundary}) + kRegularizers);
  for (const char* padding : {"zero", "periodic"})
    expect_model_gradients(reaction_model({.padding = padding}) + kRegularizers);
  for (const char* norm : {"batch", "instance"})
    expect_model_gradients(reaction_model({.norm = norm}) + kRegularizers);
}

TEST(Engine, GradientsAreExactWhereBlocksWaitForEachOther) {
  for (const std::string& text :
       {reaction_model({.norm = "batch"}) + kRegularizers, reaction_that_reads_the_state()})
    expect_model_gradients(text, 2e-7, {2, 70});
}

TEST(Engine, GradientsOfAlgebraicModelsAreExact) {
  expect_model_gradients(algebraic_model() + kRegularizers);
}

TEST(Engine, ATheoryMayBeAParameterAlone) {
  std::string text = algebraic_model();
  const std::string theory = "k * sin(x + d) + 0.1*v";
  text.replace(text.find(theory), theory.size(), "k + d");
  expect_model_gradients(text + kRegularizers);
}

// Layers scaled and shifted by a network of the parameters, and last weights that it makes
// (docs/adapting.md).
TEST(Engine, GradientsOfNetworksMadeByNetworksAreExact) {
  expect_model_gradients(kDrivenTheory + R"toml(
[network.film]
inputs = ["k", "d"]
hidden = [4]
activation = "tanh"
outputs = ["s[5]", "b[5]", "w[5]"]
[network.layer]
inputs = ["x", "v", "theory"]
hidden = []
outputs = ["z[5]"]
[network.head]
inputs = ["tanh((1 + film.s) * layer.z + film.b)"]
hidden = []
outputs = ["x"]
[data_driven]
x = "head.x"
v = "dot(tanh(layer.z), film.w)"
[observe]
x = "x"
v = "v"
)toml" + kRungeKutta + kRegularizers);
}

// The same numbers to the last bit on any number of threads.
TEST(Engine, ResultsDoNotDependOnThreads) {
  for (const std::string& text :
       {encoded_oscillator() + kRegularizers,
        encoded_oscillator("[solver]\nmethod = \"kvaerno5\"\n") + kRegularizers,
        reaction_model({.norm = "batch"}) + kRegularizers, reaction_that_reads_the_state()}) {
    EngineHarness one(text, 70, 1, std::size_t{1} << 30), three(text, 70, 3, std::size_t{1} << 30);
    EXPECT_EQ(one.objective(), three.objective());
    one.differentiate();
    three.differentiate();
    EXPECT_EQ(std::memcmp(one.grad_weights.data(), three.grad_weights.data(),
                          one.grad_weights.size() * sizeof(double)),
              0);
    EXPECT_EQ(
        std::memcmp(one.grad_theta.data(), three.grad_theta.data(), one.grad_theta.size() * sizeof(double)),
        0);
  }
}

TEST(Engine, ADivergingSampleIsAnOutcomeAndTouchesNobodyElse) {
  const std::string text = kParameters + R"toml(
[state]
x = "x"
[theory]
x = "where(k > 1, 40*x^3, -x)"
[solver]
method = "rk4"
step = 0.1
[observe]
x = "x"
[regularizers]
size = "mean(norm2(theory)) + d"
)toml";
  MadeModel made(text, 3);
  ThreadPool pool(1);
  Engine<float> engine(made.plan, made.data->windows(), pool, {.capacity = 3});
  const std::vector<std::size_t> windows = made.data->all();
  const std::vector<float> calm = {0.5F, 0, 0.5F, 0, 0.5F, 0}, wild = {0.5F, 0, 1.5F, 0, 0.5F, 0};
  engine.forward({&made.data->windows(), windows, calm});
  const std::vector<double> expected(engine.squared_errors().begin(), engine.squared_errors().end());
  for (Outcome outcome : engine.outcomes()) EXPECT_EQ(outcome, Outcome::finished);
  engine.forward({&made.data->windows(), windows, wild});
  EXPECT_EQ(engine.outcomes()[1], Outcome::diverged);
  for (std::size_t i : {0, 2}) {
    EXPECT_EQ(engine.outcomes()[i], Outcome::finished);
    EXPECT_EQ(engine.squared_errors()[i], expected[i]);
  }
}

}  // namespace
}  // namespace greybox::test
