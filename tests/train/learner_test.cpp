// A hundred optimiser steps against PyTorch (tests/fixtures/toy/steps.npz).
#include "train/learner.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "data/npz.hpp"
#include "model/fixture.hpp"
#include "support/paths.hpp"
#include "train/multiplier.hpp"
#include "train/trainer.hpp"

namespace greybox {
namespace {

using Arrays = std::map<std::string, std::vector<double>>;

constexpr std::size_t kSteps = 100, kBatch = 10, kStepsPerEpoch = 4, kParameters = 2;

Arrays read_steps() {
  Arrays arrays;
  const auto file = std::filesystem::path(kSourceFolder) / "tests/fixtures/toy/steps.npz";
  for (const auto& [name, array] : read_npz(file)) arrays[name] = array.to_doubles();
  return arrays;
}

// The draws of θ that PyTorch used.
template <class T>
class GivenTheta final : public ThetaSource<T> {
 public:
  explicit GivenTheta(const std::vector<double>& theta) : theta_(theta) {}
  void fill(Purpose, std::uint64_t step, std::span<const T>, std::span<T> theta) const override {
    for (std::size_t i = 0; i < theta.size(); ++i)
      theta[i] = static_cast<T>(theta_[step * kBatch * kParameters + i]);
  }

 private:
  std::vector<double> theta_;
};

struct Case {
  std::string mode;
  double clip_value = 1, clip_norm = 10;
  std::size_t n_loss = kBatch;
  double multiplier = 0;  // of APHYNITY
  std::size_t tailoring = 0;
  bool second_order = false;
};

template <class T>
class Replay {
 public:
  Replay(const Case& the_case, const std::string& precision)
      : prefix_(precision + '.' + the_case.mode + '.'),
        has_common_theta_(the_case.mode != "adaptive" && the_case.mode != "clipped"),
        n_loss_(the_case.n_loss) {
    constexpr std::size_t kCentred = 4;
    const AdamOptions adam{
        .weight_decay = 0.01, .clip_value = the_case.clip_value, .clip_norm = the_case.clip_norm};
    LearnerParts<T> parts{
        .theta_source = theta_source(),
        .objective = make_objective<T>(fixture_.loaded.model,
                                       {.lambda = 0.01, .regularizer = kCentred, .capacity = kBatch}),
        .update_rule = std::make_shared<AdamW<T>>(adam),
        .tailoring = the_case.tailoring > 0 ? tailoring(the_case, kCentred) : nullptr};
    learner_ = std::make_unique<Learner<T>>(fixture_.loaded, std::move(parts), pool_,
                                            LearnerOptions{.capacity = kBatch});
    if (the_case.multiplier > 0) learner_->weigh(constrained_weights(the_case.multiplier));
    state_ = std::make_unique<TrainState<T>>(learner_->make_state());
    std::copy(fixture_.weights.begin(), fixture_.weights.end(), state_->parameters.data());
    const std::vector<double>& start = steps_[the_case.tailoring > 0 ? "tailored_start" : "theta_start"];
    if (has_common_theta_) std::copy(start.begin(), start.end(), state_->learned().begin());
    schedule_.epochs = kSteps / kStepsPerEpoch;
    schedule_.rate_start = 1e-2;
    schedule_.rate_end = 1e-4;
  }

  void run(double tolerance) {
    for (std::size_t step = 0; step < kSteps; ++step) {
      const double rate = rate_of_epoch(schedule_, step / kStepsPerEpoch);
      ASSERT_NEAR(rate, steps_[prefix_ + "rate"][step], 1e-12 * rate);
      std::vector<std::size_t> windows;
      for (std::size_t i = 0; i < kBatch; ++i)
        windows.push_back(static_cast<std::size_t>(steps_["batches"][step * kBatch + i]));
      ASSERT_TRUE(learner_->step(*state_, {windows, {.n_loss = n_loss_, .n_regularizer = kBatch}}, rate));
      const double objective = steps_[prefix_ + "objective"][step];
      ASSERT_NEAR(learner_->values().total, objective, tolerance * objective) << prefix_ << " step " << step;
      if (has_common_theta_) expect_theta(step, tolerance);
      if (step == 0) expect_weights("after1.", tolerance);
    }
    expect_weights("after100.", tolerance);
  }

 private:
  std::shared_ptr<const ThetaSource<T>> theta_source() {
    if (has_common_theta_)
      return make_theta_source<T>(ThetaOrigin::learned, fixture_.loaded.spec->parameters, 0, {});
    return std::make_shared<GivenTheta<T>>(steps_["theta"]);
  }

  std::shared_ptr<Tailoring<T>> tailoring(const Case& the_case, std::size_t regularizer) const {
    ModelSpec spec = *fixture_.loaded.spec;
    spec.train.tailored = {the_case.tailoring, 0.004, the_case.second_order};
    LoadedModel loaded = fixture_.loaded;
    loaded.spec = std::make_shared<const ModelSpec>(spec);
    return std::make_shared<Tailoring<T>>(loaded, regularizer, kBatch);
  }

  void expect_theta(std::size_t step, double tolerance) {
    for (std::size_t p = 0; p < kParameters; ++p)
      ASSERT_NEAR(static_cast<double>(state_->learned()[p]),
                  steps_[prefix_ + "theta"][step * kParameters + p], 4 * tolerance)
          << prefix_ << " step " << step;
  }

  void expect_weights(const std::string& when, double tolerance) {
    for (const ModelTensor& item : learner_->tensors())
      test::expect_close(prefix_ + when + item.tensor.name,
                         state_->weights().subspan(item.tensor.offset, item.tensor.size()),
                         steps_[prefix_ + when + item.tensor.name], tolerance);
  }

  test::Fixture fixture_{"toy"};
  Arrays steps_ = read_steps();
  std::string prefix_;
  bool has_common_theta_;
  std::size_t n_loss_;
  ThreadPool pool_{1};
  std::unique_ptr<Learner<T>> learner_;
  std::unique_ptr<TrainState<T>> state_;
  TrainSpec schedule_;
};

TEST(Learner, ChecksBatchAndState) {
  const test::Fixture fixture("toy");
  ThreadPool pool(1);
  const auto make = [&](ThetaOrigin origin) {
    LearnerParts<double> parts{
        .theta_source = make_theta_source<double>(origin, fixture.loaded.spec->parameters, 0, {0.5, 0.5}),
        .objective = make_objective<double>(fixture.loaded.model, {.capacity = 2}),
        .update_rule = std::make_shared<AdamW<double>>(AdamOptions{})};
    return Learner<double>(fixture.loaded, std::move(parts), pool, LearnerOptions{.capacity = 2});
  };
  Learner<double> learner = make(ThetaOrigin::fixed);
  TrainState<double> state = learner.make_state(), other = make(ThetaOrigin::learned).make_state();
  const std::vector<std::size_t> windows = {0, 1, 2};
  const Batch two{std::span(windows).first(2), {.n_loss = 2, .n_regularizer = 2}};
  EXPECT_THROW(learner.step(state, {windows, {3, 3}}, 1e-3), std::logic_error) << "more than the capacity";
  EXPECT_THROW(learner.step(state, {{}, {}}, 1e-3), std::logic_error);
  EXPECT_THROW(learner.step(state, {two.windows, {.n_loss = 3, .n_regularizer = 2}}, 1e-3), std::logic_error);
  EXPECT_THROW(learner.step(other, two, 1e-3), std::logic_error);
  EXPECT_TRUE(learner.step(state, two, 1e-3));
}

class LearnerSteps : public ::testing::TestWithParam<Case> {};

TEST_P(LearnerSteps, AgreeWithPyTorchInDouble) {
  Replay<double>(GetParam(), "float64").run(1e-9);
}

TEST_P(LearnerSteps, AgreeWithPyTorchInFloat) {
  Replay<float>(GetParam(), "float32").run(1e-4);
}

// What the steps down R owe to the weights is told by differences, and Adam divides by gradients' sizes.
TEST(SecondOrder, StepsAgreeWithPyTorch) {
  const Case second_order{"second_order", 1, 10, kBatch, 0, 3, true};
  Replay<double>(second_order, "float64").run(1e-6);
}

INSTANTIATE_TEST_SUITE_P(Modes, LearnerSteps,
                         ::testing::Values(Case{"adaptive"}, Case{"inductive"}, Case{"clipped", 0.05, 0.2},
                                           Case{"transductive", 1, 10, 6},
                                           Case{"aphynity", 1, 10, kBatch, 25},
                                           Case{"tailored", 1, 10, kBatch, 0, 3}),
                         [](const auto& tested) { return tested.param.mode; });

}  // namespace
}  // namespace greybox
