#include "train/window_growth.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <set>

#include "data/scratch_folder.hpp"
#include "greybox/train.hpp"

namespace greybox::test {
namespace {

// x swings around 2. The theory alone, x' = a x², is at infinity after about 1/2.
class Growth : public ScratchFolder {
 protected:
  Model model(const std::string& train, const std::string& theory = "a * x^2",
              const std::string& times = "\"t\", \"t0\",") const {
    std::string text = "series,time,x\n";
    for (int s = 0; s < 8; ++s)
      for (int k = 0; k < 41; ++k)
        text += fmt::format("{},{},{}\n", s, 0.05 * k, 2 + std::sin(0.05 * k * 3 + s));
    write("data.csv", text);
    return Model::read(write("model.toml", fmt::format(R"toml(
[data]
file  = "data.csv"
window = {{ length = 41 }}
[parameters]
a = {{ prior = "uniform", low = 0.8, high = 1.2 }}
[state]
x = "x"
[theory]
x = "{}"
[network.fD]
inputs  = ["x", {} "a", "theory.x"]
hidden  = [16, 16]
outputs = ["x"]
[observe]
x = "x"
[solver]
method = "rk4"
[train]
epochs = 30
batch = 2
rate = 1e-2
{}
)toml",
                                                       theory, times, train)));
  }

  Run trained(const Model& of, const std::string& folder) const {
    return train(of, {.seed = 1, .folder = path(folder), .execution = {.n_threads = 1}});
  }
};

TEST_F(Growth, IsByTheSameFactorEveryEpoch) {
  const Dataset dataset(model("grow = 10"));
  WindowGrowth growth(dataset.loaded(), 10);
  EXPECT_EQ(growth.n_rows(0), 2U);
  EXPECT_EQ(growth.n_rows(5), 9U);  // √(2 · 41)
  EXPECT_EQ(growth.n_rows(10), 41U);
  EXPECT_FALSE(growth.is_growing(10));
  EXPECT_EQ(growth.windows(5).windows[3].n_rows, 9U);
  EXPECT_EQ(growth.windows(10).windows[3].n_rows, 41U);
  EXPECT_EQ(WindowGrowth(dataset.loaded(), 0).n_rows(0), 41U);
}

// The nodes of multiple shooting, at measured states.
TEST_F(Growth, LooksAtAnotherPieceInEveryEpoch) {
  const Dataset dataset(model("grow = 10", "a * x^2", ""));
  WindowGrowth growth(dataset.loaded(), 10);
  const std::vector<Window> whole = growth.windows(10).windows;
  std::set<std::size_t> begins;
  for (std::size_t epoch = 0; epoch < 10; ++epoch) {
    const std::vector<Window> pieces = growth.windows(epoch).windows;
    for (std::size_t w = 0; w < whole.size(); ++w) {
      EXPECT_EQ(pieces[w].n_rows, growth.n_rows(epoch));
      EXPECT_EQ(pieces[w].series, whole[w].series);
      EXPECT_GE(pieces[w].first_row, whole[w].first_row);
      EXPECT_LE(pieces[w].first_row + pieces[w].n_rows, whole[w].first_row + whole[w].n_rows);
    }
  }
  for (std::size_t w = 0; w < 5; ++w)
    begins.insert(growth.windows(5).windows[w].first_row - whole[w].first_row);
  EXPECT_EQ(begins,
            (std::set<std::size_t>{0, 8, 16, 24, 32}));  // nine rows each, from the last of the one before
}

TEST_F(Growth, BeginsWhereItsWindowDoesWhereTheTimeSinceThenCounts) {
  const Dataset dataset(model("grow = 10"));
  WindowGrowth growth(dataset.loaded(), 10);
  const std::vector<Window> whole = growth.windows(10).windows;
  for (std::size_t w = 0; w < whole.size(); ++w)
    EXPECT_EQ(growth.windows(5).windows[w].first_row, whole[w].first_row);
}

TEST_F(Growth, IsChosenWhereTheTheoryAloneIsUnstable) {
  const Run grown = trained(model(""), "grown");
  EXPECT_EQ(grown.outcome(), TrainOutcome::finished) << grown.message();
  ASSERT_EQ(grown.warnings().size(), 1U);
  EXPECT_NE(grown.warnings()[0].find("grew over the first 10 epochs"), std::string::npos);
  EXPECT_EQ(trained(model("grow = 0"), "whole").outcome(), TrainOutcome::diverged);
  EXPECT_TRUE(trained(model("", "a * (2 - x)"), "stable").warnings().empty());
}

// Explicit steps of 0.05 oscillate without end where a > 55.
TEST_F(Growth, SaysWhenTheSolversStepsAreWhyTheTheoryIsUnstable) {
  const Run run = trained(model("", "100 * a * (2 - x)"), "coarse");
  ASSERT_FALSE(run.warnings().empty());
  EXPECT_NE(run.warnings()[0].find("set `step = 0.025` in [solver]"), std::string::npos) << run.warnings()[0];
  for (const std::string& warning : run.warnings())
    EXPECT_EQ(warning.find("the theory alone is unstable"), std::string::npos) << warning;
}

TEST_F(Growth, ResumesToTheSameBits) {
  const Model unstable = model("");
  const Run whole = trained(unstable, "whole");
  std::atomic<bool> cancel = false;
  TrainOptions parts{.seed = 1, .folder = path("parts"), .execution = {.n_threads = 1, .cancel = &cancel}};
  parts.execution.progress = [&](const ProgressReport& report) { cancel = report.epoch->epoch == 4; };
  EXPECT_EQ(train(unstable, parts).outcome(), TrainOutcome::interrupted);
  cancel = false;
  parts.execution.progress = {};
  parts.resume = true;
  EXPECT_EQ(train(unstable, parts).weights(), whole.weights());
}

}  // namespace
}  // namespace greybox::test
