// Theories side by side: the better one is found, and what cannot be compared is refused.
#include "greybox/theories.hpp"

#include "analysis/tank.hpp"

namespace greybox::test {
namespace {

// Learns its θ with the data.
Run learned(const TankModel& model, double noise = 0.02) {
  TrainOptions options;
  options.mode = TrainMode::inductive;
  options.epochs = 60;
  options.execution.n_threads = 1;
  return train(tank_model(model), tank_table(noise), options);
}

TEST(CompareTheories, TellsTheTheoryThatKnowsTheLaw) {
  const std::string none = "1e-9 * fD.level";
  const greybox::Run wrong = learned({.name = "linear", .correction = none});
  const greybox::Run corrected = learned({.name = "corrected"});
  const greybox::Run right =
      learned({.name = "quadratic", .theory = "u - k * level - 0.3 * level^2", .correction = none});
  const TheoryComparison comparison =
      compare_theories({wrong, corrected, right}, {.execution = {.n_threads = 1}});
  ASSERT_EQ(comparison.theories.size(), 3U);
  EXPECT_EQ(comparison.split, "test");
  const ComparedTheory &linear_law = comparison.theories[0], &with_network = comparison.theories[1],
                       &quadratic = comparison.theories[2];
  EXPECT_NEAR(quadratic.log_likelihood, with_network.log_likelihood, 0.05) << "the same right-hand side";
  EXPECT_GT(linear_law.behind_best, linear_law.behind_best_error);
  EXPECT_GT(with_network.network_share, 0.05);
  EXPECT_LT(quadratic.network_share, 1e-6);
  EXPECT_NEAR(quadratic.theta.at("k"), kTankRate, 0.1);
  for (const ComparedTheory& theory : comparison.theories) {
    ASSERT_EQ(theory.outputs.size(), 1U);
    ASSERT_EQ(theory.verdicts.verdicts.size(), 1U);
    EXPECT_EQ(theory.verdicts.verdicts.front().parameter, "k");
  }
}

TEST(CompareTheories, RefusesOtherData) {
  const greybox::Run one = learned({}), other = learned({.name = "other"}, 0.03);
  for (const std::vector<greybox::Run>& runs :
       {std::vector<greybox::Run>{one, other}, std::vector<greybox::Run>{one}}) {
    try {
      compare_theories(runs);
      FAIL() << "accepted " << runs.size();
    } catch (const InputError& error) {
      const std::string part = runs.size() == 1 ? "nothing to be compared with" : "other data than";
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace greybox::test
