#include "train/auto_recipe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/allocation_count.hpp"
#include "train/averaging.hpp"
#include "train/checkpoint.hpp"
#include "train/counters_check.hpp"
#include "train/toy.hpp"
#include "train/trainer.hpp"

namespace greybox {
namespace {

TrainSpec spec_of(std::size_t epochs) {
  TrainSpec train;
  train.recipe = Recipe::automatic;
  train.epochs = epochs;
  return train;
}

Counters counters_at(double epoch, double n_steps, double falls_from = kNaN) {
  Counters counters;
  counters.epoch = epoch;
  counters.n_updates = epoch * n_steps;
  counters.peak_rate = 0.01;
  counters.falls_from = falls_from;
  return counters;
}

TEST(Schedule, RisesStaysLevelAndFalls) {
  const Schedule schedule(spec_of(90), 10);
  EXPECT_LT(schedule.rate(counters_at(0, 10)), 1e-3);
  EXPECT_DOUBLE_EQ(schedule.rate(counters_at(30, 10)), 0.01);
  EXPECT_EQ(schedule.latest_fall({}), 60U);
  EXPECT_EQ(schedule.n_epochs(counters_at(20, 10, 20)), 30U);
  EXPECT_DOUBLE_EQ(schedule.rate(counters_at(20, 10, 20)), 0.01);
  EXPECT_NEAR(schedule.rate(counters_at(25, 10, 20)), 0.00505, 1e-9);
  EXPECT_NEAR(schedule.rate(counters_at(30, 10, 20)), 1e-4, 1e-12);
  EXPECT_EQ(schedule.n_epochs(counters_at(89, 10, 89)), 90U);
}

TEST(Schedule, EndsAtARateThatIsGiven) {
  TrainSpec train = spec_of(90);
  train.rate_start = 0.01;
  train.rate_end = 0.002;
  EXPECT_NEAR(Schedule(train, 10).rate(counters_at(30, 10, 20)), 0.002, 1e-12);
}

TEST(Schedule, AnEpochAloneFallsToo) {
  const Schedule schedule(spec_of(1), 10);
  EXPECT_EQ(schedule.latest_fall({}), 0U);
  EXPECT_EQ(schedule.n_epochs(counters_at(0, 10, 0)), 1U);
}

TEST(Averaging, WeighsLateParametersMost) {
  AlignedBuffer<double> parameters(3), average(3);
  double expected = 0, weights = 0;
  const std::uint64_t n = 400;
  for (std::uint64_t t = 1; t <= n; ++t) {
    parameters.fill(std::sin(0.1 * static_cast<double>(t)));
    take_into_average(parameters, t, average);
  }
  // By its definition: the weight of update t is that of the product (t)(t + 1) … (t + 14).
  for (std::uint64_t t = 1; t <= n; ++t) {
    double weight = 1;
    for (std::uint64_t k = 0; k < 15; ++k) weight *= static_cast<double>(t + k) / static_cast<double>(n);
    expected += weight * std::sin(0.1 * static_cast<double>(t));
    weights += weight;
  }
  EXPECT_NEAR(average[0], expected / weights, 1e-12);
  EXPECT_EQ(average[2], average[0]);
}

class AutoRecipeOfToy : public test::ToyFolder {
 protected:
  LoadedModel load(const std::string& train) const { return load_model(model(train)); }
  static TrainerOptions options_of(const LoadedModel& loaded, TrainMode mode = TrainMode::adaptive) {
    return {.mode = mode, .train = loaded.spec->train, .seed = 3};
  }
  template <class T>
  static std::vector<T> weights_after(Trainer<T>& trainer) {
    EpochResult result;
    while (!trainer.is_done()) EXPECT_TRUE(trainer.run_epoch(result));
    return {trainer.final_weights().begin(), trainer.final_weights().end()};
  }
};

TEST_F(AutoRecipeOfToy, IsForFilesThatSayNothingElse) {
  EXPECT_EQ(load("regularizer = \"normD\"\nlambda = 0.1").spec->train.recipe, Recipe::automatic);
  for (const char* told : {"epochs = 5", "batch = 5", "rate = 1e-3", "recipe = \"paper\""})
    EXPECT_EQ(load(told).spec->train.recipe, Recipe::paper) << told;
  EXPECT_EQ(load("recipe = \"auto\"\nepochs = 5").spec->train.recipe, Recipe::automatic);
}

TEST_F(AutoRecipeOfToy, ChoosesWhatIsNotGiven) {
  const LoadedModel loaded = load("");
  const TrainSpec chosen = with_recipe(loaded.spec->train, loaded);
  EXPECT_EQ(chosen.batch, 8U);
  EXPECT_EQ(chosen.epochs, 666U);
  EXPECT_EQ(chosen.rate_start, 0.005);
  EXPECT_DOUBLE_EQ(chosen.rate_end, 5e-5);
  const LoadedModel told = load("recipe = \"auto\"\nepochs = 7\nbatch = 5");
  EXPECT_EQ(with_recipe(told.spec->train, told).epochs, 7U);
  EXPECT_EQ(with_recipe(told.spec->train, told).batch, 5U);
}

TEST_F(AutoRecipeOfToy, LearnsAndSaysWhatItChose) {
  const LoadedModel loaded = load("regularizer = \"normD\"\nlambda = 0.01");
  ThreadPool pool(1);
  Trainer<float> trainer(loaded, options_of(loaded), pool);
  EpochResult result;
  while (!trainer.is_done()) ASSERT_TRUE(trainer.run_epoch(result));
  EXPECT_LT(result.validation.loss, 0.03);
  const RecipeRecord record = trainer.recipe().value();
  EXPECT_TRUE(record.is_rate_found);
  EXPECT_EQ(record.rate, 0.005);
  EXPECT_EQ(result.epoch, std::min<std::size_t>(666, (3 * record.level_epochs + 1) / 2));
  EXPECT_LT(result.rate, 0.02 * record.rate);
}

// At such a rate two doublings are not enough.
TEST_F(AutoRecipeOfToy, GoesOnWhereErrorsAreLargeAndFall) {
  std::string text = test::toy_model("recipe = \"auto\"\nrate = 5e-4\nbatch = 24");
  text.erase(text.find("scale = \"none\"\n"), 15);
  const LoadedModel loaded = load_model(write("scaled.toml", text));
  ThreadPool pool(1);
  Trainer<float> trainer(loaded, options_of(loaded), pool);
  const std::size_t planned = trainer.n_epochs();
  EXPECT_EQ(planned, 1000U);
  EpochResult result;
  while (!trainer.is_done()) ASSERT_TRUE(trainer.run_epoch(result));
  EXPECT_GT(result.epoch, 3 * planned);
  EXPECT_GE(result.epoch + 1, trainer.n_epochs());
  EXPECT_LE(trainer.n_epochs(), 4 * planned);
  EXPECT_EQ(mistake_of(trainer.state().counters, trainer.limits()), "");
}

TEST_F(AutoRecipeOfToy, KeepsToEpochsThatAreGivenAndToUnitsOfTheFile) {
  const auto doublings = [&](const std::string& train, bool is_scaled) {
    std::string text = test::toy_model(train);
    if (is_scaled) text.erase(text.find("scale = \"none\"\n"), 15);
    const LoadedModel loaded = load_model(write("scaled.toml", text));
    return most_doublings(with_recipe(loaded.spec->train, loaded), loaded);
  };
  EXPECT_EQ(doublings("recipe = \"auto\"", true), kMostDoublings);
  EXPECT_EQ(doublings("recipe = \"auto\"", false), 0U);
  EXPECT_EQ(doublings("recipe = \"auto\"\nepochs = 70", true), 0U);
  EXPECT_EQ(doublings("recipe = \"paper\"", true), 0U);
}

TEST_F(AutoRecipeOfToy, TakesARateThatIsGiven) {
  const LoadedModel loaded = load("recipe = \"auto\"\nrate = 4e-3\nepochs = 3");
  ThreadPool pool(1);
  Trainer<float> trainer(loaded, options_of(loaded), pool);
  weights_after(trainer);
  EXPECT_EQ(trainer.recipe()->rate, 4e-3);
  EXPECT_FALSE(trainer.recipe()->is_rate_found);
}

TEST_F(AutoRecipeOfToy, GivesTheSameBitsOnAnyThreadsAndAfterAnyStop) {
  const LoadedModel loaded =
      load("recipe = \"auto\"\nregularizer = \"normD\"\nlambda = 0.01\nepochs = 9\nbatch = 5");
  for (TrainMode mode : {TrainMode::adaptive, TrainMode::inductive}) {
    const TrainerOptions options = options_of(loaded, mode);
    ThreadPool one(1), three(3);
    Trainer<float> whole(loaded, options, one), threaded(loaded, options, three);
    const std::vector<float> expected = weights_after(whole);
    EXPECT_EQ(weights_after(threaded), expected);
    for (std::size_t stop : {0, 1, 7, 31, 38}) {
      Trainer<float> first(loaded, options, one), second(loaded, options, one);
      for (std::size_t i = 0; i < stop; ++i) {
        ASSERT_TRUE(first.step());
        if (first.epoch_is_complete()) first.end_epoch();
      }
      const Checkpoint checkpoint = make_checkpoint({"", "", ""}, first.state());
      restore(checkpoint, {{"", "", ""}, second.limits()}, second.state());
      second.continue_from_state();
      EXPECT_EQ(weights_after(second), expected) << stop;
    }
  }
}

// Nor does every fifth, which turns SOAP's bases.
TEST_F(AutoRecipeOfToy, AStepAllocatesNothing) {
  const LoadedModel loaded = load("recipe = \"auto\"\nepochs = 9\nbatch = 5");
  ThreadPool pool(2);
  Trainer<float> trainer(loaded, options_of(loaded), pool);
  EpochResult result;
  ASSERT_TRUE(trainer.run_epoch(result));
  ASSERT_EQ(trainer.state().counters.n_updates, 5);
  const std::size_t before = test::n_allocations();
  while (!trainer.epoch_is_complete()) ASSERT_TRUE(trainer.step());
  EXPECT_EQ(test::n_allocations(), before);
}

TEST_F(AutoRecipeOfToy, GoesBackToTheAverageAtALowerRateWhenAStepDiverges) {
  const LoadedModel loaded = load("recipe = \"auto\"\nepochs = 9\nbatch = 8");
  ThreadPool pool(1);
  const TrainerOptions options = with_recipe(options_of(loaded), loaded);
  const std::shared_ptr<const ThetaSource<float>> source =
      make_theta_source<float>(ThetaOrigin::drawn, loaded.spec->parameters, 3, {});
  AutoRecipe<float> recipe(options.train, Settling<float>(loaded, ThetaOrigin::drawn, source, pool), 3);
  Trainer<float> trainer(loaded, options, pool);
  TrainState<float>& state = trainer.state();
  EXPECT_FALSE(recipe.retreat(state));
  ASSERT_TRUE(trainer.step());
  ASSERT_TRUE(trainer.step());
  const std::vector<float> average(state.average.span().begin(), state.average.span().end());
  ASSERT_TRUE(recipe.retreat(state));
  EXPECT_EQ(std::vector<float>(state.parameters.span().begin(), state.parameters.span().end()), average);
  EXPECT_NEAR(state.counters.peak_rate, 0.3 * options.train.rate_start, 1e-12);
  EXPECT_EQ(state.first_moments[0], 0);
  std::size_t n_more = 0;
  while (recipe.retreat(state)) ++n_more;
  EXPECT_EQ(n_more, 4U);
}

// Moments that start from 0 again are corrected for it: without that the first steps are three times as long.
TEST_F(AutoRecipeOfToy, AStepAfterARetreatIsNoLongerThanItsRate) {
  const LoadedModel loaded = load("recipe = \"auto\"\nepochs = 100\nbatch = 8");
  ThreadPool pool(1);
  const TrainerOptions options = with_recipe(options_of(loaded), loaded);
  const std::shared_ptr<const ThetaSource<float>> source =
      make_theta_source<float>(ThetaOrigin::drawn, loaded.spec->parameters, 3, {});
  const AutoRecipe<float> recipe(options.train, Settling<float>(loaded, ThetaOrigin::drawn, source, pool), 3);
  Trainer<float> trainer(loaded, options, pool);
  TrainState<float>& state = trainer.state();
  ASSERT_TRUE(trainer.step());
  state.counters.n_updates = 1000;
  ASSERT_TRUE(recipe.retreat(state));
  const std::vector<float> before(state.parameters.span().begin(), state.parameters.span().end());
  ASSERT_TRUE(trainer.step());
  double squares = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    squares += std::pow(static_cast<double>(state.parameters[i] - before[i]), 2);
  EXPECT_GT(squares, 0);
  const auto n = static_cast<double>(before.size());
  EXPECT_LE(std::sqrt(squares / n), 1.05 * state.counters.peak_rate);
}

TEST_F(AutoRecipeOfToy, RatesFallOnceNothingChanges) {
  const LoadedModel loaded = load("recipe = \"auto\"\nepochs = 100\nbatch = 8");
  ThreadPool pool(1);
  const TrainerOptions options = with_recipe(options_of(loaded), loaded);
  const std::shared_ptr<const ThetaSource<float>> source =
      make_theta_source<float>(ThetaOrigin::drawn, loaded.spec->parameters, 3, {});
  AutoRecipe<float> recipe(options.train, Settling<float>(loaded, ThetaOrigin::drawn, source, pool), 3);
  Trainer<float> trainer(loaded, options, pool);
  ASSERT_TRUE(trainer.step());
  TrainState<float>& state = trainer.state();
  Counters& counters = state.counters;
  for (counters.epoch = 1; counters.epoch < 25; counters.epoch += 1) recipe.look(state, true);
  EXPECT_EQ(counters.n_looks, 0);
  for (counters.epoch = 1; counters.epoch < 25; counters.epoch += 1) recipe.look(state, false);
  EXPECT_EQ(counters.falls_from, 17);
  EXPECT_EQ(counters.n_looks, 3);
  const RecipeRecord record = recipe.record(counters);
  EXPECT_TRUE(record.has_settled);
  EXPECT_EQ(record.change, 0);
  EXPECT_EQ(to_sentence(record, 8, 26),
            "batches of 8 windows, rate 0.005, falling after epoch 17 of 26 because errors and landscape had "
            "settled (its last change: 0 % of its range)");
  counters.epoch = 26;
  EXPECT_TRUE(recipe.is_over(counters));
}

TEST_F(AutoRecipeOfToy, GoesBackToWhatValidatedBestWhenErrorsBlowUp) {
  const LoadedModel loaded = load("recipe = \"auto\"\nepochs = 100\nbatch = 8");
  ThreadPool pool(1);
  const TrainerOptions options = with_recipe(options_of(loaded), loaded);
  const std::shared_ptr<const ThetaSource<float>> source =
      make_theta_source<float>(ThetaOrigin::drawn, loaded.spec->parameters, 3, {});
  AutoRecipe<float> recipe(options.train, Settling<float>(loaded, ThetaOrigin::drawn, source, pool), 3);
  Trainer<float> trainer(loaded, options, pool);
  ASSERT_TRUE(trainer.step());
  TrainState<float>& state = trainer.state();
  state.counters.epoch = 10;
  recipe.look(state, false);
  const std::vector<float> best(state.average.span().begin(), state.average.span().end());
  std::copy(best.begin(), best.end(), state.best.data());
  state.counters.best_validation = 1;
  for (float& weight : state.average.span()) weight *= 30;
  state.counters.epoch = 13;
  recipe.look(state, false);
  EXPECT_NEAR(state.counters.peak_rate, 0.3 * options.train.rate_start, 1e-12);
  EXPECT_EQ(std::vector<float>(state.parameters.span().begin(), state.parameters.span().end()), best);
  EXPECT_EQ(std::vector<float>(state.average.span().begin(), state.average.span().end()), best);
  EXPECT_TRUE(std::isnan(state.counters.falls_from));
}

TEST_F(AutoRecipeOfToy, ARunSaysItsRecipe) {
  TrainOptions options;
  options.folder = path("run");
  const Run run = train(Model::read(model("regularizer = \"normD\"\nlambda = 0.01")), options);
  const RunRecord record = Run::open(options.folder).record().value();
  EXPECT_EQ(record.options.recipe, Recipe::automatic);
  EXPECT_EQ(record.options.batch, 8U);
  EXPECT_EQ(record.options.rate.first, 0.005);
  EXPECT_EQ(record.recipe->rate, run.record()->recipe->rate);
  EXPECT_EQ(record.recipe->level_epochs, run.record()->recipe->level_epochs);
}

TEST_F(AutoRecipeOfToy, ARunWithoutARecipeIsThePapers) {
  TrainOptions options;
  options.folder = path("run");
  train(Model::read(model("epochs = 2")), options);
  const RunRecord record = Run::open(options.folder).record().value();
  EXPECT_EQ(record.options.recipe, Recipe::paper);
  EXPECT_EQ(to_json(record).find("\"recipe\""), std::string::npos);
}

TEST_F(AutoRecipeOfToy, SettlingSeesChangesOfTheLandscape) {
  const LoadedModel loaded = load("recipe = \"auto\"\nepochs = 9");
  ThreadPool pool(1);
  const TrainerOptions options = options_of(loaded);
  Settling<float> settling(loaded, ThetaOrigin::drawn,
                           make_theta_source<float>(ThetaOrigin::drawn, loaded.spec->parameters, 3, {}),
                           pool);
  Trainer<float> trainer(loaded, options, pool);
  std::vector<double> before(settling.size()), after(settling.size());
  settling.measure(trainer.state().outcome().span(), trainer.state().layout, before);
  settling.measure(trainer.state().outcome().span(), trainer.state().layout, after);
  EXPECT_EQ(settling.change(before, after), 0);
  EpochResult result;
  ASSERT_TRUE(trainer.run_epoch(result));
  settling.measure(trainer.state().outcome().span(), trainer.state().layout, after);
  EXPECT_GT(settling.change(before, after), 0.01);
  after[0] = kNaN;
  EXPECT_TRUE(std::isnan(settling.change(before, after)));
}

}  // namespace
}  // namespace greybox
