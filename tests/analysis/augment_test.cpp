// Expert augmentation: an estimator that reads parameters the data do not have, and everything else
// untouched.
#include "greybox/augment.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numeric>

#include "data/npz.hpp"
#include "data/scratch_folder.hpp"
#include "greybox/predict.hpp"
#include "greybox/train.hpp"
#include "train/run_record.hpp"

namespace greybox {
namespace {

constexpr const char* kModel = R"toml(name = "decay"
scale = "none"
[data]
file   = "data.csv"
window = { length = 6, observed = 4, stride = 2 }
split  = { train = 0.7, test = 0.3 }
[parameters]
k = { prior = "uniform", low = 0.5, high = 1.5 }
[state]
x = "x"
[theory]
x = "-k * x"
[network.rest]
inputs  = ["x", "k"]
hidden  = [8]
activation = "tanh"
outputs = ["x"]
[network.encoder]
inputs  = "window"
hidden  = [16, 16]
activation = "tanh"
outputs = ["raw"]
[estimator]
k = "4 * sigmoid(encoder.raw)"
[observe]
x = "x"
[regularizers]
normD = "mean(norm2(network))"
[train]
regularizer = "normD"
lambda = 0.1
epochs = 60
batch  = 8
rate   = [1e-2, 1e-3]
)toml";

// x' = -k x - 0.3: the theory lacks the constant. Starts on both sides of 0 keep it apart from the theory.
std::string decays(double low, double high, int n_series) {
  std::string text = "series,time,x,true_k\n";
  for (int s = 0; s < n_series; ++s) {
    const double k = low + (high - low) * (s + 0.5) / n_series,
                 start = (s % 2 == 0 ? 1 : -1) * (1 + 0.2 * (s % 5));
    for (int i = 0; i < 12; ++i) {
      const double t = 0.2 * i;
      text += fmt::format("{},{},{},{}\n", s, t, (start + 0.3 / k) * std::exp(-k * t) - 0.3 / k, k);
    }
  }
  return text;
}

class Augment : public test::ScratchFolder {
 protected:
  Augment() {
    write("data.csv", decays(1, 1, 12));
    write("model.toml", kModel);
  }

  Run trained(TrainMode mode) const {
    TrainOptions options;
    options.folder = path("run-" + to_string(mode));
    options.mode = mode;
    options.execution.n_threads = 1;
    return train(Model::read(path("model.toml")), options);
  }

  AugmentOptions request(const std::string& folder) const {
    AugmentOptions options;
    options.theta = {{"k", 0.3, 3}};
    options.windows = 400;
    options.epochs = 40;
    options.folder = path(folder);
    options.execution.n_threads = 1;
    return options;
  }

  // Of the estimator on decays that the truth is known of, while they are far from rest: there k shows.
  double true_error(const Run& run) const {
    PredictOptions options;
    options.data = Table::read(write("others.csv", decays(0.5, 2.5, 40)));
    options.execution.n_threads = 1;
    const std::vector<double> theta = predict(run, options).theta;
    double squares = 0;
    constexpr std::size_t n_windows = 4;  // of each series
    EXPECT_EQ(theta.size(), 40 * n_windows);
    for (std::size_t series = 0; series < 40; ++series) {
      const double k = 0.5 + 2.0 * (static_cast<double>(series) + 0.5) / 40;
      squares += std::pow(theta[series * n_windows] - k, 2);
    }
    return std::sqrt(squares / 40);
  }

  void expect_refused(const Run& run, const AugmentOptions& options, const std::string& message) const {
    try {
      augment(run, options);
      FAIL() << message;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
    EXPECT_FALSE(std::filesystem::exists(path("refused")));
  }
};

// The network was learned at the true k: what is tried is the augmentation alone.
TEST_F(Augment, TheEstimatorReadsWhatTheDataDoNotHave) {
  const Run run = refit(trained(TrainMode::inductive), {{"k", 1}}, {.execution = {.n_threads = 1}});
  for (std::uint64_t seed : {0, 1, 2}) {
    AugmentOptions options = request(fmt::format("augmented{}", seed));
    options.seed = seed;
    const Augmentation report = augment(run, options);
    EXPECT_EQ(report.n_windows, 400U);
    EXPECT_LT(report.errors.at(0).after, 0.25 * report.errors.at(0).before) << seed;
    // A prior of one number would have an error of 0.58: the spread of k itself.
    EXPECT_LT(true_error(report.run), 0.25) << seed;
  }
  EXPECT_GT(true_error(run), 0.5);
}

TEST_F(Augment, LeavesAllButTheEstimatorAsItWas) {
  const Run run = trained(TrainMode::inductive);
  const Augmentation report = augment(run, request("augmented"));
  EXPECT_EQ(report.run.folder(), path("augmented"));
  const std::vector<NamedArray> before = read_npz(path("run-inductive/weights.npz")),
                                after = read_npz(path("augmented/weights.npz"));
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].first, after[i].first);
    const bool is_same = before[i].second.to_doubles() == after[i].second.to_doubles();
    EXPECT_EQ(is_same, !before[i].first.starts_with("encoder.")) << before[i].first;
  }
  EXPECT_EQ(bytes_of(path("augmented/model.toml")), bytes_of(path("run-inductive/model.toml")));
  EXPECT_EQ(read_record(path("augmented")).ledger.back().command, "augment");
  EXPECT_EQ(read_record(path("augmented")).theta, run.record()->theta);
}

TEST_F(Augment, DoesNotDependOnThreads) {
  const Run run = trained(TrainMode::inductive);
  AugmentOptions one = request("one"), two = request("two");
  one.epochs = two.epochs = 2;
  two.execution.n_threads = 2;
  augment(run, one);
  augment(run, two);
  EXPECT_EQ(bytes_of(path("one/weights.npz")), bytes_of(path("two/weights.npz")));
}

// Recorded from the loop that fitted estimators before there was one loop for everything; vector widths
// differ in the last bits.
TEST_F(Augment, GivesTheRecordedNumbers) {
  AugmentOptions options = request("augmented");
  options.epochs = 3;
  const Augmentation report = augment(trained(TrainMode::inductive), options);
  // The model is trained in single precision before.
  EXPECT_NEAR(report.errors.at(0).before, 0.80009522827573665, 1e-6);
  EXPECT_NEAR(report.errors.at(0).after, 0.73813641368815286, 1e-6);
  const std::map<std::string, double> sums = {{"rest.0.weight", -2.0464746244251728},
                                              {"encoder.0.weight", 4.9216920839129275},
                                              {"encoder.1.weight", -2.057633353041695},
                                              {"encoder.2.weight", -0.53291134581874688},
                                              {"encoder.2.bias", -0.24556828540089309}};
  std::size_t n_found = 0;
  for (const auto& [name, array] : read_npz(path("augmented/weights.npz"))) {
    if (!sums.contains(name)) continue;
    const std::vector<double> values = array.to_doubles();
    EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0), sums.at(name), 1e-6) << name;
    ++n_found;
  }
  EXPECT_EQ(n_found, sums.size());
}

TEST_F(Augment, ContinuesAfterAnInterruptionToTheSameBits) {
  const Run run = trained(TrainMode::inductive);
  AugmentOptions options = request("whole");
  options.epochs = 6;
  augment(run, options);

  options.folder = path("parts");
  std::atomic<bool> cancel = false;
  std::size_t n_reports = 0;
  options.execution.cancel = &cancel;
  options.execution.progress = [&](const ProgressReport& report) {
    if (report.epoch == nullptr) return;
    ++n_reports;
    cancel = report.epoch->epoch == 4;
  };
  const Augmentation first = augment(run, options);
  EXPECT_EQ(first.run.outcome(), TrainOutcome::interrupted);
  EXPECT_EQ(first.run.message(), "interrupted after 4 of 6 epochs; the same call continues");
  EXPECT_TRUE(first.errors.empty());
  EXPECT_FALSE(read_record(path("parts")).is_finished());
  cancel = false;

  AugmentOptions other = options;
  other.theta = {{"k", 0.3, 2}};
  expect_refused(run, other, "the checkpoint belongs to other data");
  EXPECT_EQ(augment(run, options).run.outcome(), TrainOutcome::finished);
  EXPECT_EQ(n_reports, 6U);
  for (const char* file : {"weights.npz", "curves.csv"})
    EXPECT_EQ(bytes_of(path("parts") / file), bytes_of(path("whole") / file)) << file;
}

TEST_F(Augment, DivergenceIsAnOutcome) {
  trained(TrainMode::inductive);
  std::string text = kModel;
  text.replace(text.find("[1e-2, 1e-3]"), 12, "1e200\nclip_norm = inf\nclip_value = inf");
  write("run-inductive/model.toml", text);
  const Augmentation report = augment(Run::open(path("run-inductive")), request("out"));
  EXPECT_EQ(report.run.outcome(), TrainOutcome::diverged);
  EXPECT_NE(report.run.message().find("training the estimator diverged in epoch "), std::string::npos)
      << report.run.message();
  EXPECT_TRUE(report.errors.empty());
  // With options that do not diverge it starts anew.
  write("run-inductive/model.toml", kModel);
  EXPECT_EQ(augment(Run::open(path("run-inductive")), request("out")).run.outcome(), TrainOutcome::finished);
}

TEST_F(Augment, AnAdaptiveRunNeedsToBeToldItsTheta) {
  const Run run = trained(TrainMode::adaptive);
  AugmentOptions options = request("refused");
  options.epochs = 2;
  expect_refused(run, options, "no θ of its own");
  options.at = {{"k", 1}};
  EXPECT_EQ(augment(run, options).errors.size(), 1U);
}

TEST_F(Augment, RefusesWhatCannotBeDone) {
  const Run run = trained(TrainMode::inductive);
  AugmentOptions options = request("refused");
  options.theta = {{"kk", 0, 1}};
  expect_refused(run, options, "no parameter `kk`");
  options.theta = {{"k", 2, 1}};
  expect_refused(run, options, "not a range");
  options = request("refused");
  options.windows = 3;
  expect_refused(run, options, "too few");
  expect_refused(run, request("run-inductive"), "a finished run");
  std::string without = kModel;
  without.erase(without.find("[network.encoder]"),
                without.find("[observe]") - without.find("[network.encoder]"));
  write("model.toml", without);
  std::filesystem::remove_all(path("run-inductive"));
  expect_refused(trained(TrainMode::inductive), request("refused"), "no [estimator]");
}

TEST_F(Augment, InterruptedAtOnceItLeavesNoFinishedRun) {
  const std::atomic<bool> cancel = true;
  AugmentOptions options = request("out");
  options.execution.cancel = &cancel;
  EXPECT_EQ(augment(trained(TrainMode::inductive), options).run.outcome(), TrainOutcome::interrupted);
  EXPECT_FALSE(std::filesystem::exists(path("out/weights.npz")));
}

TEST_F(Augment, InMemoryGivesTheWeightsOfAFolder) {
  const Run run = trained(TrainMode::inductive);
  AugmentOptions options = request("folder");
  options.epochs = 3;
  const Augmentation in_folder = augment(run, options);
  options.folder.clear();
  const Augmentation in_memory = augment(run, options);
  EXPECT_TRUE(in_memory.run.folder().empty());
  EXPECT_EQ(in_memory.run.weights(), in_folder.run.weights());
  EXPECT_EQ(in_memory.errors.at(0).after, in_folder.errors.at(0).after);
}

// An estimator that is not trained must not decay either.
TEST_F(Augment, TrainingLeavesTheEstimatorAsItWas) {
  TrainOptions options;
  options.execution.n_threads = 1;
  std::vector<std::vector<double>> encoders;
  for (std::size_t epochs : {1, 5}) {
    options.folder = path(fmt::format("run{}", epochs));
    options.epochs = epochs;
    train(Model::read(path("model.toml")), options);
    for (const auto& [name, array] : read_npz(options.folder / "weights.npz"))
      if (name == "encoder.0.weight" || name == "rest.0.weight") encoders.push_back(array.to_doubles());
  }
  ASSERT_EQ(encoders.size(), 4U);
  EXPECT_NE(encoders[0], encoders[2]);
  EXPECT_EQ(encoders[1], encoders[3]);
}

}  // namespace
}  // namespace greybox
