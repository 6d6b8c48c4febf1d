// The trainer where the networks of [estimator] learn, and no others.
#include <cmath>
#include <stdexcept>

#include "support/allocation_count.hpp"
#include "train/toy.hpp"
#include "train/trainer.hpp"

namespace greybox {
namespace {

// The toy with an estimator of both parameters.
class EstimatorTrainer : public test::ToyFolder {
 protected:
  LoadedModel load() const {
    std::string text = test::toy_model(
        "regularizer = \"normD\"\nepochs = 3\nbatch = 5\nrate = 1e-2\nweight_decay = 0.1\nvalidate_every = "
        "0");
    text.insert(text.find("[regularizers]"), R"toml([network.guess]
inputs  = ["x"]
hidden  = [8]
outputs = ["a", "c"]
[estimator]
a = "2 * sigmoid(guess.a)"
c = "tanh(guess.c)"
)toml");
    return load_model(write("model.toml", text));
  }
  static TrainerOptions options(const LoadedModel& loaded, ObjectiveKind kind) {
    TrainerOptions options{.train = loaded.spec->train, .seed = 3};
    options.theta_origin = ThetaOrigin::estimated;
    options.objective = kind;
    options.learning = LearningNetworks::estimator;
    return options;
  }
  static std::vector<double> learned_weights(const LoadedModel& loaded, const TrainerOptions& options) {
    ThreadPool pool(1);
    Trainer<double> trainer(loaded, options, pool);
    EpochResult result;
    while (!trainer.is_done())
      if (!trainer.run_epoch(result)) throw std::runtime_error(to_sentence(trainer.divergence()));
    return trainer.exact_final_weights();
  }
};

TEST_F(EstimatorTrainer, LowersRAndFrozenWeightsKeepEveryBit) {
  const LoadedModel loaded = load();
  for (ObjectiveKind kind : {ObjectiveKind::window_regularizers, ObjectiveKind::regularizer}) {
    TrainerOptions request = options(loaded, kind);
    ThreadPool pool(1);
    request.start_weights = learned_weights(loaded, request);  // no single-precision numbers
    Trainer<float> trainer(loaded, request, pool);
    EpochResult first, last;
    ASSERT_TRUE(trainer.run_epoch(first));
    while (!trainer.is_done()) ASSERT_TRUE(trainer.run_epoch(last));
    EXPECT_LT(last.regularizer, first.regularizer);
    EXPECT_TRUE(std::isnan(last.multiplier));
    const std::vector<double> after = trainer.exact_final_weights();
    std::size_t n_learned = 0;
    for (const ModelTensor& item : trainer.tensors())
      for (std::size_t w = item.tensor.offset; w < item.tensor.offset + item.tensor.size(); ++w)
        if (loaded.model->networks[item.network].is_estimator)
          n_learned += after[w] != request.start_weights[w] ? 1 : 0;
        else
          ASSERT_EQ(after[w], request.start_weights[w]) << item.tensor.name;
    EXPECT_GT(n_learned, 20U);
  }
}

// R of each window on its own is not R over all of them, unless R is a mean.
TEST_F(EstimatorTrainer, WindowsCountOnTheirOwn) {
  const LoadedModel loaded = load();
  TrainerOptions windows = options(loaded, ObjectiveKind::window_regularizers),
                 batch = options(loaded, ObjectiveKind::regularizer);
  windows.train.weight_decay = batch.train.weight_decay = 0;
  const auto distance = [&] {
    const std::vector<double> one = learned_weights(loaded, windows), other = learned_weights(loaded, batch);
    double largest = 0;
    for (std::size_t i = 0; i < one.size(); ++i) largest = std::max(largest, std::abs(one[i] - other[i]));
    return largest;
  };
  EXPECT_LT(distance(), 1e-9);
  windows.train.regularizer = batch.train.regularizer = "centred";
  EXPECT_GT(distance(), 1e-3);
}

TEST_F(EstimatorTrainer, ValidatesAtEstimatedTheta) {
  const LoadedModel loaded = load();
  TrainerOptions request = options(loaded, ObjectiveKind::regularizer);
  request.train.validate_every = 1;
  ThreadPool pool(1);
  Trainer<double> trainer(loaded, request, pool);
  EpochResult first, second;
  ASSERT_TRUE(trainer.run_epoch(first) && trainer.run_epoch(second));
  EXPECT_TRUE(std::isfinite(first.validation.regularizer));
  EXPECT_NE(first.validation.regularizer, second.validation.regularizer);
}

TEST_F(EstimatorTrainer, AStepAllocatesNothing) {
  const LoadedModel loaded = load();
  ThreadPool pool(1);
  Trainer<float> trainer(loaded, options(loaded, ObjectiveKind::window_regularizers), pool);
  EpochResult result;
  ASSERT_TRUE(trainer.run_epoch(result));
  const std::size_t before = test::n_allocations();
  while (!trainer.epoch_is_complete()) ASSERT_TRUE(trainer.step());
  EXPECT_EQ(test::n_allocations(), before);
}

}  // namespace
}  // namespace greybox
