// Steps whose trajectories are not finite are tried again with other θ.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "data/scratch_folder.hpp"
#include "greybox/train.hpp"

namespace greybox::test {
namespace {

// The root has no value over the lowest part of the prior.
class Redraws : public ScratchFolder {
 protected:
  Model model(double part) const {
    std::string text = "x,y\n";
    for (int i = 0; i < 40; ++i) text += fmt::format("{0},{0}\n", 0.1 * i);
    write("data.csv", text);
    return Model::read(write("model.toml", fmt::format(R"toml(
[data]
file = "data.csv"
[parameters]
a = {{ prior = "uniform", low = 0, high = 1 }}
[theory]
y = "sqrt(a - {}) * x"
[network.fD]
inputs  = ["x", "a"]
hidden  = [8]
outputs = ["y"]
[train]
epochs = 20
batch  = 8
)toml",
                                                       part)));
  }

  Run trained(const Model& of, const TrainOptions& options = {}) const {
    TrainOptions asked = options;
    asked.execution.n_threads = 1;
    return train(of, asked);
  }
};

TEST_F(Redraws, KeepATrainingAlive) {
  const Run run = trained(model(0.1));
  EXPECT_EQ(run.outcome(), TrainOutcome::finished) << run.message();
  ASSERT_EQ(run.warnings().size(), 1U);
  EXPECT_NE(run.warnings()[0].find(
                "of 100 steps trajectories diverged or used up `max_steps`, and other θ were drawn"),
            std::string::npos)
      << run.warnings()[0];
}

TEST_F(Redraws, AreNotMadeWithoutNeed) {
  EXPECT_TRUE(trained(model(0)).warnings().empty());
}

TEST_F(Redraws, EndWhereNothingIsFinite) {
  EXPECT_EQ(trained(model(2)).outcome(), TrainOutcome::diverged);
}

TEST_F(Redraws, AreOfNoUseForACommonTheta) {
  EXPECT_EQ(trained(model(2), {.mode = TrainMode::inductive}).outcome(), TrainOutcome::diverged);
}

TEST_F(Redraws, AreTheSameAfterAResume) {
  const Model of = model(0.1);
  std::atomic<bool> cancel = false;
  TrainOptions stopped{.folder = path("run"), .execution = {.n_threads = 1}};
  stopped.execution.cancel = &cancel;
  stopped.execution.progress = [&](const ProgressReport& report) { cancel = report.n_done == 7; };
  ASSERT_EQ(train(of, stopped).outcome(), TrainOutcome::interrupted);
  const Run resumed = train(of, {.folder = path("run"), .resume = true, .execution = {.n_threads = 1}});
  const Run whole = trained(of);
  EXPECT_EQ(resumed.weights(), whole.weights());
  EXPECT_EQ(resumed.warnings(), whole.warnings());
}

// With steps of 1, x' = -8 x grows a hundredfold at each: to 1e20, which is finite.
TEST_F(Redraws, AreMadeWhereTrajectoriesAreFiniteAndFarFromAllData) {
  std::string text = "series,time,x\n";
  for (int series = 0; series < 12; ++series)
    for (int k = 0; k <= 10; ++k)
      text += fmt::format("{},{},{}\n", series, k, (1 + 0.1 * series) * std::exp(-0.3 * k));
  write("decay.csv", text);
  const Run run = trained(Model::read(write("decay.toml", R"toml(
[data]
file = "decay.csv"
[parameters]
k = { prior = "uniform", low = 0.1, high = 8 }
[state]
x = "x"
[theory]
x = "-k * x"
[network.fD]
inputs  = ["x", "k"]
hidden  = [8]
outputs = ["x"]
[observe]
x = "x"
[solver]
method = "rk4"
step = 1
[train]
epochs = 30
batch  = 6
grow = 0
)toml")));
  EXPECT_EQ(run.outcome(), TrainOutcome::finished) << run.message();
  EXPECT_LT(run.record()->loss, 1e13);  // and not 1e40
  ASSERT_EQ(run.warnings().size(), 1U);
  const std::string& said = run.warnings()[0];
  EXPECT_NE(said.find("trajectories diverged"), std::string::npos) << said;
  EXPECT_NE(said.find("`x` runs away"), std::string::npos) << said;
  EXPECT_NE(said.find("the steps are too long for these equations: step = 0."), std::string::npos) << said;
}

}  // namespace
}  // namespace greybox::test
