// What counts alike in L: every value, or every window.
#include <gtest/gtest.h>

#include "model/engine_harness.hpp"

namespace greybox::test {
namespace {

// Windows of 3 to 5 snapshots.
std::string weighted_text(const std::string& weigh, const std::string& noise = "") {
  return R"toml([parameters]
k = { prior = "uniform", low = 0.1, high = 5 }
d = { prior = "uniform", low = 0.1, high = 5 }
[state]
x = "x"
v = "v"
[theory]
x = "v"
v = "-k*x - d*v"
[network.fD]
inputs = ["x", "v"]
hidden = [3]
outputs = ["v"]
[observe]
x = "x"
v = "v"
)toml" + noise +
         "[regularizers]\nnormD = \"mean(norm2(network))\"\n[train]\nweigh = \"" + weigh + "\"\n";
}

struct Losses {
  explicit Losses(const std::string& weigh) : made(weighted_text(weigh), kSamples) {
    for (std::size_t i = 0; i < kSamples; ++i)
      theta.insert(theta.end(), {1 + 0.3 * static_cast<double>(i), 0.2});
    engine.set_weights(std::vector<double>(engine.n_weights(), 0.1));
    const std::vector<std::size_t> windows = made.data->all();
    engine.forward({&made.data->windows(), windows, theta});
    Objective<double> objective(made.model, {}, kSamples);
    total = objective.evaluate(engine, {kSamples, kSamples}).loss;
  }

  static constexpr std::size_t kSamples = 6;
  MadeModel made;
  ThreadPool pool{1};
  Engine<double> engine{made.plan, made.data->windows(), pool, EngineOptions{.capacity = kSamples}};
  std::vector<double> theta;
  double total = 0;
};

TEST(LossWeighting, IsByValuesOrByWindows) {
  const Losses values("values"), windows("windows");
  double sum = 0, n = 0, of_means = 0;
  for (std::size_t i = 0; i < Losses::kSamples; ++i) {
    const double error = values.engine.squared_errors()[i], count = values.engine.n_compared()[i];
    EXPECT_EQ(windows.engine.squared_errors()[i], error) << i;
    EXPECT_EQ(windows.engine.n_compared()[i], count) << i;
    sum += error;
    n += count;
    of_means += error / count / static_cast<double>(Losses::kSamples);
  }
  EXPECT_NEAR(values.total, sum / n, 1e-15);
  EXPECT_NEAR(windows.total, of_means, 1e-15);
  EXPECT_GT(std::abs(values.total - windows.total), 1e-3);
}

TEST(LossWeighting, GradientsOfWindows) {
  expect_model_gradients(weighted_text("windows"));
  expect_model_gradients(weighted_text("windows", "[noise]\nx = { sd = 0.3 }\n"));
}

}  // namespace
}  // namespace greybox::test
