// Steps whose trajectories run away are learned from over a part of their windows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "data/scratch_folder.hpp"
#include "greybox/train.hpp"

namespace greybox::test {
namespace {

class ShortenedWindows : public ScratchFolder {
 protected:
  // x swings around 1. With x' = w a x² where it is learned, it soon runs away within a window.
  Model model(const std::string& theory) const {
    std::string text = "series,time,x\n";
    for (int s = 0; s < 8; ++s)
      for (int k = 0; k < 21; ++k)
        text += fmt::format("{},{},{:.5f}\n", s, 0.1 * k, 1 + 0.5 * std::sin(0.3 * k + s));
    write("data.csv", text);
    return Model::read(write("model.toml", fmt::format(R"toml(
[data]
file = "data.csv"
[parameters]
a = {{ prior = "uniform", low = 0.5, high = 1.5 }}
[state]
x = "x"
[theory]
x = "{}"
[network.fD]
inputs  = ["x", "a"]
hidden  = [8]
outputs = ["x"]
[observe]
x = "x"
[solver]
method = "rk4"
[train]
epochs = 40
batch  = 4
rate   = 0.3
grow   = 0
)toml",
                                                       theory)));
  }

  Run trained(const Model& of, const TrainOptions& options = {}) const {
    TrainOptions asked = options;
    asked.execution.n_threads = 1;
    return train(of, asked);
  }
};

TEST_F(ShortenedWindows, AreNoRemedyForAModelThatFailsFromTheStart) {
  for (const TrainMode mode : {TrainMode::adaptive, TrainMode::inductive})
    EXPECT_EQ(trained(model("10 * a * x^2"), {.mode = mode}).outcome(), TrainOutcome::diverged);
}

// A network that drives the infected below 0 makes them run away in finite time, in the first epidemic that
// textbooks fit.
TEST_F(ShortenedWindows, LetAnEpidemicBeLearned) {
  std::string text = "day,in_bed\n";
  int day = 0;
  for (const int n : {3, 8, 26, 76, 225, 298, 258, 233, 189, 128, 68, 29, 14, 4})
    text += fmt::format("{},{}\n", day++, n);
  write("school.csv", text);
  const Model of = Model::read(write("school.toml", R"toml(
[data]
file = "school.csv"
[parameters]
contact_rate  = { prior = "lognormal", mean = "log(2.7)", sd = 0.5 }
recovery_rate = { prior = "lognormal", mean = "log(1.1)", sd = 0.5 }
[state]
I = "in_bed"
susceptible = "1 - in_bed / 763"
[theory]
I = "contact_rate * susceptible * I - recovery_rate * I"
susceptible = "-contact_rate * susceptible * I / 763"
[network.correction]
inputs  = ["I", "susceptible", "contact_rate", "recovery_rate", "theory"]
hidden  = [32, 32]
activation = "tanh"
outputs = ["I"]
[observe]
in_bed = "I"
[solver]
method = "tsit5"
[regularizers]
size = "mean(norm2(network))"
[train]
regularizer = "size"
lambda = 0.01
recipe = "auto"
epochs = 600
)toml"));
  const Run run = trained(of);
  EXPECT_EQ(run.outcome(), TrainOutcome::finished) << run.message();
  ASSERT_EQ(run.warnings().size(), 1U);
  EXPECT_NE(run.warnings()[0].find("or windows cut short"), std::string::npos) << run.warnings()[0];
}

}  // namespace
}  // namespace greybox::test
