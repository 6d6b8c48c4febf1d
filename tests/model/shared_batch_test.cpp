// A batch whose blocks are shared among processes: the bits of one process.
#include <gtest/gtest.h>

#include "model/engine_harness.hpp"
#include "model/model_texts.hpp"
#include "support/thread_ranks.hpp"

namespace greybox::test {
namespace {

constexpr std::size_t kLimit = std::size_t{1} << 30;

// All samples share one learned start.
const std::string kHiddenOscillator = kParameters + R"toml([state]
x = "x"
v = { start = "learned", mean = 0.3, sd = 0.5, per = "run" }
[theory]
x = "v"
v = "-k*x - d*v"
[network.fD]
inputs = ["x", "v", "k", "d"]
hidden = [4]
activation = "tanh"
outputs = ["v"]
[observe]
x = "x"
[scales]
x = 1
)toml" + kRungeKutta;

struct Derivatives {
  double objective = 0;
  std::vector<double> of_weights, of_theta, of_noise;
};

Derivatives derivatives(const std::string& text, std::size_t n_samples, std::size_t n_threads,
                        Communicator* others = nullptr, std::size_t memory_limit = kLimit) {
  EngineHarness harness(text, n_samples, n_threads, memory_limit, others);
  harness.differentiate();
  Derivatives result{harness.objective(), {}, {}, {}};
  harness.differentiate();  // once more, with what the last time left
  result.of_weights = harness.grad_weights;
  result.of_theta = harness.grad_theta;
  result.of_noise = {harness.noise_gradient(0)};
  return result;
}

void expect_same_bits(const std::string& text, std::size_t n_samples, std::size_t memory_limit = kLimit) {
  SCOPED_TRACE(text);
  const Derivatives expected = derivatives(text, n_samples, 1, nullptr, memory_limit);
  for (std::size_t n_ranks : {1, 2, 3, 5})
    ThreadRanks(n_ranks).run([&](Communicator& rank) {
      SCOPED_TRACE(fmt::format("rank {} of {}", rank.rank(), n_ranks));
      const Derivatives found = derivatives(text, n_samples, 1 + rank.rank() % 2, &rank, memory_limit);
      EXPECT_EQ(found.objective, expected.objective);
      EXPECT_EQ(found.of_weights, expected.of_weights);
      EXPECT_EQ(found.of_theta, expected.of_theta);
      EXPECT_EQ(found.of_noise, expected.of_noise);
    });
}

TEST(SharedBatch, OfIndependentBlocksHasTheSameBits) {
  expect_same_bits(encoded_oscillator() + kRegularizers, 70);
  expect_same_bits(encoded_oscillator() + kRegularizers, 130);
  expect_same_bits(algebraic_model() + kRegularizers, 600);
  expect_same_bits(reaction_model({.norm = "instance"}) + kRegularizers, 70);
}

TEST(SharedBatch, WithStepsThatBlocksChooseHasTheSameBits) {
  for (const char* method : {"dopri5", "kvaerno5"})
    expect_same_bits(
        encoded_oscillator(fmt::format("[solver]\nmethod = \"{}\"\nmeans = \"time\"\n", method)) +
            kRegularizers,
        70);
}

TEST(SharedBatch, WhereBlocksNeedEachOtherHasTheSameBits) {
  const std::string model = reaction_model({.norm = "batch"}) + kRegularizers;
  expect_same_bits(model, 70);
  expect_same_bits(model, 140);
  expect_same_bits(model, 70, 0);  // with steps that are repeated on the way back
}

TEST(SharedBatch, OfFewerBlocksThanRanksHasTheSameBits) {
  expect_same_bits(encoded_oscillator() + kRegularizers, 3);
  expect_same_bits(reaction_model({.norm = "batch"}) + kRegularizers, 3);
}

TEST(SharedBatch, WithNoiseHasTheSameBits) {
  expect_same_bits(encoded_oscillator() + kRegularizers + "[noise]\nx = { sd = 0.2 }\nv = { sd = 0.3 }\n",
                   70);
}

TEST(SharedBatch, WithASharedStartHasTheSameBits) {
  expect_same_bits(kHiddenOscillator + kRegularizers, 130);
}

TEST(SharedBatch, OfMeansOverTheDataHasTheSameBits) {
  const std::string over_data = R"toml(
[regularizers]
all = "mean(at_data(norm2(network))) + 0.3*mean(norm2(network))"
[train]
regularizer = "all"
)toml";
  expect_same_bits(encoded_oscillator() + over_data, 70);
  expect_same_bits(reaction_model({.norm = "batch"}) + over_data, 140);
}

TEST(SharedBatch, TellsAllOfSamplesThatRunAway) {
  std::string text = encoded_oscillator() + kRegularizers;
  const std::string harmless = "v = \"-k*x - drag";
  text.replace(text.find(harmless), harmless.size(), "v = \"exp(exp(exp(3*k))) - k*x - drag");
  const auto outcomes = [&](Communicator* others) {
    EngineHarness harness(text, 70, 1, kLimit, others);
    harness.theta[2 * 66] = 1.9;
    harness.objective();
    return std::vector<Outcome>(harness.outcomes().begin(), harness.outcomes().end());
  };
  const std::vector<Outcome> expected = outcomes(nullptr);
  EXPECT_NE(expected[66], Outcome::finished);
  ThreadRanks(3).run([&](Communicator& rank) { EXPECT_EQ(outcomes(&rank), expected) << rank.rank(); });
}

}  // namespace
}  // namespace greybox::test
