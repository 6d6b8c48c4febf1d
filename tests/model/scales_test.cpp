// Scales of networks, states and losses: measured, given, left out.
#include "greybox/scales.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "model/engine.hpp"
#include "model/engine_harness.hpp"
#include "model/model_texts.hpp"
#include "model/objective.hpp"
#include "model/settled_scales.hpp"

namespace greybox::test {
namespace {

// C around 0.5 ± 0.05 and T around 350 ± 10, with periods of 2π; five series of 41 rows.
DataTable reactor_table() {
  DataTable table;
  table.file = "made.csv";
  std::vector<double> c, t;
  for (std::size_t s = 0; s < 5; ++s) {
    table.series.push_back({fmt::format("s{}", s), table.time.size(), 41});
    for (std::size_t k = 0; k < 41; ++k) {
      const double time = 0.1 * static_cast<double>(k), phase = 1.3 * static_cast<double>(s);
      table.time.push_back(time);
      table.lines.push_back(0);
      c.push_back(0.5 + 0.05 * std::sin(time + phase));
      t.push_back(350 + 10 * std::cos(time + phase));
    }
  }
  table.columns = {{"C", 1, 1, std::move(c)}, {"T", 1, 1, std::move(t)}};
  return table;
}

const std::string kReactor = R"toml(
[parameters]
k = { prior = "uniform", low = 6e10, high = 8e10 }
[state]
C = "C"
T = "T"
[theory]
C = "-k * exp(-8750 / T) * C"
T = "200 * k * exp(-8750 / T) * C"
[observe]
C = "C"
T = "T"
[regularizers]
size = "mean(norm2(network))"
)toml";

const std::string kReactorNetwork = R"toml(
[network.fD]
inputs  = ["C", "T", "k"]
hidden  = [8]
outputs = ["C", "T"]
)toml";

LoadedModel reactor(const std::string& top, const std::string& rest) {
  const auto spec = std::make_shared<const ModelSpec>(parse_model_spec(
      top + "[data]\nfile = \"made.csv\"\nwindow = { length = 11 }\n" + kReactor + rest, "made.toml"));
  return assemble(spec, std::make_shared<const DataTable>(reactor_table()));
}

TEST(Scales, AreThoseOfTheTrainingData) {
  const LoadedModel loaded = reactor("", kReactorNetwork);
  const Scales& scales = loaded.spec->scales.value();
  EXPECT_NEAR(scales.observed.at("T"), 7, 1);
  EXPECT_NEAR(scales.observed.at("C"), 0.035, 0.005);
  EXPECT_NEAR(scales.states.at("T"), scales.observed.at("T"), 1e-12);
  const NetworkScales& network = scales.networks.at("fD");
  ASSERT_EQ(network.input_mean.size(), 3U);
  EXPECT_NEAR(network.input_mean[1], 350, 3);
  EXPECT_NEAR(network.input_scale[1], 7, 1);
  EXPECT_NEAR(network.input_mean[2], 7e10, 1e9);
  EXPECT_NEAR(network.input_scale[2], 2e10 / std::sqrt(12.0), 1e9);
  // Rates of change: d(10 cos t)/dt, and in C.
  ASSERT_EQ(network.output_scale.size(), 2U);
  EXPECT_NEAR(network.output_scale[0], 0.035, 0.006);
  EXPECT_NEAR(network.output_scale[1], 7, 1.2);
}

TEST(Scales, OfAnOutputCountWhatItDoes) {
  const LoadedModel loaded = reactor("", R"toml(
[network.fD]
inputs  = ["C", "T", "k"]
hidden  = [8]
outputs = ["r"]
[data_driven]
C = "-fD.r"
T = "1000 * fD.r"
)toml");
  // 1000 r may be as fast as T, about 7; r as fast as C, about 0.035: the smaller of both.
  EXPECT_NEAR(loaded.spec->scales->networks.at("fD").output_scale[0], 0.007, 0.0012);
}

TEST(Scales, MayBeGiven) {
  const LoadedModel loaded = reactor("", R"toml(
[scales]
T = 20
[network.fD]
inputs  = ["C", "T", "k"]
hidden  = [8]
outputs = ["C", "T"]
input_mean = [0, 300, 0]
output_scale = [1, "1/4"]
)toml");
  const Scales& scales = loaded.spec->scales.value();
  EXPECT_EQ(scales.states.at("T"), 20);
  EXPECT_EQ(scales.observed.at("T"), 20);
  EXPECT_LT(scales.observed.at("C"), 1);
  EXPECT_EQ(scales.networks.at("fD").input_mean, (std::vector<double>{0, 300, 0}));
  EXPECT_EQ(scales.networks.at("fD").output_scale, (std::vector<double>{1, 0.25}));
  EXPECT_NEAR(scales.networks.at("fD").input_scale[1], 7, 1);
}

TEST(Scales, NoneLeavesTheModelAsItIs) {
  const LoadedModel loaded = reactor("scale = \"none\"\n", kReactorNetwork);
  EXPECT_FALSE(loaded.spec->scales.has_value());
  EXPECT_EQ(loaded.model->observed[1].scale, 1);
  // Networks may differ from the rest.
  const LoadedModel network = reactor("scale = \"none\"\n", kReactorNetwork + "scale = \"auto\"\n");
  EXPECT_TRUE(network.spec->scales->observed.empty());
  EXPECT_EQ(network.spec->scales->networks.size(), 1U);
  EXPECT_EQ(network.model->states[1].scale, 1);
}

// Sum of squares of a regularizer's network part and of L, with all weights but the last biases zero.
TEST(Scales, CountInLossAndNorm) {
  const LoadedModel plain = reactor("scale = \"none\"\n", kReactorNetwork);
  const LoadedModel scaled = reactor("scale = \"none\"\n", kReactorNetwork + R"toml(
output_scale = [0.5, 5]
[scales]
C = 0.1
T = 20
)toml");
  ThreadPool pool(1);
  const auto evaluate = [&](const LoadedModel& loaded) {
    Engine<double> engine(loaded.plan, loaded.data->windows(), pool, {.capacity = 1});
    std::vector<double> weights(engine.n_weights());
    weights[weights.size() - 2] = 0.02;
    weights[weights.size() - 1] = 0.3;
    engine.set_weights(weights);
    const std::vector<std::size_t> windows = {3};
    const std::vector<double> theta = {7e8};  // cold enough to stay where it is
    engine.forward({&loaded.data->windows(), windows, theta});
    Objective<double> objective(loaded.model, {1, 0, std::size_t{0}}, 1);
    return objective.evaluate(engine, {1, 1});
  };
  EXPECT_NEAR(evaluate(plain).regularizer, 0.02 * 0.02 + 0.3 * 0.3, 1e-12);
  EXPECT_NEAR(evaluate(scaled).regularizer, std::pow(0.5 * 0.02 / 0.1, 2) + std::pow(5 * 0.3 / 20, 2), 1e-12);
  EXPECT_LT(evaluate(scaled).loss, evaluate(plain).loss);
}

TEST(Scales, GradientsAreExact) {
  expect_model_gradients(with_encoder() + kRegularizers + "[scales]\nx = 0.3\n");
  expect_model_gradients(with_hypernetwork() + kRegularizers + "[scales]\nv = 2\n");
  expect_model_gradients(reaction_model() + kRegularizers + "[scales]\nu = 0.4\n");
  expect_model_gradients(algebraic_model() + kRegularizers + "[scales]\ny = 3\n");
}

}  // namespace
}  // namespace greybox::test
