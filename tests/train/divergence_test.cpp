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
            "window 7 at a = 1.25, c = -3: the solver needed too many steps after t = 0.5");
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
            "finite; try a smaller `rate` in [train], a smaller `step` in [solver], or tighter bounds of the "
            "parameters");
  divergence.is_of_estimator = true;
  EXPECT_EQ(to_sentence(divergence),
            "training the estimator diverged in epoch 2, step 3 of 4: window 7 at a = 1.25, c = -3: the "
            "prediction is not finite; try a smaller rate, a smaller `step` in [solver], or bounds in "
            "[estimator] within which trajectories stay finite");
}

}  // namespace
}  // namespace greybox
