// Simulations: against the true solution, against predictions, and their bands against data.
#include "greybox/simulate.hpp"

#include "analysis/simulate/predictive_bands.hpp"
#include "analysis/tank.hpp"
#include "greybox/predict.hpp"

namespace greybox::test {
namespace {

const Theta kTankTheta = {{"k", kTankRate}};

Run tank_run(double noise = 0) {
  return train(tank_model(), tank_table(noise), {.execution = {.n_threads = 1}});
}

template <class F>
std::string refused(F&& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

Table pump_table(const std::vector<double>& time, const std::vector<double>& pump) {
  Table table;
  table.time(time).column("pump", pump).named("pump");
  return table;
}

TEST(Simulate, FollowsInputsAtTimesOfTheirOwn) {
  const std::vector<double> time = {10, 11, 11.33, 14.5}, pump = {0, 1, 1, 0.2};
  SimulateOptions options;
  options.start.states = {{"level", 1.2}};
  options.inputs = pump_table(time, pump);
  options.step = 0.25;
  options.theta = kTankTheta;
  const Simulation simulation = simulate(tank_run(), options);
  ASSERT_EQ(simulation.time.size(), 19U);
  EXPECT_EQ(simulation.time.front(), 10);
  EXPECT_DOUBLE_EQ(simulation.time.back(), 14.5);
  EXPECT_EQ(simulation.variable("level").values.front(), 1.2);
  for (std::size_t i = 0; i < simulation.time.size(); ++i) {
    const double t = simulation.time[i];
    const double exact = tank_level(1.2, 10, t, [&](double at) { return linear(time, pump, at); });
    EXPECT_NEAR(simulation.variable("level").values[i], exact, 2e-5) << t;
    EXPECT_DOUBLE_EQ(simulation.variable("input.u").values[i], linear(time, pump, t)) << t;
    const double level = simulation.variable("state.level").values[i];
    EXPECT_NEAR(simulation.variable("network.level").values[i], -0.3 * level * level, 1e-6);
    EXPECT_NEAR(simulation.variable("theory.level").values[i], linear(time, pump, t) - kTankRate * level,
                1e-9);
  }
}

TEST(Simulate, FromAWindowIsItsPrediction) {
  const greybox::Run run = tank_run();
  const Prediction predicted = predict(run, {.theta = kTankTheta});
  SimulateOptions options;
  options.start.at = WindowIndex{3};
  options.horizon = 0.5;
  options.theta = kTankTheta;
  const Simulation simulation = simulate(run, options);
  ASSERT_EQ(simulation.time.size(), predicted.n_steps + 1);
  for (std::size_t k = 0; k < predicted.n_steps; ++k) {
    EXPECT_NEAR(simulation.variable("level").values[k + 1],
                predicted.observed("level")[3 * predicted.n_steps + k], 1e-12);
    EXPECT_EQ(predicted.state("level")[3 * predicted.n_steps + k],
              predicted.observed("level")[3 * predicted.n_steps + k]);
  }
  options.horizon = {};
  const Simulation whole = simulate(run, options);
  EXPECT_GT(whole.time.size(), simulation.time.size()) << "as long as the series, not the window";
  EXPECT_EQ(whole.measured.front().values.size(), whole.time.size());
}

TEST(Simulate, StartsAtAnyRowAndChangesStatesThere) {
  const greybox::Run run = tank_run();
  SimulateOptions options;
  options.start.at = WindowAt{"s2", 0.3};
  options.start.states = {{"level", 2}};
  options.theta = kTankTheta;
  const Simulation simulation = simulate(run, options);
  EXPECT_DOUBLE_EQ(simulation.time.front(), 0.3);
  EXPECT_DOUBLE_EQ(simulation.time.back(), 2.5);
  EXPECT_EQ(simulation.variable("level").values.front(), 2);
}

TEST(Simulate, TakesTheRunsOwnParameters) {
  const greybox::Run run =
      train(tank_model(), tank_table(), {.mode = TrainMode::inductive, .execution = {.n_threads = 1}});
  SimulateOptions options;
  options.start.at = WindowIndex{0};
  EXPECT_EQ(simulate(run, options).theta, run.record()->theta);
  EXPECT_EQ(predict(run, {}).theta.front(), run.record()->theta.at("k"));
  EXPECT_NE(refused([&] { simulate(tank_run(), options); }).find("no [estimator]"), std::string::npos);
}

TEST(Simulate, BandsHoldTheirShareOfHeldOutValues) {
  const greybox::Run run = tank_run(0.05);
  SimulateOptions options;
  options.start.at = WindowIndex{0};
  options.theta = kTankTheta;
  const Simulation simulation = simulate(run, options);
  ASSERT_EQ(simulation.checks.size(), 1U);
  const BandCheck& check = simulation.checks.front();
  // The start is noisy as well, and its error decays.
  EXPECT_NEAR(check.noise, 0.065, 0.015);
  // 20 windows, whose values share the error of their start: the share itself scatters by 0.05.
  EXPECT_NEAR(check.coverage, 0.9, 0.12);
  EXPECT_EQ(simulation.noise_on, "validation");
  EXPECT_EQ(simulation.checked_on, "test");
  const SimulatedVariable& level = simulation.variable("level");
  EXPECT_NEAR(level.high[5] - level.low[5], 2 * 1.645 * check.noise, 1e-3 * check.noise);

  options.conformal = true;
  options.level = 0.8;
  const BandCheck corrected = simulate(run, options).checks.front();
  EXPECT_NEAR(corrected.factor, 1, 0.3);
  EXPECT_NEAR(corrected.coverage, 0.8, 0.1);
}

TEST(Simulate, RefusesWhatIsMissing) {
  const greybox::Run run = tank_run();
  SimulateOptions options;
  options.theta = kTankTheta;
  const auto says = [&](const std::string& part) {
    const std::string text = refused([&] { simulate(run, options); });
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  says("nothing says how long");
  options.horizon = 1;
  says("no value is given for the state `level`");
  options.start.states = {{"levle", 1}};
  says("did you mean `level`?");
  options.start.states = {{"level", 1}};
  says("the model has inputs");
  options.inputs = pump_table({0, 0.5}, {1, 1});
  says("a horizon of at most 0.5");
  options.inputs = pump_table({0.5, 2}, {1, 1});
  options.start.time = 0;
  says("after the start");
  Table other;
  other.time(std::vector<double>{0, 2}).column("flow", std::vector<double>{1, 1}).named("other");
  options.inputs = other;
  says("`pump` is not a column");
  options.inputs = pump_table({0, 2}, {1, 1});
  options.step = 0;
  says("no time between outputs");
  options.step = 0.1;
  options.level = 1;
  says("no share of values");
}

TEST(MixtureInterval, IsThatOfItsDistributions) {
  const BandInterval one = mixture_interval(std::vector<double>{2}, 0.5, 0.9);
  EXPECT_NEAR(one.low, 2 - 0.5 * 1.6448536, 1e-6);
  EXPECT_NEAR(one.high, 2 + 0.5 * 1.6448536, 1e-6);
  // Half of the probability stands around each: 10 % of the left one lies below.
  const BandInterval two = mixture_interval(std::vector<double>{-10, 10}, 1, 0.9);
  EXPECT_NEAR(two.low, -10 - 1.2815516, 1e-6);
  EXPECT_NEAR(two.high, 10 + 1.2815516, 1e-6);
  EXPECT_TRUE(std::isnan(mixture_interval({}, 1, 0.9).low));
}

}  // namespace
}  // namespace greybox::test
