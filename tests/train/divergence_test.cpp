#include "train/divergence.hpp"

#include <gtest/gtest.h>

namespace greybox {
namespace {

NonFinite at(NonFiniteValue value) {
  return {.value = value, .window = 7, .theta = {{"a", 1.25}, {"c", -3}}, .time = 0.5};
}

TEST(Divergence, SaysWhatWasNotFinite) {
  EXPECT_EQ(to_sentence(at(NonFiniteValue::state)),
            "window 7 at a = 1.25, c = -3: the state became non-finite after t = 0.5");
  EXPECT_EQ(to_sentence(at(NonFiniteValue::solver_steps)),
            "window 7 at a = 1.25, c = -3: the solver had used up its `max_steps` at t = 0.5");
  EXPECT_EQ(to_sentence(at(NonFiniteValue::prediction)),
            "window 7 at a = 1.25, c = -3: the prediction is not finite");
  EXPECT_EQ(to_sentence(at(NonFiniteValue::regularizer_term)),
            "window 7 at a = 1.25, c = -3: a term of the regularizer is not finite");
  EXPECT_EQ(to_sentence(at(NonFiniteValue::gradient)),
            "the gradient of this batch (its first: window 7 at a = 1.25, c = -3) is not finite");
  EXPECT_EQ(to_sentence(NonFinite{.value = NonFiniteValue::regularizer, .window = 2, .theta = {}}),
            "the regularizer of this batch (its first: window 2) is not finite");
}

TEST(Divergence, SaysWhereAndWhatMayHelp) {
  Divergence divergence{.epoch = 2, .step = 3, .n_steps = 4, .cause = at(NonFiniteValue::prediction)};
  EXPECT_EQ(to_sentence(divergence),
            "training diverged in epoch 2, step 3 of 4: window 7 at a = 1.25, c = -3: the prediction is not "
            "finite; try a smaller `rate` in [train], a smaller `step` in [solver], or method = \"dopri5\", "
            "which chooses its steps, or tighter bounds of the parameters");
  divergence.is_of_estimator = true;
  EXPECT_EQ(
      to_sentence(divergence),
      "training the estimator diverged in epoch 2, step 3 of 4: window 7 at a = 1.25, c = -3: the "
      "prediction is not finite; try a smaller rate, a smaller `step` in [solver], or method = \"dopri5\", "
      "which chooses its steps, or bounds in [estimator] within which trajectories stay finite");
}

std::string cure_of(const Divergence& divergence) {
  const std::string sentence = to_sentence(divergence);
  return sentence.substr(sentence.rfind("; ") + 2);
}

TEST(Divergence, AdvisesAStepOnlyWhereThereIsOne) {
  Divergence divergence{.epoch = 1, .step = 1, .n_steps = 1, .cause = at(NonFiniteValue::prediction)};
  divergence.solver = {.is_adaptive = true};
  EXPECT_EQ(cure_of(divergence), "try a smaller `rate` in [train] or tighter bounds of the parameters");
  divergence.solver = {.has_solver = false};
  EXPECT_EQ(cure_of(divergence), "try a smaller `rate` in [train] or tighter bounds of the parameters");
}

TEST(Divergence, BeforeTheFirstUpdateTheRateIsNotToBlame) {
  Divergence divergence{.epoch = 1, .step = 1, .n_steps = 1, .cause = at(NonFiniteValue::prediction)};
  divergence.is_before_first_update = true;
  EXPECT_EQ(cure_of(divergence).find("nothing has been learned yet, so the rate is not to blame"), 0U);
  divergence.site = DivergenceSite{.sentence = "`x` runs away", .is_theory_alone = false};
  EXPECT_EQ(cure_of(divergence).find("nothing has been learned yet, so the rate is not to blame"), 0U);
}

TEST(Divergence, HasACureForEachKind) {
  Divergence divergence{.epoch = 1, .step = 1, .n_steps = 1, .cause = at(NonFiniteValue::state)};
  divergence.site = DivergenceSite{.kind = DivergenceKind::coarse,
                                   .sentence = "`x` runs away",
                                   .finer_step = 0.01,
                                   .is_theory_alone = true};
  EXPECT_EQ(
      to_sentence(divergence),
      "training diverged in epoch 1, step 1 of 1: window 7 at a = 1.25, c = -3: `x` runs away; the theory "
      "alone diverges too; the steps are too long for these equations: step = 0.01 in [solver], or "
      "method = \"dopri5\", which chooses its steps, or \"kvaerno5\" where they are stiff");
  divergence.site->kind = DivergenceKind::domain;
  divergence.site->remedy = "keep it above 0";
  EXPECT_EQ(cure_of(divergence), "keep it above 0");
  divergence.cause.value = NonFiniteValue::solver_steps;
  divergence.solver = {.is_adaptive = true, .max_steps = 12};
  divergence.site.reset();
  EXPECT_EQ(
      cure_of(divergence),
      "raise `max_steps` (12) or `relative_tolerance` in [solver], or set method = \"kvaerno5\" there, for "
      "equations too stiff for that");
  divergence.solver.is_implicit = true;
  EXPECT_EQ(cure_of(divergence),
            "raise `max_steps` (12) or `relative_tolerance` in [solver], or narrow the priors");
}

}  // namespace
}  // namespace greybox
