// Simulations with inputs that step, come late, or are boluses.
#include <gtest/gtest.h>

#include <cmath>

#include "greybox/simulate.hpp"
#include "greybox/train.hpp"

namespace greybox::test {
namespace {

constexpr double kPumped = 2;

// x' = `theory`, whatever was trained.
Run leaky_run(const std::string& input, const std::string& theory) {
  const Model model =
      Model::parse("scale = \"none\"\n[data]\n[inputs.u]\nequation = \"pump\"\n" + input + R"toml(
[parameters]
k = { prior = "uniform", low = 0, high = 2 }
[state]
x = "x"
[theory]
x = ")toml" + theory + R"toml("
[network.f]
inputs = ["x"]
hidden = [2]
outputs = ["x"]
[data_driven]
x = "1e-12 * f.x"
[observe]
x = "x"
[solver]
step = 0.01
[train]
epochs = 1
)toml",
                   "leaky");
  Table table;
  table.time(std::vector<double>{0, 1, 2, 3, 4})
      .column("x", std::vector<double>{1, 1, 1, 1, 1})
      .column("pump", std::vector<double>{0, kPumped, 0, 0, 1});
  return train(model, table, {.execution = {.n_threads = 1}});
}

SimulateOptions from_one(double step) {
  SimulateOptions options;
  options.start.states = {{"x", 1}};
  options.start.at = WindowIndex{0};
  options.theta = {{"k", 1}};
  options.step = step;
  options.bands = false;
  return options;
}

TEST(SimulateInputs, HoldsBetweenOutputTimes) {
  const Simulation simulation = simulate(leaky_run("hold = \"previous\"", "u"), from_one(0.25));
  const std::vector<double>& x = simulation.variable("x").values;
  ASSERT_EQ(x.size(), 17U);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(x[i], 1 + kPumped * std::clamp(0.25 * static_cast<double>(i) - 1, 0.0, 1.0), 1e-9) << i;
  EXPECT_EQ(simulation.variable("input.u").values[5], kPumped);
}

TEST(SimulateInputs, OfAnotherFileStepAndComeLate) {
  const greybox::Run run = leaky_run("hold = \"previous\"\ndelay = 0.5", "u");
  SimulateOptions options;
  options.start.states = {{"x", 0}};
  options.start.time = 0;
  options.theta = {{"k", 1}};
  options.step = 1;
  options.horizon = 4;
  Table plan;
  plan.time(std::vector<double>{-1, 1.7, 1.7}).column("pump", std::vector<double>{0, 5, 3}).named("plan");
  options.inputs = plan;
  const std::vector<double> x = simulate(run, options).variable("x").values;
  EXPECT_NEAR(x[2], 0, 1e-9);
  EXPECT_NEAR(x[3], 3 * 0.8, 1e-9);
  EXPECT_NEAR(x[4], 3 * 1.8, 1e-9);
  plan = Table();
  plan.time(std::vector<double>{0, 1}).column("pump", std::vector<double>{0, 5}).named("plan");
  options.inputs = plan;
  try {
    simulate(run, options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(
        std::string(error.what()).find("the inputs begin at time 0.5 with their delay, after the start at 0"),
        std::string::npos)
        << error.what();
  }
}

TEST(SimulateInputs, BolusesJumpAtTheirTimes) {
  const greybox::Run run = leaky_run("hold = \"bolus\"\ninto = \"x\"", "-k * x");
  SimulateOptions options;
  options.start.states = {{"x", 0}};
  options.start.time = 0;
  options.theta = {{"k", 1}};
  options.step = 1;
  options.horizon = 3;
  Table doses;
  doses.time(std::vector<double>{0, 1.5}).column("pump", std::vector<double>{10, 4}).named("doses");
  options.inputs = doses;
  const Simulation simulation = simulate(run, options);
  const std::vector<double>& x = simulation.variable("x").values;
  EXPECT_EQ(x[0], 0) << "before the dose";
  EXPECT_NEAR(x[1], 10 * std::exp(-1), 1e-8);
  EXPECT_NEAR(x[2], 10 * std::exp(-2) + 4 * std::exp(-0.5), 1e-8);
  EXPECT_NEAR(x[3], 10 * std::exp(-3) + 4 * std::exp(-1.5), 1e-8);
  EXPECT_EQ(simulation.variable("input.u").values, (std::vector<double>{10, 4, 0, 0}));
}

}  // namespace
}  // namespace greybox::test
