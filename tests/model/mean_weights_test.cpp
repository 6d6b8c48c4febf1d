// What counts how much in a mean: every term over the same evaluations, whether it changes along them or not.
#include <gtest/gtest.h>

#include "model/made_model.hpp"
#include "model/objective.hpp"
#include "model/window_regularizer.hpp"

namespace greybox::test {
namespace {

class MeansOf : public ::testing::TestWithParam<std::string> {
 protected:
  static constexpr std::size_t kSamples = 7;

  MeansOf() {
    std::vector<double> weights(engine_.n_weights(), 0.2);
    engine_.set_weights(weights);
    for (std::size_t i = 0; i < kSamples; ++i) {
      windows_.push_back(i);
      theta_.push_back(0.2 + 0.1 * static_cast<double>(i * i));
    }
    engine_.forward(samples());
  }

  // Windows of 3 to 5 snapshots; R 0 does not depend on time for the eye of a reader, R 1 for that of a
  // program.
  static std::string text() {
    return R"toml([parameters]
k = { prior = "uniform", low = 0.1, high = 5 }
[state]
x = "x"
[theory]
x = "-k*x"
[network.fD]
inputs = ["x"]
hidden = [3]
outputs = ["x"]
[observe]
x = "x"
[solver]
)toml" + GetParam() +
           "\n[regularizers]\nfixed = \"mean(k^2)\"\nmoving = \"mean(k^2 + 1e-300*t)\"\n";
  }

  Samples<double> samples() const { return {&made_.data->windows(), windows_, theta_}; }
  double value(std::size_t regularizer) {
    Objective<double> objective(made_.model, {.loss_weight = 0, .lambda = 1, .regularizer = regularizer},
                                kSamples);
    const double value = objective.evaluate(engine_, {kSamples, kSamples}).total;
    std::vector<double> grad_weights(engine_.n_weights());
    gradient_.assign(kSamples, 0);
    engine_.backward(samples(), objective.cotangents(engine_, {kSamples, kSamples}), grad_weights, gradient_);
    return value;
  }

  MadeModel made_{text(), kSamples};
  ThreadPool pool_{1};
  Engine<double> engine_{made_.plan, made_.data->windows(), pool_,
                         EngineOptions{.capacity = kSamples, .is_differentiable = true}};
  std::vector<std::size_t> windows_;
  std::vector<double> theta_, gradient_;
};

TEST_P(MeansOf, DoNotDependOnWhatDoesNotChangeThem) {
  const double fixed = value(0);
  const std::vector<double> of_fixed = gradient_;
  EXPECT_NEAR(fixed, value(1), 1e-13);
  for (std::size_t i = 0; i < kSamples; ++i) EXPECT_NEAR(of_fixed[i], gradient_[i], 1e-13) << i;
  double plain = 0;
  for (double k : theta_) plain += k * k / kSamples;
  EXPECT_GT(std::abs(fixed - plain), 1e-3);  // longer windows count more
}

INSTANTIATE_TEST_SUITE_P(Solvers, MeansOf,
                         ::testing::Values("method = \"rk4\"", "method = \"rk4\"\nmeans = \"time\"",
                                           "method = \"tsit5\"\nmeans = \"time\""));

}  // namespace
}  // namespace greybox::test
