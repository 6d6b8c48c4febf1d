// The engine's gradients against finite differences, for what models can be made of; independence of threads,
// blocks and neighbours; states that leave the finite numbers.
#include "model/engine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "model/engine_harness.hpp"

namespace greybox::test {
namespace {

constexpr const char* kParameters = R"toml(
[parameters]
k = { prior = "uniform", low = 0.1, high = 2 }
d = { prior = "uniform", low = 0, high = 1 }
)toml";

constexpr const char* kRegularizers = R"toml(
[regularizers]
all = "mean(norm2(network)) + 0.3*abs(mean(dot(theory, network))) + log(1 + mean(norm2(theory - network))) + k^2*d"
[train]
regularizer = "all"
)toml";

std::string oscillator(const std::string& solver, const std::string& network_more = "") {
  return std::string(kParameters) + R"toml(
[inputs]
push = "u"
[state]
x = "x"
v = "v + 0.1*k"
[define]
drag = "d * v * abs(v)"
[theory]
x = "v"
v = "-k*x - drag + 0.2*push + 0.1*sin(t + t0)"
[network.enc]
kind = "mlp"
inputs = "window"
hidden = [5]
activation = "tanh"
outputs = ["z[3]", "w"]
[network.fD]
kind = "mlp"
inputs = ["x", "v", "k", "enc.z", "theory", "cos(t)"]
hidden = [7, 6]
activation = "silu"
outputs = ["x", "v"]
)toml" + network_more +
         R"toml(
[observe]
x = "x + 0.1*enc.w"
v = "v*exp(-0.1*d)"
)toml" + solver +
         kRegularizers;
}

std::string reaction(const std::string& boundary, const std::string& padding, const std::string& norm) {
  return std::string(kParameters) + R"toml(
[grid]
height = 4
width = 5
spacing = [0.5, 0.7]
fields = ["u"]
boundary = ")toml" +
         boundary + (boundary == "fixed" ? "\"\noutside = 0.3" : "\"") + R"toml(
[state]
u = "u"
w = "w"
[theory]
u = "k*laplacian(u) + 0.1*dx(u)*dy(u) - d*u + 0.1*w"
w = "0.01*norm2(u) - w"
[network.conv]
kind = "conv2d"
inputs = ["u", "w"]
channels = [3]
activation = "tanh"
padding = ")toml" +
         padding + R"toml("
norm = ")toml" +
         norm + R"toml("
outputs = ["u"]
[network.hyper]
kind = "mlp"
inputs = ["k", "d"]
hidden = [4]
activation = "gelu"
outputs = ["a"]
[data_driven]
u = "conv.u + 0.1*tanh(hyper.a)*laplacian(u)"
w = "hyper.a * where(w > 0, w, 0.5*w)"
[observe]
u = "u"
w = "w"
[solver]
method = "rk4_38"
step = 0.3
)toml" + kRegularizers;
}

constexpr const char* kAlgebraic = R"toml(
[parameters]
k = { prior = "uniform", low = 0.1, high = 2 }
d = { prior = "uniform", low = 0, high = 1 }
[theory]
y = "k * sin(x + d)"
[network.fD]
kind = "mlp"
inputs = ["x", "k", "d", "theory.y"]
hidden = [6, 5]
activation = "softplus"
outputs = ["y"]
[composition]
y = "theory.y * (1 + 0.5*network.y) + 0.1*network.y"
)toml";

// A network that reads the state itself computes nothing before its samples wait for each other.
std::string reaction_that_reads_the_state() {
  std::string text = reaction("no_flux", "replicate", "batch");
  return text.replace(text.find("[\"u\", \"w\"]"), 10, "[\"u\"]");
}

class Solvers : public ::testing::TestWithParam<std::string> {};

TEST_P(Solvers, GradientsAreExact) {
  // Tight tolerances, so that the steps of adaptive methods hardly change between the two sides of a
  // difference.
  const bool is_adaptive = GetParam() == "dopri5" || GetParam() == "tsit5";
  const std::string steps =
      is_adaptive ? "relative_tolerance = 1e-10\nabsolute_tolerance = 1e-10\n" : "step = 0.11\n";
  const std::string solver = "[solver]\nmethod = \"" + GetParam() + "\"\nmeans = \"time\"\n" + steps;
  expect_model_gradients(oscillator(solver), is_adaptive ? 1e-6 : 2e-7);
}

INSTANTIATE_TEST_SUITE_P(Methods, Solvers,
                         ::testing::Values("euler", "midpoint", "rk4", "rk4_38", "dopri5", "tsit5"),
                         [](const auto& test) { return test.param; });

TEST(Engine, GradientsOfFieldModelsAreExact) {
  for (const std::string boundary : {"no_flux", "periodic", "fixed"})
    expect_model_gradients(reaction(boundary, "replicate", "none"));
  for (const char* padding : {"zero", "periodic"})
    expect_model_gradients(reaction("no_flux", padding, "none"));
  for (const char* norm : {"batch", "instance"})
    expect_model_gradients(reaction("no_flux", "replicate", norm));
}

TEST(Engine, GradientsAreExactWhereBlocksWaitForEachOther) {
  for (const std::string& text : {reaction("no_flux", "replicate", "batch"), reaction_that_reads_the_state()})
    expect_model_gradients(text, 2e-7, {2, 70});
}

TEST(Engine, GradientsOfAlgebraicModelsAreExact) {
  expect_model_gradients(std::string(kAlgebraic) + kRegularizers);
}

TEST(Engine, ATheoryMayBeAParameterAlone) {
  std::string text = kAlgebraic;
  text.replace(text.find("k * sin(x + d)"), 14, "k + d");
  expect_model_gradients(text + kRegularizers);
}

// The same numbers to the last bit on any number of threads.
TEST(Engine, ResultsDoNotDependOnThreads) {
  for (const std::string& text :
       {oscillator("[solver]\nmethod = \"rk4\"\nstep = 0.1\n"), reaction("no_flux", "replicate", "batch"),
        reaction_that_reads_the_state()}) {
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
  const std::string text = std::string(kParameters) + R"toml(
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
