#include "greybox/fit.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"
#include "data/scratch_folder.hpp"
#include "greybox/train.hpp"

namespace greybox::test {
namespace {

class Fit : public ScratchFolder {
 protected:
  // y = 2x + sin(3x); z is the same in other units.
  std::filesystem::path write_model(double rate) const {
    const Random random(1, Purpose::generator);
    std::string text = "x,y\n";
    for (std::uint64_t i = 0; i < 150; ++i) {
      const double x = 4 * random.uniform(i, 0) - 2;
      text += fmt::format("{},{}\n", x, 2 * x + std::sin(3 * x));
    }
    write("data.csv", text);
    return write("model.toml", fmt::format(R"toml(
scale = "none"
[data]
file  = "data.csv"
split = {{ train = 0.7, validation = 0.3, by = "window" }}
[parameters]
a = {{ prior = "uniform", low = 1, high = 3 }}
[theory]
y = "a * x"
[network.fD]
inputs  = ["x", "a"]
hidden  = [16, 16]
outputs = ["y"]
[train]
epochs = 400
batch  = 10
rate   = [{}, 1e-4]
)toml",
                                           rate));
  }
};

// Twelve rows of noise and two thousand weights.
TEST_F(Fit, SaysWhereTheTrainingWindowsWereLearnedByHeart) {
  const Random random(2, Purpose::generator);
  std::string text = "x,y\n";
  for (std::uint64_t i = 0; i < 24; ++i)
    text += fmt::format("{},{}\n", 4 * random.uniform(i, 0) - 2, 6 * random.uniform(i, 1) - 3);
  write("data.csv", text);
  const auto file = write("model.toml", R"toml(
[data]
file  = "data.csv"
split = { train = 0.5, validation = 0.5, by = "window" }
[parameters]
a = { prior = "uniform", low = 1, high = 1.1 }
[theory]
y = "a * x"
[network.fD]
inputs  = ["x"]
hidden  = [48, 48]
outputs = ["y"]
[train]
epochs = 2000
batch  = 12
rate   = [1e-2, 1e-3]
)toml");
  const FitJudgement fit = train(Model::read(file), {.execution = {.n_threads = 1}}).record()->fit.value();
  EXPECT_NE(fit.word, FitWord::fits) << fit.sentence;
  EXPECT_NE(fit.sentence.find("by heart"), std::string::npos) << fit.sentence;
  EXPECT_EQ(fit.sentence.find("train longer"), std::string::npos) << fit.sentence;
}

TEST_F(Fit, OfATrainedModelIsGoodAndInTheRecord) {
  const Run run =
      train(Model::read(write_model(1e-2)), {.folder = path("run"), .execution = {.n_threads = 1}});
  const FitJudgement fit = run.record()->fit.value();
  EXPECT_EQ(fit.word, FitWord::fits) << fit.sentence;
  ASSERT_EQ(fit.outputs.size(), 1U);
  EXPECT_EQ(fit.outputs[0].name, "y");
  EXPECT_GT(fit.outputs[0].r2, 0.99);
  // The theory alone leaves sin(3x) less its slope, whose standard deviation is about 0.7.
  EXPECT_NEAR(fit.outputs[0].theory_rmse, 0.7, 0.1);
  EXPECT_GT(fit.outputs[0].guess_rmse, 2);
  EXPECT_EQ(fit.split, "validation");
  const FitJudgement back = Run::open(path("run")).record()->fit.value();
  EXPECT_EQ(back.sentence, fit.sentence);
  EXPECT_EQ(back.loss_limit, fit.loss_limit);
}

TEST_F(Fit, OfANetworkThatMakesItWorseIsToldSo) {
  // Hardly trained, and with thirty times what its start gives.
  std::string text = bytes_of(write_model(1e-6));
  text.replace(text.find("outputs = [\"y\"]"), 15, "outputs = [\"w\"]");
  text.replace(text.find("[train]"), 7, "[data_driven]\ny = \"30 * fD.w\"\n[train]");
  write("model.toml", text);
  const Run run = train(Model::read(path("model.toml")), {.epochs = 1, .execution = {.n_threads = 1}});
  const FitJudgement fit = run.record()->fit.value();
  EXPECT_EQ(fit.word, FitWord::does_not_fit) << fit.sentence;
  EXPECT_NE(fit.sentence.find("worse than it would be without"), std::string::npos) << fit.sentence;
}

// k and m act where the network does not: it learns for θ that no network could fit, and bends x at all of
// them.
TEST_F(Fit, OfAModelWhoseDataExcludeMostOfThePriorIsThatAfterARefit) {
  const Random random(1, Purpose::generator);
  std::string text = "series,time,x,y,z\n";
  for (std::uint64_t s = 0; s < 200; ++s) {
    double x = 0.2 + 1.3 * random.uniform(s, 0), y = 0.2 + 1.3 * random.uniform(s, 1),
           z = 0.2 + 1.3 * random.uniform(s, 2);
    for (int k = 0; k < 8; ++k) {
      text += fmt::format("{},{},{},{},{}\n", s, 0.2 * k, x, y, z);
      for (int i = 0; i < 200; ++i) {
        const double dx = -1.6 * x + 0.5 * y + 0.3 * z - 0.3 * x / (1 + x), dy = 0.7 * x - 0.5 * y,
                     dz = 0.4 * x - 0.3 * z;
        x += 0.001 * dx;
        y += 0.001 * dy;
        z += 0.001 * dz;
      }
    }
  }
  write("data.csv", text);
  const auto file = write("model.toml", R"toml(
scale = "none"
[data]
file   = "data.csv"
window = { length = 8, stride = 8 }
split  = { train = 0.7, validation = 0.3, by = "series" }
[parameters]
k = { prior = "uniform", low = 0.1, high = 2 }
m = { prior = "uniform", low = 0.1, high = 2 }
e = { prior = "uniform", low = 0.1, high = 2 }
[state]
x = "x"
y = "y"
z = "z"
[theory]
x = "-(k + m + e)*x + 0.5*y + 0.3*z"
y = "k*x - 0.5*y"
z = "m*x - 0.3*z"
[network.fD]
inputs  = ["(x - 0.6)/0.25", "(y - 0.9)/0.3", "(z - 0.8)/0.3", "k - 1", "m - 1", "e - 1", "theory.x"]
hidden  = [24, 24]
activation = "tanh"
outputs = ["x"]
[data_driven]
x = "0.5*fD.x"
y = "0"
z = "0"
[observe]
x = "x"
y = "y"
z = "z"
[solver]
step = 0.2
[train]
epochs = 300
batch  = 50
draws  = 2
rate   = [5e-3, 1e-4]
)toml");
  const FitJudgement fit = train(Model::read(file), {.execution = {.n_threads = 1}}).record()->fit.value();
  EXPECT_EQ(fit.word, FitWord::partly) << fit.sentence;
  EXPECT_NE(fit.sentence.find("the data exclude most of the prior"), std::string::npos) << fit.sentence;
  EXPECT_NE(fit.sentence.find("k = 0."), std::string::npos) << fit.sentence;
}

// Few draws of a prior of four parameters fit, but some do.
TEST_F(Fit, IsThatOfTheBestThetaNotOfTheBestDraw) {
  const Random random(1, Purpose::generator);
  std::string text = "x,p,q,r,s\n";
  for (std::uint64_t i = 0; i < 150; ++i) {
    const double x = 4 * random.uniform(i, 0) - 2;
    text += fmt::format("{},{},{},{},{}\n", x, 2 * x + 0.3 * std::sin(3 * x), 3 * x, 6 * x, 7 * x);
  }
  write("data.csv", text);
  std::string model = R"toml(
scale = "none"
[data]
file  = "data.csv"
split = { train = 0.7, validation = 0.3, by = "window" }
[theory]
p = "a * x"
q = "b * x"
r = "c * x"
s = "d * x"
[network.fD]
inputs  = ["x", "a"]
hidden  = [16, 16]
outputs = ["p"]
[train]
epochs = 100
batch  = 10
rate   = [1e-2, 1e-4]
[parameters]
)toml";
  for (const char* name : {"a", "b", "c", "d"})
    model += fmt::format("{} = {{ prior = \"uniform\", low = -10, high = 10 }}\n", name);
  const Run run = train(Model::read(write("model.toml", model)), {.execution = {.n_threads = 1}});
  const FitJudgement fit = run.record()->fit.value();
  EXPECT_NE(fit.word, FitWord::does_not_fit) << fit.sentence;
}

// Corrections of up to 4 x are needed, and a mean of their squares counts more than the loss.
TEST_F(Fit, OfCorrectionsThatTheRegularizerHoldsBackIsToldSo) {
  std::string text = bytes_of(write_model(1e-2));
  text.replace(text.find("low = 1, high = 3"), 17, "low = -2, high = 6");
  text.replace(
      text.find("[train]"), 7,
      "[regularizers]\nnormD = \"mean(norm2(network))\"\n[train]\nregularizer = \"normD\"\nlambda = 1");
  write("model.toml", text);
  const Model model = Model::read(path("model.toml"));
  const FitJudgement fit = train(model, {.execution = {.n_threads = 1}}).record()->fit.value();
  EXPECT_LT(fit.share, 0.9) << fit.sentence;
  EXPECT_NE(fit.sentence.find("train with a smaller `lambda`: λR is"), std::string::npos) << fit.sentence;
  EXPECT_EQ(fit.sentence.find("train longer"), std::string::npos) << fit.sentence;
  const FitJudgement without =
      train(model, {.lambda = 0, .execution = {.n_threads = 1}}).record()->fit.value();
  EXPECT_EQ(without.share, 1) << without.sentence;
  EXPECT_EQ(without.sentence.find("lambda"), std::string::npos) << without.sentence;
}

// Where nothing is measured at the start, nobody can guess that it stays so.
TEST_F(Fit, GuessesTheMeanWhereTheStartIsMissing) {
  std::string text = "series,time,y\n";
  for (int s = 0; s < 4; ++s)
    for (int k = 0; k < 11; ++k)
      text += k == 0 ? fmt::format("{},0,\n", s)
                     : fmt::format("{},{},{}\n", s, 0.1 * k, std::exp(-0.1 * k) + 0.1 * s);
  write("late.csv", text);
  const Run run = train(Model::read(write("late.toml", R"toml(
[data]
file = "late.csv"
[parameters]
a = { prior = "uniform", low = 0, high = 2 }
[state]
y = "1"
[theory]
y = "-a * y"
[network.fD]
inputs  = ["y", "a"]
hidden  = [4]
outputs = ["y"]
[observe]
y = "y"
[train]
epochs = 1
)toml")),
                        {.execution = {.n_threads = 1}});
  EXPECT_GT(run.record()->fit.value().outputs[0].guess_rmse, 0.1);
}

TEST_F(Fit, OfATrainingThatWasTooShortSaysThatLongerHelps) {
  // The theory explains little, and most is left to the network.
  std::string text = bytes_of(write_model(1e-2));
  text.replace(text.find("a * x"), 5, "a * x / 9");
  write("model.toml", text);
  const Run run = train(Model::read(path("model.toml")), {.epochs = 4, .execution = {.n_threads = 1}});
  const FitJudgement fit = run.record()->fit.value();
  EXPECT_NE(fit.word, FitWord::fits);
  EXPECT_LT(fit.outputs[0].refit_rmse, fit.outputs[0].rmse);
  EXPECT_NE(fit.sentence.find("has not finished adapting"), std::string::npos) << fit.sentence;
}

TEST_F(Fit, AtFewThetaAloneSaysToNarrowThePrior) {
  // The theory is nearly right at a = 2, and nothing is learned that would mend it elsewhere.
  std::string text = bytes_of(write_model(1e-9));
  text.replace(text.find("a * x"), 5, "a * x + sin(3*x)");
  text.replace(text.find("low = 1, high = 3"), 17, "low = -18, high = 22");
  write("model.toml", text);
  const Run run = train(Model::read(path("model.toml")), {.epochs = 1, .execution = {.n_threads = 1}});
  const FitJudgement fit = run.record()->fit.value();
  EXPECT_EQ(fit.word, FitWord::partly) << fit.sentence;
  EXPECT_NE(fit.sentence.find("with a from "), std::string::npos) << fit.sentence;
  EXPECT_NE(fit.sentence.find("narrow the priors to what can be"), std::string::npos) << fit.sentence;
  EXPECT_EQ(fit.sentence.find("more units"), std::string::npos) << fit.sentence;
}

}  // namespace
}  // namespace greybox::test
