// Networks with constraints: what they promise, with random weights, and their gradients.
#include <gtest/gtest.h>

#include <cmath>

#include "model/engine_harness.hpp"
#include "model/model_texts.hpp"
#include "model/point_evaluator.hpp"

namespace greybox::test {
namespace {

std::string constrained(const std::string& keys, const std::string& activation = "tanh") {
  return kParameters + R"toml(
[state]
x = "x"
v = "v"
[theory]
x = "v"
v = "-k*x - d*v"
[network.fD]
inputs = ["x", "v", "k"]
hidden = [9, 7]
outputs = ["x", "v"]
activation = ")toml" +
         activation + "\"\n" + keys + R"toml(
[observe]
x = "x"
v = "v"
[scales]
x = 0.7
v = 0.6
)toml" + kRungeKutta;
}

// f_D with weights several times as large as networks begin with.
class Correction {
 public:
  explicit Correction(const std::string& keys)
      : made_(constrained(keys), 2), evaluator_(evaluator_of(made_)) {}

  std::vector<double> at(double x, double v) {
    std::vector<double> out(2);
    evaluator_.network(0, std::vector<double>{x, v}, out);
    return out;
  }

 private:
  static Evaluator evaluator_of(const MadeModel& made) {
    std::vector<double> weights = initial_weights(NetworkSet<double>(*made.model).tensors(), 3);
    for (double& weight : weights) weight *= 4;
    return make_evaluator({made.spec, made.model, made.plan, made.data}, weights,
                          std::vector<double>{0.8, 0.3}, 0);
  }
  MadeModel made_;
  Evaluator evaluator_;
};

// Points that are no grid.
template <class Visit>
void for_points(Visit visit) {
  for (int i = 0; i < 40; ++i) visit(3 * std::sin(1.3 * i + 0.2), 2 * std::cos(2.1 * i + 0.4));
}

TEST(Constraints, PositiveOutputsAreAboveZero) {
  Correction correction("positive = true");
  for_points([&](double x, double v) {
    for (double value : correction.at(x, v)) EXPECT_GT(value, 0);
  });
}

TEST(Constraints, BoundedOutputsStayBetween) {
  Correction correction("bounded = [-0.2, 0.5]");
  double least = 1, most = -1;
  for_points([&](double x, double v) {
    for (double value : correction.at(x, v)) least = std::min(least, value), most = std::max(most, value);
  });
  EXPECT_GT(least, -0.2);
  EXPECT_LT(most, 0.5);
  EXPECT_GT(most - least, 0.1);
}

TEST(Constraints, ZeroAtZeroForEveryOtherInput) {
  Correction both(R"(zero_at_zero = ["x", "v"])"), one(R"(zero_at_zero = ["x"])");
  for (double value : both.at(0, 0)) EXPECT_NEAR(value, 0, 1e-14);
  EXPECT_GT(std::abs(both.at(0, 0.5)[0]), 1e-6);
  for_points([&](double x, double v) {
    for (double value : one.at(0, v)) EXPECT_NEAR(value, 0, 1e-14);
    EXPECT_GT(std::abs(one.at(x, v)[0]), 1e-6);
  });
}

TEST(Constraints, OddAndEvenInSomeInputs) {
  Correction odd(R"(odd = ["x", "v"])"), even(R"(even = ["v"])");
  for_points([&](double x, double v) {
    for (std::size_t o : {0u, 1u}) {
      EXPECT_EQ(odd.at(-x, -v)[o], -odd.at(x, v)[o]);
      EXPECT_EQ(even.at(x, -v)[o], even.at(x, v)[o]);
    }
    EXPECT_NE(even.at(-x, v)[0], even.at(x, v)[0]);
  });
}

TEST(Constraints, MonotoneInSomeInputs) {
  Correction correction("increasing = [\"x\"]\ndecreasing = [\"v\"]");
  double steepest = 0;
  for_points([&](double x, double v) {
    for (std::size_t o : {0u, 1u}) {
      EXPECT_GE(correction.at(x + 0.3, v)[o], correction.at(x, v)[o]);
      EXPECT_LE(correction.at(x, v + 0.3)[o], correction.at(x, v)[o]);
      steepest = std::max(steepest, correction.at(x + 0.3, v)[o] - correction.at(x, v)[o]);
    }
  });
  EXPECT_GT(steepest, 0.01);
}

TEST(Constraints, CorrectionsAddUpToZero) {
  Correction correction("sums_to_zero = true");
  for_points([&](double x, double v) {
    const std::vector<double> values = correction.at(x, v);
    EXPECT_NEAR(values[0] + values[1], 0, 1e-14);
    EXPECT_NE(values[0], 0);
  });
}

TEST(Constraints, TwinsHaveNoWeightsOfTheirOwn) {
  const MadeModel plain(constrained(""), 2), odd(constrained("odd = [\"x\"]"), 2);
  EXPECT_EQ(odd.model->networks.size(), 2u);
  EXPECT_EQ(NetworkSet<double>(*odd.model).n_weights(), NetworkSet<double>(*plain.model).n_weights());
  EXPECT_EQ(NetworkSet<double>(*odd.model).tensors().size(),
            NetworkSet<double>(*plain.model).tensors().size());
}

TEST(Constraints, GradientsAreExact) {
  for (const char* keys :
       {"positive = true", "bounded = [-0.2, 0.5]", "bounded = [1, 2]", "zero_at_zero = [\"x\", \"v\"]",
        "zero_at_zero = [\"x\", \"v\", \"k\"]", "odd = [\"x\"]\nbounded = [-1, 1]",
        "even = [\"v\"]\npositive = true", "increasing = [\"x\"]\ndecreasing = [\"k\"]\npositive = true",
        "sums_to_zero = true"})
    expect_model_gradients(constrained(keys) + kRegularizers, 2e-7, {1, 7});
}

}  // namespace
}  // namespace greybox::test
