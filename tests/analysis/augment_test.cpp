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
#include "greybox/run.hpp"
#include "greybox/train.hpp"

namespace greybox {
namespace {

constexpr const char* kModel = R"toml(name = "decay"
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

  std::filesystem::path trained(TrainMode mode) const {
    TrainOptions options;
    options.model = path("model.toml");
    options.run = path("run-" + to_string(mode));
    options.mode = mode;
    options.n_threads = 1;
    train(options);
    return options.run;
  }

  AugmentOptions request(const std::filesystem::path& run) const {
    AugmentOptions options;
    options.run = run;
    options.theta = {{"k", 0.3, 3}};
    options.windows = 400;
    options.epochs = 40;
    options.n_threads = 1;
    return options;
  }

  // Of the estimator on decays that the truth is known of, while they are far from rest: there k shows.
  double true_error(const std::filesystem::path& run) const {
    write("others.csv", decays(0.5, 2.5, 40));
    PredictOptions options;
    options.run = run;
    options.data = path("others.csv");
    options.use_estimator = true;
    options.output = path("predicted.npz");
    options.n_threads = 1;
    predict(options);
    std::vector<double> theta;
    for (const auto& [name, array] : read_npz(path("predicted.npz")))
      if (name == "theta") theta = array.to_doubles();
    double squares = 0;
    constexpr std::size_t n_windows = 4;  // of each series
    EXPECT_EQ(theta.size(), 40 * n_windows);
    for (std::size_t series = 0; series < 40; ++series) {
      const double k = 0.5 + 2.0 * (static_cast<double>(series) + 0.5) / 40;
      squares += std::pow(theta[series * n_windows] - k, 2);
    }
    return std::sqrt(squares / 40);
  }

  void expect_refused(const AugmentOptions& options, const std::string& message) const {
    try {
      augment(options);
      FAIL() << message;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
    EXPECT_FALSE(std::filesystem::exists(path("run-inductive-augmented")));
  }
};

// The network was learned at the true k: what is tried is the augmentation alone.
TEST_F(Augment, TheEstimatorReadsWhatTheDataDoNotHave) {
  RefitOptions at_truth;
  at_truth.run = trained(TrainMode::inductive);
  at_truth.theta = {{"k", 1}};
  at_truth.train.n_threads = 1;
  const std::filesystem::path run = refit(at_truth).run;
  for (std::uint64_t seed : {0, 1, 2}) {
    AugmentOptions options = request(run);
    options.seed = seed;
    options.output = path(fmt::format("augmented{}", seed));
    const AugmentReport report = augment(options);
    EXPECT_EQ(report.n_windows, 400U);
    EXPECT_LT(report.errors.at(0).after, 0.25 * report.errors.at(0).before) << seed;
    // A prior of one number would have an error of 0.58: the spread of k itself.
    EXPECT_LT(true_error(report.run), 0.25) << seed;
  }
  EXPECT_GT(true_error(run), 0.5);
}

TEST_F(Augment, LeavesAllButTheEstimatorAsItWas) {
  const std::filesystem::path run = trained(TrainMode::inductive);
  const AugmentReport report = augment(request(run));
  EXPECT_EQ(report.run, path("run-inductive-augmented"));
  const std::vector<NamedArray> before = read_npz(run / "weights.npz"),
                                after = read_npz(report.run / "weights.npz");
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].first, after[i].first);
    const bool is_same = before[i].second.to_doubles() == after[i].second.to_doubles();
    EXPECT_EQ(is_same, !before[i].first.starts_with("encoder.")) << before[i].first;
  }
  EXPECT_EQ(bytes_of(report.run / "model.toml"), bytes_of(run / "model.toml"));
  EXPECT_EQ(read_run(report.run).ledger.back().command, "augment");
  EXPECT_EQ(read_run(report.run).theta, read_run(run).theta);
}

TEST_F(Augment, DoesNotDependOnThreads) {
  const std::filesystem::path run = trained(TrainMode::inductive);
  AugmentOptions one = request(run), two = request(run);
  one.epochs = two.epochs = 2;
  one.output = path("one");
  two.output = path("two");
  two.n_threads = 2;
  augment(one);
  augment(two);
  EXPECT_EQ(bytes_of(path("one/weights.npz")), bytes_of(path("two/weights.npz")));
}

// Recorded from the loop that fitted estimators before there was one loop for everything; vector widths
// differ in the last bits.
TEST_F(Augment, GivesTheRecordedNumbers) {
  AugmentOptions options = request(trained(TrainMode::inductive));
  options.epochs = 3;
  const AugmentReport report = augment(options);
  // The model is trained in single precision before.
  EXPECT_NEAR(report.errors.at(0).before, 0.80009522827573665, 1e-6);
  EXPECT_NEAR(report.errors.at(0).after, 0.73813641368815286, 1e-6);
  const std::map<std::string, double> sums = {{"rest.0.weight", -2.0464746244251728},
                                              {"encoder.0.weight", 4.9216920839129275},
                                              {"encoder.1.weight", -2.057633353041695},
                                              {"encoder.2.weight", -0.53291134581874688},
                                              {"encoder.2.bias", -0.24556828540089309}};
  std::size_t n_found = 0;
  for (const auto& [name, array] : read_npz(report.run / "weights.npz")) {
    if (!sums.contains(name)) continue;
    const std::vector<double> values = array.to_doubles();
    EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0), sums.at(name), 1e-6) << name;
    ++n_found;
  }
  EXPECT_EQ(n_found, sums.size());
}

TEST_F(Augment, ContinuesAfterAnInterruptionToTheSameBits) {
  const std::filesystem::path run = trained(TrainMode::inductive);
  AugmentOptions options = request(run);
  options.epochs = 6;
  options.output = path("whole");
  augment(options);

  options.output = path("parts");
  std::atomic<bool> cancel = false;
  std::size_t n_reports = 0;
  options.cancel = &cancel;
  options.on_epoch = [&](const EpochReport& report) {
    ++n_reports;
    cancel = report.epoch == 4;
  };
  const AugmentReport first = augment(options);
  EXPECT_TRUE(first.is_interrupted);
  EXPECT_EQ(first.outcome, TrainOutcome::interrupted);
  EXPECT_EQ(first.message, "interrupted after 4 of 6 epochs; the same command continues");
  EXPECT_FALSE(std::filesystem::exists(path("parts/run.json")));
  cancel = false;

  AugmentOptions other = options;
  other.theta = {{"k", 0.3, 2}};
  expect_refused(other, "the checkpoint belongs to other data");
  const AugmentReport second = augment(options);
  EXPECT_EQ(second.outcome, TrainOutcome::finished);
  EXPECT_EQ(n_reports, 6U);
  for (const char* file : {"weights.npz", "curves.csv"})
    EXPECT_EQ(bytes_of(path("parts") / file), bytes_of(path("whole") / file)) << file;
}

TEST_F(Augment, DivergenceIsAnOutcome) {
  const std::filesystem::path run = trained(TrainMode::inductive);
  std::string text = kModel;
  text.replace(text.find("[1e-2, 1e-3]"), 12, "1e200\nclip_norm = inf\nclip_value = inf");
  write(std::filesystem::path("run-inductive/model.toml").string(), text);
  AugmentOptions options = request(run);
  options.output = path("out");
  const AugmentReport report = augment(options);
  EXPECT_EQ(report.outcome, TrainOutcome::diverged);
  EXPECT_NE(report.message.find("training the estimator diverged in epoch "), std::string::npos)
      << report.message;
  EXPECT_FALSE(std::filesystem::exists(path("out/weights.npz")));
  EXPECT_FALSE(std::filesystem::exists(path("out/checkpoint.npz")));
}

TEST_F(Augment, AnAdaptiveRunNeedsToBeToldItsTheta) {
  const std::filesystem::path run = trained(TrainMode::adaptive);
  AugmentOptions options = request(run);
  options.epochs = 2;
  expect_refused(options, "no θ of its own");
  options.at = {{"k", 1}};
  EXPECT_EQ(augment(options).errors.size(), 1U);
}

TEST_F(Augment, RefusesWhatCannotBeDone) {
  const std::filesystem::path run = trained(TrainMode::inductive);
  AugmentOptions options = request(run);
  options.theta = {{"kk", 0, 1}};
  expect_refused(options, "no parameter `kk`");
  options.theta = {{"k", 2, 1}};
  expect_refused(options, "not a range");
  options = request(run);
  options.windows = 3;
  expect_refused(options, "too few");
  options = request(run);
  options.output = run;
  expect_refused(options, "a finished run");
  std::string without = kModel;
  without.erase(without.find("[network.encoder]"),
                without.find("[observe]") - without.find("[network.encoder]"));
  write("model.toml", without);
  std::filesystem::remove_all(run);
  expect_refused(request(trained(TrainMode::inductive)), "no [estimator]");
}

TEST_F(Augment, InterruptedItWritesNothing) {
  const std::filesystem::path run = trained(TrainMode::inductive);
  const std::atomic<bool> cancel = true;
  AugmentOptions options = request(run);
  options.cancel = &cancel;
  EXPECT_TRUE(augment(options).is_interrupted);
  EXPECT_FALSE(std::filesystem::exists(path("run-inductive-augmented")));
}

// An estimator that is not trained must not decay either.
TEST_F(Augment, TrainingLeavesTheEstimatorAsItWas) {
  TrainOptions options;
  options.model = path("model.toml");
  options.n_threads = 1;
  std::vector<std::vector<double>> encoders;
  for (std::size_t epochs : {1, 5}) {
    options.run = path(fmt::format("run{}", epochs));
    options.epochs = epochs;
    train(options);
    for (const auto& [name, array] : read_npz(options.run / "weights.npz"))
      if (name == "encoder.0.weight" || name == "rest.0.weight") encoders.push_back(array.to_doubles());
  }
  ASSERT_EQ(encoders.size(), 4U);
  EXPECT_NE(encoders[0], encoders[2]);
  EXPECT_EQ(encoders[1], encoders[3]);
}

}  // namespace
}  // namespace greybox
