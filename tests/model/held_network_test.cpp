// A held network gives what it gave at its own θ, whatever θ the theory is at.
#include "model/held_network.hpp"

#include <gtest/gtest.h>

#include "model/made_model.hpp"
#include "model/prediction.hpp"

namespace greybox {
namespace {

// `theory` is the last input of the network.
std::string algebraic(const std::string& theory = "theory") {
  return R"toml(
[parameters]
a = { prior = "uniform", low = 0, high = 2 }
c = { prior = "uniform", low = -3, high = 3 }
[define]
phase = "x + c"
[theory]
y = "a * sin(phase)"
[network.fD]
inputs  = ["x", "a", "phase", "theory.y", ")toml" +
         theory + R"toml("]
hidden  = [5]
outputs = ["z"]
[data_driven]
y = "fD.z * a"
[regularizers]
normD = "mean(norm2(network))"
)toml";
}

const std::vector<double> kHeld = {1.5, -0.5}, kOther = {0.25, 2};

struct Held {
  Held(const std::string& text, std::size_t n_samples)
      : made(text, n_samples), loaded{made.spec, made.model, made.plan, made.data} {
    held.spec = std::make_shared<const ModelSpec>(with_held_network(*made.spec, kHeld));
    const std::vector<std::string> columns = column_names(*made.spec, made.data->table());
    held.model = bind_model(held.spec, &columns);
    held.plan = std::make_shared<const ExecutionPlan>(held.model);
    held.data = std::make_shared<const PreparedData>(held.model, made.data->table());
    weights = initial_weights(NetworkSet<double>(*made.model).tensors(), 7);
  }

  std::vector<double> values(const LoadedModel& model, const std::vector<double>& theta,
                             const std::string& name) {
    ThreadPool pool(1);
    const Prediction prediction = make_prediction<double>(model, {weights, model.data->all(), theta}, pool);
    for (const PredictedVariable& variable : prediction.variables)
      if (variable.name == name) return variable.values;
    return {};
  }

  test::MadeModel made;
  LoadedModel loaded, held;
  std::vector<double> weights;
};

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  ASSERT_FALSE(found.empty());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-14);
}

TEST(HeldNetwork, KeepsItsOwnThetaWhileTheTheoryMoves) {
  Held it(algebraic(), 12);
  expect_near(it.values(it.held, kOther, "network.y"), it.values(it.loaded, kHeld, "network.y"));
  expect_near(it.values(it.held, kOther, "theory.y"), it.values(it.loaded, kOther, "theory.y"));
  EXPECT_NE(it.values(it.loaded, kOther, "network.y"), it.values(it.loaded, kHeld, "network.y"));
}

TEST(HeldNetwork, ChangesNothingAtItsOwnTheta) {
  Held it(algebraic(), 12);
  expect_near(it.values(it.held, kHeld, "y"), it.values(it.loaded, kHeld, "y"));
}

TEST(HeldNetwork, TakesThetaPerWindow) {
  Held it(algebraic(), 2);
  std::vector<double> rows = kHeld;
  rows.insert(rows.end(), kOther.begin(), kOther.end());
  const std::vector<double> both = it.values(it.loaded, rows, "y");
  EXPECT_EQ(both.at(0), it.values(it.loaded, kHeld, "y").at(0));
  EXPECT_EQ(both.at(1), it.values(it.loaded, kOther, "y").at(1));
}

TEST(HeldNetwork, RefusesTheWholeTheoryInsideAnExpression) {
  const test::MadeModel made(algebraic("norm2(theory)"), 3);
  try {
    with_held_network(*made.spec, kHeld);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("`theory` as a whole"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("theory.y"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace greybox
