// The weight of the loss as an equation of the parameters: a control that says how much the data count.
#include <gtest/gtest.h>

#include "model/engine_harness.hpp"
#include "model/model_texts.hpp"

namespace greybox::test {
namespace {

std::string controlled(const std::string& loss_weight) {
  return driven_oscillator() + R"toml(
[regularizers]
all = "k * mean(norm2(network)) + 0.2*mean(dot(theory, network))"
[train]
regularizer = "all"
)toml" + (loss_weight.empty() ? "" : "loss_weight = \"" + loss_weight + "\"\n");
}

TEST(LossWeight, HasExactGradients) {
  expect_model_gradients(controlled("1.5 - d"));
  expect_model_gradients(controlled("exp(-k)*d + 0.1"), 2e-7, {3});
}

TEST(LossWeight, MultipliesTheLoss) {
  constexpr std::size_t kSamples = 3;
  const auto of = [&](const std::string& weight) {
    EngineHarness harness(controlled(weight), kSamples, 1, std::size_t{1} << 30);
    return harness.objective();
  };
  const double plain = of(""), none = of("0"), twice = of("2");
  EXPECT_EQ(of("1"), plain);
  EXPECT_NEAR(twice - none, 2 * (plain - none), 1e-12);
  EXPECT_GT(plain - none, 1e-3);
}

}  // namespace
}  // namespace greybox::test
