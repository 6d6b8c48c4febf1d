#include "train/checkpoint.hpp"

#include <cmath>
#include <numeric>

#include "core/checksum.hpp"
#include "data/npz.hpp"
#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

class CheckpointFile : public test::ScratchFolder {
 protected:
  CheckpointFile() {
    std::iota(state_.parameters.data(), state_.parameters.data() + state_.parameters.size(), 0.1F);
    std::iota(state_.first_moments.data(), state_.first_moments.data() + state_.first_moments.size(), 0.2F);
    state_.counters = sound();
    write_checkpoint(file_, make_checkpoint(identity_, state_));
  }

  // After 7 of 9 epochs and 2 of 4 steps.
  static Counters sound() {
    Counters progress;
    progress.n_updates = 30;
    progress.epoch = 7;
    progress.step = 2;
    progress.n_samples = 10;
    progress.loss_sum = 1.0 / 3;
    progress.regularizer_sum = -4;
    progress.last_loss = 0.25;
    progress.last_regularizer = 0.125;
    progress.n_without_improvement = 3;
    progress.seconds = 1.5;
    progress.multiplier = 2.0 / 3;
    return progress;
  }

  static void restore_file(const std::filesystem::path& file, const CheckpointExpectation& expected,
                           TrainState<float>& state) {
    restore(read_checkpoint(file), expected, state);
  }

  void expect_refusal(const std::filesystem::path& file, const std::string& message,
                      const CheckpointIdentity& identity, FlatLayout layout) {
    TrainState<float> state(layout);
    state.counters.epoch = 99;
    test::expect_refused([&] { restore_file(file, {identity, limits_}, state); }, file, "", message);
    EXPECT_EQ(state.counters.epoch, 99) << "a refused checkpoint must change nothing";
  }
  void expect_refusal(const std::filesystem::path& file, const std::string& message) {
    expect_refusal(file, message, identity_, layout_);
  }

  // The checkpoint with one number of its progress changed.
  void expect_damaged(double Counters::*counter, double value, const std::string& message) {
    TrainState<float> damaged(layout_);
    damaged.counters = sound();
    damaged.counters.*counter = value;
    write_checkpoint(path("damaged.npz"), make_checkpoint(identity_, damaged));
    expect_refusal(path("damaged.npz"), "the checkpoint is damaged: " + message);
  }

  CounterLimits limits_{.n_epochs = 9,
                        .n_steps = 4,
                        .n_samples = 20,
                        .has_loss = true,
                        .has_regularizer = true,
                        .has_multiplier = true};
  FlatLayout layout_ = FlatLayout::of<float>(37, 2);
  TrainState<float> state_{layout_};
  CheckpointIdentity identity_{sha256("model"), sha256("data"), sha256("options")};
  std::filesystem::path file_ = path("checkpoint.npz");
};

TEST_F(CheckpointFile, BringsBackEveryBit) {
  TrainState<float> state(layout_);
  restore_file(file_, {identity_, limits_}, state);
  EXPECT_EQ(state.counters.epoch, 7);
  EXPECT_EQ(state.counters.loss_sum, 1.0 / 3);
  EXPECT_EQ(state.counters.multiplier, 2.0 / 3);
  EXPECT_EQ(state.counters.last_loss, 0.25);
  EXPECT_TRUE(std::isinf(state.counters.best_validation));
  EXPECT_TRUE(
      std::equal(state.parameters.span().begin(), state.parameters.span().end(), state_.parameters.data()));
  EXPECT_TRUE(std::equal(state.first_moments.span().begin(), state.first_moments.span().end(),
                         state_.first_moments.data()));
}

TEST_F(CheckpointFile, RefusesEveryTruncation) {
  const std::string whole = bytes_of(file_);
  for (std::size_t length = 0; length < whole.size(); length += 1 + length / 97)
    expect_refusal(write("cut.npz", whole.substr(0, length)), "damaged");
  expect_refusal(write("cut.npz", whole.substr(0, whole.size() - 1)), "damaged");
}

TEST_F(CheckpointFile, RefusesWhatBelongsToAnotherTraining) {
  CheckpointIdentity other = identity_;
  other.model = sha256("another");
  expect_refusal(file_, "another model file", other, layout_);
  other = identity_;
  other.data = sha256("another");
  expect_refusal(file_, "other data", other, layout_);
  other = identity_;
  other.options = sha256("another");
  expect_refusal(file_, "other options", other, layout_);
  expect_refusal(file_, "another size", identity_, FlatLayout::of<float>(38, 20));
}

TEST_F(CheckpointFile, RefusesOtherPrecisions) {
  TrainState<double> state(layout_);
  test::expect_refused(
      [&] {
        restore(read_checkpoint(file_), {identity_, limits_}, state);
      },
      file_, "", "another size or type");
}

TEST_F(CheckpointFile, RefusesCountersThatTheTrainingNeverHas) {
  expect_damaged(&Counters::epoch, -1, "`epoch` is -1, and must be a whole number from 0 to 9");
  expect_damaged(&Counters::epoch, 10, "`epoch` is 10, and must be a whole number from 0 to 9");
  expect_damaged(&Counters::epoch, 6.5, "`epoch` is 6.5");
  expect_damaged(&Counters::epoch, NAN, "`epoch` is nan");
  expect_damaged(&Counters::step, 4, "`step` is 4, and must be a whole number from 0 to 3");
  expect_damaged(&Counters::step, NAN, "`step` is nan");
  expect_damaged(&Counters::step, -1, "`step` is -1");
  expect_damaged(&Counters::n_updates, 29, "`n_updates` is 29, and must be 30 here");
  expect_damaged(&Counters::n_samples, 0, "`n_samples` is 0, and must be a whole number from 1 to 20");
  expect_damaged(&Counters::n_samples, 1e300, "`n_samples` is 1e+300");
  expect_damaged(&Counters::n_without_improvement, NAN, "`n_without_improvement` is nan");
  expect_damaged(&Counters::n_without_improvement, 8, "`n_without_improvement` is 8");
}

TEST_F(CheckpointFile, RefusesSumsThatTheTrainingNeverHas) {
  expect_damaged(&Counters::loss_sum, INFINITY, "`loss_sum` is inf, and must be finite");
  expect_damaged(&Counters::regularizer_sum, NAN, "`regularizer_sum` is nan");
  expect_damaged(&Counters::last_loss, NAN, "`last_loss` is nan");
  expect_damaged(&Counters::best_validation, NAN, "`best_validation` is nan, and must be a number");
  expect_damaged(&Counters::seconds, -1, "`seconds` is -1");
  expect_damaged(&Counters::multiplier, NAN, "`multiplier` is nan");
  limits_.has_multiplier = false;
  expect_damaged(&Counters::multiplier, 1, "`multiplier` is 1, and must be nan in this mode");
}

TEST_F(CheckpointFile, RefusesWeightsThatAreNotFinite) {
  for (AlignedBuffer<float> TrainState<float>::*weights :
       {&TrainState<float>::parameters, &TrainState<float>::best}) {
    TrainState<float> damaged(layout_);
    damaged.counters = sound();
    (damaged.*weights).data()[3] = NAN;
    write_checkpoint(path("damaged.npz"), make_checkpoint(identity_, damaged));
    expect_refusal(path("damaged.npz"), "is not finite");
  }
}

// With λ = 0, R is shown and does not count: it may be anything.
TEST_F(CheckpointFile, TakesWhatDoesNotCount) {
  state_.counters.regularizer_sum = state_.counters.last_regularizer = NAN;
  limits_.has_regularizer = false;
  TrainState<float> state(layout_);
  restore(make_checkpoint(identity_, state_), {identity_, limits_}, state);
  EXPECT_TRUE(std::isnan(state.counters.regularizer_sum));
}

TEST_F(CheckpointFile, IsTheSameFromArrays) {
  const Checkpoint read = read_checkpoint(file_);
  EXPECT_EQ(read.identity.options, identity_.options);
  const Checkpoint again = checkpoint_from(to_arrays(read), "");
  TrainState<float> state(layout_);
  restore(again, {identity_, limits_}, state);
  EXPECT_EQ(state.counters.n_updates, 30);
  write_checkpoint(path("again.npz"), again);
  EXPECT_EQ(bytes_of(path("again.npz")), bytes_of(file_));
}

TEST_F(CheckpointFile, RefusesOtherArchives) {
  const std::vector<NamedArray> arrays = {{"x", NpyArray{{1}, std::vector<double>{1}}}};
  write_npz(path("other.npz"), arrays);
  expect_refusal(path("other.npz"), "not a checkpoint");
  const std::vector<NamedArray> newer = {{"format", NpyArray{{1}, std::vector<std::int64_t>{3}}}};
  write_npz(path("newer.npz"), newer);
  expect_refusal(path("newer.npz"), "format 3");
}

}  // namespace
}  // namespace greybox
