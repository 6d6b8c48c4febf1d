// The examples on lines, trained as their files say: what the theory lacks is found, and so is θ.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "greybox/train.hpp"
#include "support/paths.hpp"

namespace greybox {
namespace {

Run trained_example(const std::string& name) {
  TrainOptions options;
  options.mode = TrainMode::inductive;
  options.seed = 0;
  options.execution.n_threads = 1;
  return train(Model::read(std::filesystem::path(kSourceFolder) / "examples" / (name + ".toml")), options);
}

// Made with a = 0.012 and a heater of 1.5 exp(-((x - 0.3) / 0.12)²).
TEST(LineExamples, ARodTellsItsConductivityAndWhereItIsHeated) {
  const greybox::Run run = trained_example("rod");
  ASSERT_EQ(run.outcome(), TrainOutcome::finished) << run.message();
  const Theta theta = run.record()->theta;
  EXPECT_NEAR(theta.at("a"), 0.012, 0.0012);
  Evaluator f = run.evaluator(theta, 0);
  EXPECT_EQ(f.n_inputs(), 32U);
  std::vector<double> state(f.n_states()), heat(f.n_components());
  f.initial_state(state);
  f.network(0, state, heat);
  for (std::size_t i = 0; i < heat.size(); ++i) {
    const double x = static_cast<double>(i) / 31;
    EXPECT_NEAR(heat[i], 1.5 * std::exp(-std::pow((x - 0.3) / 0.12, 2)), 0.15) << x;
  }
}

// Made with nu = 0.01 and a friction of -0.8 u.
TEST(LineExamples, BurgersHasItsViscosityInSpiteOfFriction) {
  const greybox::Run run = trained_example("burgers");
  ASSERT_EQ(run.outcome(), TrainOutcome::finished) << run.message();
  const Theta theta = run.record()->theta;
  EXPECT_NEAR(theta.at("nu"), 0.01, 0.002);
  Evaluator f = run.evaluator(theta);
  for (const double u : {-0.4, 0.2, 0.5}) {
    std::vector<double> friction(32);
    f.network(0, std::vector<double>(32, u), friction);
    EXPECT_NEAR(friction[7], -0.8 * u, 0.1) << u;
  }
}

}  // namespace
}  // namespace greybox
