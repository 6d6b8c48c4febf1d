// Initial values that are learned or smoothed, and encoders that read inputs.
#include <gtest/gtest.h>

#include "model/engine_harness.hpp"
#include "model/model_texts.hpp"
#include "model/start_slots.hpp"

namespace greybox {
namespace {

using namespace greybox::test;

// Two states of which `v` is not measured; `[scales]` makes the fixture settle the model on its data.
std::string hidden_oscillator(const std::string& start) {
  return kParameters + "[state]\nx = \"x\"\nv = " + start + R"toml(
[theory]
x = "v"
v = "-k*x - d*v"
[network.fD]
inputs = ["x", "v", "k", "d"]
hidden = [4]
activation = "tanh"
outputs = ["v"]
[observe]
x = "x"
[scales]
x = 1
)toml" + kRungeKutta;
}

TEST(LearnedStart, GradientsAreExactForEveryPriorAndOwner) {
  for (const char* start :
       {R"({ start = "learned", mean = 0.3, sd = 0.5 })",
        R"({ start = "learned", prior = "lognormal", mean = "0.1*k", sd = 0.4, per = "series" })",
        R"({ start = "learned", prior = "uniform", low = -1, high = 2, per = "run" })"})
    expect_model_gradients(hidden_oscillator(start) + kRegularizers);
}

TEST(LearnedStart, HasRowsForWindowsSeriesOrTheRun) {
  const auto shape_for = [](const std::string& per) {
    const MadeModel made(
        hidden_oscillator(R"({ start = "learned", mean = 0, sd = 1, per = ")" + per + "\" }"), 5);
    return NetworkSet<double>(*made.model).tensors().back().tensor;
  };
  EXPECT_EQ(shape_for("window").name, "start.v");
  EXPECT_EQ(shape_for("window").shape, (std::vector<std::size_t>{5, 3}));
  EXPECT_EQ(shape_for("series").shape, (std::vector<std::size_t>{5, 3}));
  EXPECT_EQ(shape_for("run").shape, (std::vector<std::size_t>{1, 3}));
}

// mean + sd · pace · (constant + slope · standard θ): of k, between 0.1 and 2, the middle is 1.05.
TEST(LearnedStart, FollowsThetaByItsSlopes) {
  const MadeModel made(hidden_oscillator(R"({ start = "learned", mean = 0.3, sd = 0.5 })"), 1);
  ThreadPool pool(1);
  Engine<double> engine(made.plan, made.data->windows(), pool, {.capacity = 1});
  std::vector<double> weights(engine.n_weights());
  const std::size_t first = engine.networks().n_network_weights();
  weights[first] = 0.02;
  weights[first + 1] = -0.01;
  engine.set_weights(weights);
  const std::vector<std::size_t> windows{0};
  const auto start_at = [&](double k) {
    Trajectories<double> kept;
    kept.observed.emplace_back(engine.n_outputs());
    kept.initial.assign(2, std::vector<double>(1));
    engine.forward({&made.data->windows(), windows, std::vector<double>{k, 0.5}}, &kept);
    return kept.initial[1][0];
  };
  EXPECT_NEAR(start_at(1.05), 0.3 + 0.5 * kStartPace * 0.02, 1e-12);
  EXPECT_NEAR(start_at(2), 0.3 + 0.5 * kStartPace * (0.02 - 0.01), 1e-12);
}

TEST(SmoothedStart, IsThePolynomialThroughTheObservedSnapshots) {
  DataTable table;
  table.file = "made";
  table.time = {0, 1, 3, 0, 2};
  table.lines.resize(5);
  table.series = {{"a", 0, 3}, {"b", 3, 2}};
  const Column line{"x", 1, 1, std::vector<double>{1, 3, 7, 5, std::nan("")}};
  const Column smooth = smoothed(line, table, 3, 1);
  EXPECT_NEAR(smooth.at(0), 1, 1e-12);
  EXPECT_NEAR(smooth.at(2), 7, 1e-12);  // nothing follows in its series
  EXPECT_NEAR(smooth.at(3), 5, 1e-12);  // a missing value does not count
  const Column rough{"x", 1, 1, std::vector<double>{1.5, 2, 7.5, 0, 0}};
  EXPECT_NEAR(smoothed(rough, table, 3, 0).at(0), 11.0 / 3, 1e-12);
  EXPECT_NEAR(smoothed(rough, table, 3, 2).at(0), 1.5, 1e-12);
}

// `window` alone reads what is observed; inputs and other columns are named, and parameters may stand beside
// them.
TEST(Encoder, ReadsInputsOfTheWindow) {
  const auto model_with = [](const std::string& inputs) {
    return kDrivenTheory + "[network.enc]\ninputs = [" + inputs + R"toml(]
hidden = [3]
activation = "tanh"
outputs = ["start"]
[composition]
x = "theory.x + 0.1*enc.start"
[observe]
x = "x"
)toml" + kRungeKutta;
  };
  const MadeModel made(model_with(R"("window", "window.push", "window.y", "k")"), 3);
  const BoundNetwork& network = made.model->networks[0];
  EXPECT_EQ(network.rate, Rate::sample);
  EXPECT_EQ(network.inputs.size(), 2U + 2 + 2 + 1);  // two observed snapshots
  EXPECT_EQ(network.input_of, (std::vector<std::size_t>{0, 0, 1, 1, 2, 2, 3}));
  expect_model_gradients(model_with(R"("window", "window.push", "k")") + R"toml(
[regularizers]
all = "mean(norm2(theory)) + k*d"
[train]
regularizer = "all"
)toml");
}

}  // namespace
}  // namespace greybox
