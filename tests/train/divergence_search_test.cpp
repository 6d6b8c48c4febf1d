#include "train/divergence_search.hpp"

#include <gtest/gtest.h>

#include "model/engine.hpp"
#include "model/made_model.hpp"

namespace greybox::test {
namespace {

// A state and a network of small weights; `theory` is the derivative of the state.
struct Found {
  Found(const std::string& theory, const std::string& solver, double weight = 0.1) {
    const MadeModel made(R"toml([parameters]
k = { prior = "uniform", low = 0.1, high = 2 }
[state]
x = "x"
[theory]
x = ")toml" + theory + R"toml("
[network.fD]
inputs = ["x"]
hidden = [3]
outputs = ["x"]
[observe]
x = "x"
[solver]
)toml" + solver,
                         3);
    const LoadedModel loaded{made.spec, made.model, made.plan, made.data};
    ThreadPool pool(1);
    const Engine<double> engine(made.plan, made.data->windows(), pool, {.capacity = 1});
    const std::vector<double> weights(engine.n_weights(), weight);
    const NonFinite cause{.value = NonFiniteValue::state, .window = 2, .theta = {{"k", 1}}, .time = 0};
    site = search_divergence(loaded, weights, cause);
  }

  std::optional<DivergenceSite> site;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(DivergenceSearch, NamesTheFunctionAndItsArgument) {
  const Found found("-20 * k * sqrt(x + 0.7)", "method = \"rk4\"");
  ASSERT_TRUE(found.site);
  EXPECT_EQ(found.site->kind, DivergenceKind::domain);
  EXPECT_TRUE(has(found.site->sentence, "the theory of `x` has sqrt of a negative number (-"))
      << found.site->sentence;
  EXPECT_TRUE(has(found.site->remedy, "sqrt(max(x, 0))"));
  EXPECT_EQ(found.site->is_theory_alone, true);
}

TEST(DivergenceSearch, TellsCoarseStepsFromARunaway) {
  const Found stiff("-4000 * k * (x - 0.1)", "method = \"rk4\"");
  ASSERT_TRUE(stiff.site);
  EXPECT_EQ(stiff.site->kind, DivergenceKind::coarse) << stiff.site->sentence;
  EXPECT_LT(stiff.site->finer_step, 2.8 / 4000);
  const Found runaway("50 * k * (x^2 + 1)", "method = \"rk4\"");
  ASSERT_TRUE(runaway.site);
  EXPECT_EQ(runaway.site->kind, DivergenceKind::runaway);
  EXPECT_TRUE(has(runaway.site->sentence, "`x` runs away, from ")) << runaway.site->sentence;
}

TEST(DivergenceSearch, TellsTheNetworkFromTheTheory) {
  const Found found("-k * x", "method = \"rk4\"", 1e7);
  ASSERT_TRUE(found.site);
  EXPECT_EQ(found.site->is_theory_alone, false) << found.site->sentence;
}

TEST(DivergenceSearch, FindsNothingWhereNothingIs) {
  EXPECT_FALSE(Found("-k * x", "method = \"rk4\"").site);
}

}  // namespace
}  // namespace greybox::test
