#include "train/trainer.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "model/made_model.hpp"
#include "support/allocation_count.hpp"
#include "support/paths.hpp"
#include "train/toy.hpp"

namespace greybox {
namespace {

constexpr const char* kOscillator = R"toml(
split = { train = 0.7, validation = 0.3 }
[parameters]
k = { prior = "uniform", low = 0.5, high = 2 }
[state]
x = "x"
v = "v"
[theory]
x = "v"
v = "-k * x"
[network.fD]
inputs  = ["x", "v", "k", "theory.v"]
hidden  = [20, 20]
outputs = ["x", "v"]
[observe]
x = "x"
v = "v"
[solver]
method = "rk4_38"
step   = 0.1
[regularizers]
corr = "abs(mean(dot(theory, network)))"
[train]
regularizer = "corr"
lambda = 0.1
epochs = 3
batch  = 70
)toml";

LoadedModel made(const std::string& text, std::size_t n_samples) {
  const test::MadeModel model(text, n_samples);
  return {model.spec, model.model, model.plan, model.data};
}

LoadedModel fixture(const std::string& name) {
  return load_model(std::filesystem::path(kSourceFolder) / "tests/fixtures" / name / "model.toml");
}

TrainerOptions options_of(const LoadedModel& loaded, TrainMode mode = TrainMode::adaptive) {
  return {.mode = mode, .train = loaded.spec->train, .seed = 3};
}

template <class T>
std::vector<T> trained_weights(const LoadedModel& loaded, const TrainerOptions& options,
                               std::size_t n_threads) {
  ThreadPool pool(n_threads);
  Trainer<T> trainer(loaded, options, pool);
  EpochResult result;
  while (!trainer.is_done())
    if (!trainer.run_epoch(result)) throw std::runtime_error(to_sentence(trainer.divergence()));
  return {trainer.final_weights().begin(), trainer.final_weights().end()};
}

void expect_same_on_any_threads(const LoadedModel& loaded, TrainMode mode) {
  TrainerOptions options = options_of(loaded, mode);
  options.train.epochs = 3;
  const std::vector<float> one = trained_weights<float>(loaded, options, 1);
  EXPECT_EQ(one, trained_weights<float>(loaded, options, 2));
  EXPECT_EQ(one, trained_weights<float>(loaded, options, 3));
  options.seed = 4;
  EXPECT_NE(one, trained_weights<float>(loaded, options, 1));
}

TEST(Trainer, GivesTheSameBitsOnAnyNumberOfThreads) {
  expect_same_on_any_threads(made(kOscillator, 200), TrainMode::adaptive);
  expect_same_on_any_threads(made(kOscillator, 200), TrainMode::inductive);
  expect_same_on_any_threads(made(kOscillator, 200), TrainMode::tailored);
}

TEST(Trainer, GivesTheSameBitsWithBatchNorm) {
  expect_same_on_any_threads(fixture("reaction-diffusion"), TrainMode::adaptive);
}

// Epoch after epoch through the same sizes: all memory is there after the first.
TEST(Trainer, AStepAllocatesNothing) {
  for (TrainMode mode : {TrainMode::adaptive, TrainMode::inductive, TrainMode::tailored}) {
    const LoadedModel loaded = made(kOscillator, 200);
    ThreadPool pool(2);
    Trainer<float> trainer(loaded, options_of(loaded, mode), pool);
    EpochResult result;
    ASSERT_TRUE(trainer.run_epoch(result));
    const std::size_t before = test::n_allocations();
    while (!trainer.epoch_is_complete()) ASSERT_TRUE(trainer.step());
    EXPECT_EQ(test::n_allocations(), before);
  }
}

class ToyTrainer : public test::ToyFolder {
 protected:
  LoadedModel load(const std::string& train, const std::string& parameters = test::kToyParameters) const {
    return load_model(model(train, parameters));
  }
};

TEST_F(ToyTrainer, ContinuesFromItsStateToTheSameBits) {
  const LoadedModel loaded = load(
      "regularizer = \"centred\"\nlambda = 0.01\nepochs = 6\nbatch = 5\nvalidate_every = 1\nkeep_best = "
      "true");
  ThreadPool pool(1);
  for (TrainMode mode :
       {TrainMode::adaptive, TrainMode::inductive, TrainMode::transductive, TrainMode::aphynity}) {
    const TrainerOptions options = options_of(loaded, mode);
    const std::vector<double> whole = trained_weights<double>(loaded, options, 1);
    for (std::size_t stop : {0, 1, 7, 13, 24}) {
      Trainer<double> first(loaded, options, pool), second(loaded, options, pool);
      for (std::size_t i = 0; i < stop; ++i) {
        ASSERT_TRUE(first.step());
        if (first.epoch_is_complete()) first.end_epoch();
      }
      second.state() = std::move(first.state());
      second.continue_from_state();
      EpochResult result;
      while (!second.is_done()) ASSERT_TRUE(second.run_epoch(result));
      EXPECT_TRUE(std::equal(whole.begin(), whole.end(), second.final_weights().begin()))
          << to_string(mode) << ' ' << stop;
    }
  }
}

TEST_F(ToyTrainer, LearnsInEveryMode) {
  const LoadedModel loaded =
      load("regularizer = \"centred\"\nlambda = 0.01\nepochs = 300\nbatch = 8\nrate = [1e-2, 1e-3]");
  ThreadPool pool(1);
  for (TrainMode mode : {TrainMode::adaptive, TrainMode::inductive, TrainMode::transductive}) {
    Trainer<float> trainer(loaded, options_of(loaded, mode), pool);
    EpochResult result;
    while (!trainer.is_done()) ASSERT_TRUE(trainer.run_epoch(result));
    EXPECT_LT(result.loss, 0.05) << to_string(mode);
    EXPECT_EQ(trainer.final_theta().empty(), mode == TrainMode::adaptive);
  }
}

// R counts test inputs in transductive mode alone, so the two modes part at the first step.
TEST_F(ToyTrainer, TransductiveRegularizesOverTestInputsToo) {
  const LoadedModel loaded = load("regularizer = \"normD\"\nlambda = 1\nepochs = 1\nbatch = 8");
  EXPECT_NE(trained_weights<double>(loaded, options_of(loaded, TrainMode::inductive), 1),
            trained_weights<double>(loaded, options_of(loaded, TrainMode::transductive), 1));
  TrainerOptions without = options_of(loaded, TrainMode::inductive),
                 also_without = options_of(loaded, TrainMode::transductive);
  without.train.lambda = also_without.train.lambda = 0;
  EXPECT_EQ(trained_weights<double>(loaded, without, 1), trained_weights<double>(loaded, also_without, 1));
}

TEST_F(ToyTrainer, ThetaStaysWithinItsBounds) {
  // Far steps against a narrow box; the loss pulls a out of it.
  const LoadedModel loaded = load("epochs = 50\nbatch = 8\nrate = 0.3",
                                  "a = { prior = \"uniform\", low = 0.2, high = 0.3 }\nc = { prior = "
                                  "\"uniform\", low = 0.5, high = 0.6 }");
  ThreadPool pool(1);
  Trainer<float> trainer(loaded, options_of(loaded, TrainMode::inductive), pool);
  bool was_on_a_bound = false;
  while (!trainer.is_done()) {
    ASSERT_TRUE(trainer.step());
    if (trainer.epoch_is_complete()) trainer.end_epoch();
    const std::vector<double> theta = trainer.final_theta();
    ASSERT_TRUE(theta[0] >= 0.2 && theta[0] <= 0.3 && theta[1] >= 0.5 && theta[1] <= 0.6);
    was_on_a_bound = was_on_a_bound || theta[0] == 0.3 || theta[0] == 0.2;
  }
  EXPECT_TRUE(was_on_a_bound);
}

TEST_F(ToyTrainer, MoreDrawsAreMoreSamples) {
  const LoadedModel one = load("epochs = 1\nbatch = 8\ndraws = 1"),
                    three = load("epochs = 1\nbatch = 8\ndraws = 3");
  ThreadPool pool(1);
  EXPECT_EQ(Trainer<float>(three, options_of(three), pool).n_samples_per_epoch(),
            3 * Trainer<float>(one, options_of(one), pool).n_samples_per_epoch());
}

// The network counts for next to nothing, so that only the prior of b can explain y = 1.5 + wiggles.
TEST_F(ToyTrainer, LearnedPriorRecoversAKnownMean) {
  std::string rows = "x,y\n";
  for (int i = 0; i < 60; ++i)
    rows += std::to_string(0.1 * i) + ',' + std::to_string(1.5 + 0.01 * std::sin(7.0 * i)) + '\n';
  write("data.csv", rows);
  for (const std::string prior :
       {"normal\", mean = 0, sd = 0.5", "truncated_normal\", mean = 0.5, sd = 0.5, low = -1, high = 4",
        "lognormal\", mean = 0, sd = 0.5", "uniform\", low = 0, high = 4"}) {
    const std::string text =
        "name = \"constant\"\nscale = \"none\"\n[data]\nfile = \"data.csv\"\n[parameters]\nb = { learned = "
        "true, prior = \"" +
        prior +
        " }\n[theory]\ny = \"b\"\n[network.fD]\ninputs = [\"x\"]\nhidden = [4]\noutputs = [\"y\"]\n"
        "[composition]\ny = \"theory.y + 1e-3 * network.y\"\n"
        "[train]\nepochs = 400\nbatch = 20\nrate = [2e-2, 1e-3]\n";
    const LoadedModel loaded = load_model(write("model.toml", text));
    ThreadPool pool(1);
    Trainer<double> trainer(loaded, options_of(loaded), pool);
    EpochResult result;
    while (!trainer.is_done()) ASSERT_TRUE(trainer.run_epoch(result)) << to_sentence(trainer.divergence());
    const auto fitted = trainer.fitted_priors().at("b");
    const double centre =
        fitted.contains("low") ? (fitted.at("low") + fitted.at("high")) / 2 : fitted.at("mean");
    const bool is_log = prior.starts_with("lognormal");
    EXPECT_NEAR(is_log ? std::exp(centre) : centre, 1.5, 0.1) << prior;
  }
}

TEST_F(ToyTrainer, StopsEarlyAndKeepsTheBest) {
  // So high a rate does not settle: validation gets worse at some point.
  const LoadedModel loaded =
      load("epochs = 1000\nbatch = 8\nrate = 0.05\nvalidate_every = 1\npatience = 4\nkeep_best = true");
  ThreadPool pool(1);
  Trainer<double> trainer(loaded, options_of(loaded), pool);
  EpochResult result;
  double best = INFINITY;
  std::vector<double> best_weights;
  std::size_t best_epoch = 0;
  while (!trainer.is_done()) {
    ASSERT_TRUE(trainer.run_epoch(result));
    if (result.validation.loss >= best) continue;
    best = result.validation.loss;
    best_epoch = result.epoch;
    best_weights.assign(trainer.state().weights().begin(), trainer.state().weights().end());
  }
  EXPECT_TRUE(trainer.has_stopped_early());
  EXPECT_EQ(result.epoch, best_epoch + 4);
  EXPECT_TRUE(std::equal(best_weights.begin(), best_weights.end(), trainer.final_weights().begin()));
  EXPECT_FALSE(std::equal(best_weights.begin(), best_weights.end(), trainer.state().weights().begin()));
}

TEST_F(ToyTrainer, ARegularizerThatCountsForNothingNeedNotBeFinite) {
  const std::string broken = "mean(log(x - x) * norm2(network))";
  const auto load_with = [&](const std::string& lambda) {
    const auto spec = std::make_shared<const ModelSpec>(read_model_spec(
        model("epochs = 2\nbatch = 8\nregularizer = \"" + broken + "\"\nlambda = " + lambda)));
    return assemble(spec, read_own_table(*spec), std::vector<std::string>{broken});
  };
  const LoadedModel loaded = load_with("0"), counted = load_with("1");
  ThreadPool pool(1);
  EpochResult result;
  Trainer<float> trainer(loaded, options_of(loaded), pool), other(counted, options_of(counted), pool);
  ASSERT_TRUE(trainer.run_epoch(result)) << to_sentence(trainer.divergence());
  EXPECT_TRUE(std::isfinite(result.loss));
  EXPECT_FALSE(std::isfinite(result.regularizer));
  EXPECT_FALSE(other.run_epoch(result));
}

TEST_F(ToyTrainer, DivergenceLeavesTheWeightsAndSaysWhere) {
  const LoadedModel loaded = load("epochs = 5\nbatch = 8");
  ThreadPool pool(1);
  Trainer<float> trainer(loaded, options_of(loaded), pool);
  ASSERT_TRUE(trainer.step());
  trainer.state().parameters[0] = std::numeric_limits<float>::infinity();
  const std::vector<float> before(trainer.state().weights().begin(), trainer.state().weights().end());
  EXPECT_FALSE(trainer.step());
  EXPECT_TRUE(std::equal(before.begin(), before.end(), trainer.state().weights().begin()));
  const Divergence divergence = trainer.divergence();
  EXPECT_EQ(divergence.epoch, 1U);
  EXPECT_EQ(divergence.step, 2U);
  EXPECT_EQ(divergence.n_steps, 3U);
  EXPECT_EQ(divergence.cause.value, NonFiniteValue::prediction);
  ASSERT_EQ(divergence.cause.theta.size(), 2U);
  EXPECT_EQ(divergence.cause.theta[1].first, "c");
}

TEST_F(ToyTrainer, RefusesWeightsOfAnotherModel) {
  const LoadedModel loaded = load("epochs = 5\nbatch = 8");
  ThreadPool pool(1);
  TrainerOptions options = options_of(loaded);
  options.start_weights = {1, 2, 3};
  EXPECT_THROW(Trainer<float>(loaded, options, pool), std::logic_error);
}

TEST_F(ToyTrainer, RatesFallOncePerEpoch) {
  TrainSpec train;
  train.epochs = 10;
  train.rate_start = 1e-2;
  train.rate_end = 1e-4;
  EXPECT_DOUBLE_EQ(rate_of_epoch(train, 0), 1e-2);
  EXPECT_NEAR(rate_of_epoch(train, 5), 1e-3, 1e-15);
  EXPECT_NEAR(rate_of_epoch(train, 10), 1e-4, 1e-16);
}

TEST_F(ToyTrainer, SplitsThatTheOptionsNeedMustBeThere) {
  const std::string text = test::toy_model("epochs = 5\nkeep_best = true");
  const std::string split = "split = { train = 0.4, validation = 0.3, test = 0.3, by = \"window\" }\n";
  std::string all_train = text;
  all_train.erase(all_train.find(split), split.size());
  const LoadedModel loaded = load_model(write("model.toml", all_train));
  ThreadPool pool(1);
  const auto make = [&](TrainMode mode) { Trainer<float>(loaded, options_of(loaded, mode), pool); };
  test::expect_refused([&] { make(TrainMode::adaptive); }, path("data.csv"), "",
                       "the validation split has no windows");
  test::expect_refused([&] { make(TrainMode::transductive); }, path("data.csv"), "",
                       "the test split has no windows");
}

}  // namespace
}  // namespace greybox
