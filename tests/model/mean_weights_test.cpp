// What counts how much in a mean: every term over the same evaluations, whether it changes along them or not.
#include <gtest/gtest.h>

#include <cmath>

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

// Of x(t) that hardly moves and a term that moves a lot: steps that x needs are far too long for the mean.
struct TimeAverages {
  TimeAverages(const std::string& method, const std::string& tolerance, const std::string& term)
      : made(text(method, tolerance, term), kSamples) {
    engine.set_weights(std::vector<double>(engine.n_weights()));
    const std::vector<std::size_t> windows = made.data->all();
    const std::vector<double> theta(kSamples, 1);
    engine.forward({&made.data->windows(), windows, theta});
  }

  static std::string text(const std::string& method, const std::string& tolerance, const std::string& term) {
    return "[parameters]\nk = { prior = \"uniform\", low = 0.1, high = 5 }\n[state]\nx = \"x\"\n[theory]\n"
           "x = \"-1e-6*k*x\"\n[network.fD]\ninputs = [\"x\"]\nhidden = [3]\noutputs = [\"x\"]\n"
           "[observe]\nx = \"x\"\n[solver]\nmethod = \"" +
           method + "\"\nmeans = \"time\"\nrelative_tolerance = " + tolerance +
           "\nabsolute_tolerance = " + tolerance + "\n[regularizers]\nmoving = \"mean(" + term + ")\"\n";
  }

  // The largest error of a sample's mean of sin(40 t)².
  double error() const {
    double largest = 0;
    for (std::size_t i = 0; i < kSamples; ++i) {
      const Window& window = made.data->windows().windows[i];
      const std::vector<double>& time = made.data->table().time;
      const double end = time[window.first_row + window.n_rows - 1] - time[window.first_row];
      const double exact = 0.5 - std::sin(80 * end) / (160 * end);
      const double mean = engine.term_sums(0)[i] / engine.term_weights(0)[i];
      largest = std::max(largest, std::abs(mean - exact));
    }
    return largest;
  }

  static constexpr std::size_t kSamples = 5;
  MadeModel made;
  ThreadPool pool{1};
  Engine<double> engine{made.plan, made.data->windows(), pool, EngineOptions{.capacity = kSamples}};
};

TEST(TimeAverage, IsAsExactAsTheToleranceSays) {
  for (const char* method : {"dopri5", "tsit5", "kvaerno3", "kvaerno5"}) {
    EXPECT_LT(TimeAverages(method, "1e-5", "sin(40*t)^2").error(), 1e-3) << method;
    EXPECT_LT(TimeAverages(method, "1e-9", "sin(40*t)^2").error(), 1e-7) << method;
  }
}

TEST(TimeAverage, OfWhatIsNotFiniteStopsNoTrajectory) {
  const TimeAverages averages("tsit5", "1e-6", "log(t - 100)");
  for (const Outcome outcome : averages.engine.outcomes()) EXPECT_EQ(outcome, Outcome::finished);
}

// Steps end at the jump without counting down to nothing.
TEST(TimeAverage, OfWhatJumpsIsFound) {
  const TimeAverages averages("tsit5", "1e-6", "where(t > 0.1, 1, 0)");
  for (std::size_t i = 0; i < TimeAverages::kSamples; ++i) {
    ASSERT_EQ(averages.engine.outcomes()[i], Outcome::finished);
    const double span = averages.engine.term_weights(0)[i];
    EXPECT_NEAR(averages.engine.term_sums(0)[i], span - 0.1, 1e-4) << i;
  }
}

}  // namespace
}  // namespace greybox::test
