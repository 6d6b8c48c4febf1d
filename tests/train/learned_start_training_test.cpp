// Trainings that learn where hidden states start.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "data/scratch_folder.hpp"
#include "greybox/train.hpp"
#include "model/prediction.hpp"
#include "train/start_fit.hpp"

namespace greybox {
namespace {

using test::ScratchFolder;

// An upper tank that nobody measures runs into a lower one that is.
class LearnedStarts : public ScratchFolder {
 protected:
  static constexpr int kSeries = 16, kSnapshots = 10;
  static double upper_start(int series) { return 1.2 + 0.1 * series; }

  static std::string data(int first = 0) {
    std::string text = "series,time,lower\n";
    for (int s = first; s < first + kSeries; ++s) {
      double upper = upper_start(s), lower = 0.5 + 0.05 * (s % 5);
      for (int k = 0; k < kSnapshots; ++k) {
        text += fmt::format("s{},{:.1f},{}\n", s, 0.2 * k, lower);
        for (int i = 0; i < 20; ++i) {
          const double flow = 0.01 * upper;
          lower += flow - 0.01 * 0.5 * lower;
          upper -= flow;
        }
      }
    }
    return text;
  }

  std::filesystem::path model(const std::string& start, const std::string& train) const {
    write("data.csv", data());
    return write("model.toml", R"toml(
[data]
file   = "data.csv"
window = { observed = 5 }
split  = { train = 0.5, validation = 0.5, by = "series" }
[parameters]
k = { prior = "uniform", low = 0.9, high = 1.1 }
[state]
upper = )toml" + start + R"toml(
lower = "lower"
[theory]
upper = "-k*upper"
lower = "k*upper - 0.5*lower"
[network.fD]
inputs  = ["lower", "k"]
hidden  = [4]
outputs = ["lower"]
[observe]
lower = "lower"
[regularizers]
normD = "mean(norm2(network))"
[train]
regularizer = "normD"
lambda = 1.0
batch = 4
rate = [5e-3, 5e-4]
)toml" + train);
  }

  // Mean error of where the upper tank starts, in windows of a split.
  static double error_on(const LoadedModel& loaded, const std::vector<double>& weights, Split split) {
    ThreadPool pool(1);
    const std::vector<std::size_t> windows = loaded.data->of_split(split);
    const Prediction prediction = make_prediction<double>(loaded, {weights, windows, {1.0}, {}, true}, pool);
    double sum = 0;
    for (std::size_t i = 0; i < windows.size(); ++i) {
      const Window& window = loaded.data->windows().windows[windows[i]];
      const int series = std::stoi(loaded.data->table().series[window.series].name.substr(1));
      sum += std::abs(prediction.initial[0].values[i] - upper_start(series));
    }
    return sum / static_cast<double>(windows.size());
  }
};

constexpr const char* kPerWindow = R"({ start = "learned", prior = "normal", mean = 2, sd = 0.5 })";
constexpr const char* kLognormal =
    R"toml({ start = "learned", prior = "lognormal", mean = "log(2)", sd = 0.3, per = "series" })toml";

TEST_F(LearnedStarts, AreFoundInWindowsThatAreLearnedFromAndInOthers) {
  for (const char* start : {kPerWindow, kLognormal}) {
    const Run run = train(Model::read(model(start, "epochs = 150\n")), {.execution = {.n_threads = 1}});
    const LoadedModel loaded = run.dataset().loaded();
    const std::vector<double> nothing(run.weights().size());
    EXPECT_GT(error_on(loaded, nothing, Split::train), 0.2);
    EXPECT_LT(error_on(loaded, run.weights(), Split::train), 0.1);
    EXPECT_LT(error_on(loaded, run.weights(), Split::validation), 0.1);
  }
}

// Its looks at the landscape are taken with the starts of training windows.
TEST_F(LearnedStarts, AreLearnedByRecipeAutoToo) {
  const Run run = train(Model::read(model(kPerWindow, "recipe = \"auto\"\nepochs = 150\n")),
                        {.execution = {.n_threads = 1}});
  EXPECT_EQ(run.outcome(), TrainOutcome::finished);
  EXPECT_LT(error_on(run.dataset().loaded(), run.weights(), Split::train), 0.1);
}

TEST_F(LearnedStarts, OfOneForTheWholeRunAreKnownEverywhere) {
  const Run run =
      train(Model::read(model(R"({ start = "learned", prior = "uniform", low = 0, high = 4, per = "run" })",
                              "epochs = 3\n")),
            {.execution = {.n_threads = 1}});
  const LoadedModel own = run.dataset().loaded();
  const std::vector<double>& weights = run.weights();
  EXPECT_EQ(weights.size(), NetworkSet<double>(*own.model).n_network_weights() + 2);
  EXPECT_NE(weights[weights.size() - 2], 0);
}

TEST_F(LearnedStarts, ContinueWithTheSameBits) {
  const Model learned = Model::read(model(kPerWindow, "epochs = 6\nvalidate_every = 2\nkeep_best = true\n"));
  const Run whole = train(learned, {.folder = path("whole"), .execution = {.n_threads = 1}});
  std::atomic<bool> cancel = false;
  TrainOptions options{.folder = path("parts"), .execution = {.n_threads = 2, .cancel = &cancel}};
  options.execution.progress = [&](const ProgressReport& report) { cancel = report.epoch->epoch == 3; };
  EXPECT_EQ(train(learned, options).outcome(), TrainOutcome::interrupted);
  cancel = false;
  options.execution.progress = nullptr;
  options.resume = true;
  const Run parts = train(learned, options);
  EXPECT_EQ(parts.weights(), whole.weights());
  EXPECT_EQ(Run::open(path("parts")).weights(), whole.weights());
}

// Starts of other data are fitted to their observed snapshots alone.
TEST_F(LearnedStarts, OfOtherDataRestOnObservedSnapshots) {
  const Run run = train(Model::read(model(kPerWindow, "epochs = 20\n")), {.execution = {.n_threads = 1}});
  const auto on = [&](const std::string& text) {
    const LoadedModel loaded = assemble(run.model().spec(), Table::read(write("other.csv", text)).data());
    ThreadPool pool(1);
    const std::vector<double> weights =
        weights_on(loaded, *bind_model(run.model().spec(), nullptr), run.weights(), {.variance = 1e-4}, pool);
    return std::vector<double>(
        weights.begin() + static_cast<std::ptrdiff_t>(NetworkSet<double>(*loaded.model).n_network_weights()),
        weights.end());
  };
  std::string text = data(2);
  const std::vector<double> starts = on(text);
  EXPECT_EQ(starts.size(), 2U * kSeries);
  // What comes after the fifth snapshot of a series does not count.
  const std::size_t later = text.find("s2,1.8,");
  text.replace(later, text.find('\n', later) - later, "s2,1.8,99");
  EXPECT_EQ(on(text), starts);
  const std::size_t early = text.find("s2,0.6,");
  text.replace(early, text.find('\n', early) - early, "s2,0.6,3");
  EXPECT_NE(on(text), starts);
}

}  // namespace
}  // namespace greybox
