// Training under noise: what is estimated is found, kept, and the same after a stop.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <random>

#include "data/scratch_folder.hpp"
#include "greybox/train.hpp"
#include "model/prediction.hpp"
#include "model/theta.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

class NoisyTraining : public ScratchFolder {
 protected:
  // y around 2 x + 1 for x from 1 to 3.
  template <class Draw>
  void write_line(Draw&& draw, std::size_t n = 200) const {
    std::string text = "x,y\n";
    for (std::size_t i = 0; i < n; ++i) {
      const double x = 1 + 2 * static_cast<double>(i) / static_cast<double>(n);
      text += fmt::format("{},{}\n", x, draw(2 * x + 1));
    }
    write("data.csv", text);
  }

  Model line(const std::string& noise, const std::string& train = "epochs = 200") const {
    return Model::read(write("model.toml", R"toml([data]
file = "data.csv"
[parameters]
a = { prior = "uniform", low = 0, high = 5, start = 1 }
b = { prior = "uniform", low = 0, high = 5, start = 3 }
[theory]
y = "a*x + b"
[noise]
)toml" + noise + "\n[train]\nrate = [3e-2, 1e-3]\n" +
                                               train + "\n"));
  }

  static TrainOptions options() { return {.mode = TrainMode::inductive, .execution = {.n_threads = 1}}; }

  std::mt19937 random_{7};
};

TEST_F(NoisyTraining, FindsTheStandardDeviation) {
  std::normal_distribution<double> draw(0, 0.3);
  write_line([&](double mean) { return mean + draw(random_); });
  TrainOptions in_folder = options();
  in_folder.folder = path("run");
  const Run run = train(line("y = { kind = \"normal\", sd = \"estimate\" }"), in_folder);
  const RunRecord record = *run.record();
  EXPECT_NEAR(record.scales.noise.at("y"), 0.3, 0.03);
  EXPECT_NEAR(record.theta.at("a"), 2, 0.1);
  const double sd = record.scales.noise.at("y");
  EXPECT_NEAR(record.loss, 0.5 * std::log(2 * 3.14159265358979 * std::exp(1.0)) + std::log(sd), 0.02);
  const Run opened = Run::open(path("run"));
  EXPECT_EQ(opened.record()->scales, record.scales);
  ASSERT_TRUE(record.fit.has_value());
  EXPECT_NEAR(record.fit->outputs[0].noise_rmse, sd, 1e-6);
  EXPECT_FALSE(record.fit->outputs[0].noise_is_known);

  const Dataset dataset = opened.dataset();
  const LoadedModel& loaded = dataset.loaded();
  ThreadPool pool(1);
  const Prediction prediction = make_prediction<double>(
      loaded, {opened.weights(), loaded.data->all(), theta_from(*loaded.spec, record.theta)}, pool);
  EXPECT_NEAR(prediction.negative_log_likelihood, record.loss, 0.02);
  EXPECT_NEAR(prediction.rmse, sd, 0.02);
  EXPECT_TRUE(prediction.residuals.at(0).is_standardised);
  EXPECT_NEAR(prediction.residuals.at(0).sd, 1, 0.05);
  EXPECT_TRUE(prediction.residuals[0].findings.empty()) << prediction.residuals[0].findings[0];
}

TEST_F(NoisyTraining, ForgivesOutliersUnderStudentsT) {
  std::normal_distribution<double> draw(0, 0.1);
  std::size_t i = 0;
  write_line([&](double mean) { return mean + draw(random_) + (++i % 10 == 0 && i > 100 ? 8 : 0); });
  const double normal = train(line("y = { kind = \"normal\" }"), options()).record()->theta.at("a");
  const double student = train(line("y = { kind = \"student\", df = 2 }"), options()).record()->theta.at("a");
  EXPECT_GT(std::abs(normal - 2), 0.2);
  EXPECT_NEAR(student, 2, 0.06);
}

TEST_F(NoisyTraining, FitsCounts) {
  write_line(
      [&](double mean) { return static_cast<double>(std::poisson_distribution<int>(10 * mean)(random_)); });
  const std::string counts = R"toml([data]
file = "data.csv"
[parameters]
a = { prior = "uniform", low = 0, high = 40, start = 10 }
b = { prior = "uniform", low = 0, high = 40, start = 20 }
[theory]
y = "a*x + b"
[noise]
y = { kind = "negative_binomial" }
[train]
epochs = 200
rate = [1, 1e-2]
)toml";
  const RunRecord record = *train(Model::read(write("model.toml", counts)), options()).record();
  EXPECT_NEAR(record.theta.at("a"), 20, 2);
  EXPECT_LT(record.scales.noise.at("y"), 0.02) << "counts of Poisson have no dispersion beyond their own";
}

TEST_F(NoisyTraining, JudgesTheFitBesideNoiseThatIsKnown) {
  std::normal_distribution<double> draw(0, 3);
  write_line([&](double mean) { return mean + draw(random_); });
  const FitJudgement beside = *train(line("y = { sd = 3 }"), options()).record()->fit;
  EXPECT_EQ(beside.word, FitWord::fits) << beside.sentence;
  EXPECT_TRUE(beside.outputs[0].noise_is_known);
  EXPECT_LT(beside.outputs[0].r2, 0.5) << "most of the variance is noise";
  const FitJudgement without = *train(line("y = { sd = \"estimate\" }"), options()).record()->fit;
  EXPECT_NE(without.word, FitWord::fits) << "an estimate from the same residuals excuses nothing";
}

TEST_F(NoisyTraining, ResumesWithTheSameBits) {
  std::normal_distribution<double> draw(0, 0.3);
  write_line([&](double mean) { return mean + draw(random_); });
  const Model model = line("y = { kind = \"student\" }", "epochs = 12\nbatch = 30");
  const Run whole = train(model, options());
  std::atomic<bool> cancel = false;
  TrainOptions stopped = options();
  stopped.execution.cancel = &cancel;
  stopped.execution.progress = [&](const ProgressReport& report) { cancel = report.n_done >= 5; };
  const Run half = train(model, stopped);
  ASSERT_EQ(half.outcome(), TrainOutcome::interrupted);
  const Run resumed = resume(half, {.n_threads = 1});
  EXPECT_EQ(resumed.record()->scales.noise, whole.record()->scales.noise);
  EXPECT_EQ(resumed.record()->theta, whole.record()->theta);
  EXPECT_NE(half.record()->scales.noise, whole.record()->scales.noise);
}

TEST_F(NoisyTraining, LearnsTheExampleOfCounts) {
  const Model model = Model::read(std::string(kSourceFolder) + "/examples/outbreaks.toml");
  TrainOptions few = {.epochs = 20, .execution = {.n_threads = 1}};
  const RunRecord record = *train(model, few).record();
  few.epochs = 1;
  EXPECT_LT(record.loss, 0.5 * train(model, few).record()->loss);
  ASSERT_TRUE(record.fit.has_value());
  EXPECT_TRUE(record.fit->outputs[0].noise_is_known);
  EXPECT_GT(record.fit->outputs[0].noise_rmse, 3);
}

TEST_F(NoisyTraining, RefusesModeAphynity) {
  write_line([](double mean) { return mean; });
  TrainOptions aphynity = options();
  aphynity.mode = TrainMode::aphynity;
  aphynity.regularizer = "mean(a^2)";
  EXPECT_THROW(train(line("y = { sd = 1 }"), aphynity), InputError);
}

TEST_F(NoisyTraining, RefusesImpossibleValues) {
  write_line([](double mean) { return mean; });
  try {
    train(line("y = { kind = \"poisson\" }"), options());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("data.csv: row 3, column `y`"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace greybox::test
