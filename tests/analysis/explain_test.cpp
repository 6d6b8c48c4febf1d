// Explanations: a correction that is written out in the model is found again.
#include "greybox/explain.hpp"

#include <Eigen/Core>

#include "analysis/explain/formula.hpp"
#include "analysis/tank.hpp"

namespace greybox::test {
namespace {

ExplainOptions at_true_rate() {
  ExplainOptions options;
  options.theta = {{"k", kTankRate}};
  return options;
}

TEST(Explain, FindsTheLawThatTheTheoryLacks) {
  const greybox::Run run = train(tank_model(), tank_table(), {.execution = {.n_threads = 1}});
  const Explanation explanation = explain(run, at_true_rate());
  ASSERT_EQ(explanation.candidates.size(), 1U);
  const FormulaCandidate& candidate = explanation.candidates.front();
  ASSERT_EQ(candidate.terms.size(), 1U) << candidate.formula;
  EXPECT_EQ(candidate.terms.front().text, "level^2");
  EXPECT_NEAR(candidate.terms.front().coefficient, -0.3, 1e-6);
  EXPECT_EQ(candidate.formula, "-0.3*level^2");
  EXPECT_EQ(candidate.theory, "u - k * level - 0.3*level^2");
  EXPECT_GT(candidate.r2, 0.9999);
  ASSERT_EQ(explanation.dependences.size(), 2U) << "of one component on level and u";
  const PartialDependence &on_level = explanation.dependences[0], &on_u = explanation.dependences[1];
  EXPECT_GT(on_level.strength, 0.8);
  EXPECT_LT(on_u.strength, 1e-3);
  for (std::size_t i = 0; i < on_level.x.size(); ++i)
    EXPECT_NEAR(on_level.mean[i], -0.3 * on_level.x[i] * on_level.x[i], 1e-6);
  const ComponentShare& share = explanation.shares.front();
  EXPECT_NEAR(share.share,
              share.network * share.network / (share.theory * share.theory + share.network * share.network),
              1e-12);
  EXPECT_EQ(share.time.size(), 5U);
}

TEST(Explain, WritesAModelWithTheLawInItsTheory) {
  const greybox::Run run = train(tank_model(), tank_table(), {.execution = {.n_threads = 1}});
  const std::string text = model_with_candidates(run, explain(run, at_true_rate()), "");
  const Model extended = Model::parse(text, "extended");
  EXPECT_EQ(extended.name(), "tank-extended");
  for (const EquationInfo& equation : extended.equations())
    if (equation.section == "theory") {
      EXPECT_EQ(equation.text, "u - k * level - 0.3*level^2");
    }
}

TEST(Explain, TriesTermsThatAreGiven) {
  const greybox::Run run = train(tank_model({.correction = "0.2 * exp(-level) + 1e-9 * fD.level"}),
                                 tank_table(), {.execution = {.n_threads = 1}});
  ExplainOptions options = at_true_rate();
  options.terms = {"exp(-level)"};
  const Explanation explanation = explain(run, options);
  EXPECT_EQ(explanation.candidates.front().formula, "0.2*exp(-level)");
  options.terms = {"exp(-levle)"};
  try {
    explain(run, options);
    FAIL() << "the term was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("`levle` is not"), std::string::npos) << error.what();
  }
}

TEST(Explain, HasNoFormulaWithoutWindowsToLeaveOut) {
  const greybox::Run run = train(tank_model(), tank_table(), {.execution = {.n_threads = 1}});
  ExplainOptions options = at_true_rate();
  const std::vector<double> time = {0, 0.1, 0.2, 0.3, 0.4, 0.5}, level(6, 0.5), pump(6, 0.5);
  const std::vector<std::string> series(6, "s");
  Table one_window;
  one_window.series(series).time(time).column("level", level).column("pump", pump);
  options.data = one_window;
  const Explanation explanation = explain(run, options);
  EXPECT_TRUE(explanation.candidates.empty());
  ASSERT_FALSE(explanation.warnings.empty());
  EXPECT_NE(explanation.warnings.back().find("one window"), std::string::npos) << explanation.warnings.back();
}

TEST(FitFormula, LeavesOutWhatNoiseSuggests) {
  constexpr Eigen::Index n = 400;
  Eigen::MatrixXd library = Eigen::MatrixXd::Random(n, 12);
  std::mt19937 random(3);
  std::normal_distribution<double> normal(0, 0.05);
  Eigen::VectorXd target = 2 * library.col(4) - library.col(7);
  std::vector<std::size_t> group;
  for (Eigen::Index i = 0; i < n; ++i) {
    target[i] += normal(random);
    group.push_back(static_cast<std::size_t>(i) / 20);
  }
  const FormulaFit fit = fit_formula(library, target, group, 6);
  EXPECT_EQ(fit.terms, (std::vector<std::size_t>{4, 7}));
  EXPECT_NEAR(fit.coefficients[0], 2, 0.02);
  EXPECT_NEAR(fit.coefficients[1], -1, 0.02);
  EXPECT_NEAR(fit.rmse, 0.05, 0.01);
  EXPECT_EQ(fit.rmse_by_size.size(), 7U);
  const FormulaFit with_any = fit_formula(library, target, group, std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(with_any.rmse_by_size.size(), 13U);
  EXPECT_EQ(with_any.terms, fit.terms);
}

}  // namespace
}  // namespace greybox::test
