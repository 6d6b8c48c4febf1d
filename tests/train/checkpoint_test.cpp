#include "train/checkpoint.hpp"

#include <cmath>
#include <numeric>

#include "core/checksum.hpp"
#include "data/npz.hpp"
#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

class Checkpoint : public test::ScratchFolder {
 protected:
  Checkpoint() {
    std::iota(state_.parameters.data(), state_.parameters.data() + state_.parameters.size(), 0.1F);
    std::iota(state_.first_moments.data(), state_.first_moments.data() + state_.first_moments.size(), 0.2F);
    state_.progress.epoch = 7;
    state_.progress.loss_sum = 1.0 / 3;
    state_.progress.multiplier = 2.0 / 3;
    write_checkpoint(file_, identity_, state_);
  }

  void expect_refusal(const std::filesystem::path& file, const std::string& message,
                      const CheckpointIdentity& identity, FlatLayout layout) {
    TrainState<float> state(layout);
    state.progress.epoch = 99;
    test::expect_refused([&] { read_checkpoint(file, identity, state); }, file, "", message);
    EXPECT_EQ(state.progress.epoch, 99) << "a refused checkpoint must change nothing";
  }
  void expect_refusal(const std::filesystem::path& file, const std::string& message) {
    expect_refusal(file, message, identity_, layout_);
  }

  FlatLayout layout_ = FlatLayout::of<float>(37, 2);
  TrainState<float> state_{layout_};
  CheckpointIdentity identity_{sha256("model"), sha256("data"), sha256("options")};
  std::filesystem::path file_ = path("checkpoint.npz");
};

TEST_F(Checkpoint, BringsBackEveryBit) {
  TrainState<float> state(layout_);
  read_checkpoint(file_, identity_, state);
  EXPECT_EQ(state.progress.epoch, 7);
  EXPECT_EQ(state.progress.loss_sum, 1.0 / 3);
  EXPECT_EQ(state.progress.multiplier, 2.0 / 3);
  EXPECT_TRUE(std::isnan(state.progress.last_loss));
  EXPECT_TRUE(std::isinf(state.progress.best_validation));
  EXPECT_TRUE(
      std::equal(state.parameters.span().begin(), state.parameters.span().end(), state_.parameters.data()));
  EXPECT_TRUE(std::equal(state.first_moments.span().begin(), state.first_moments.span().end(),
                         state_.first_moments.data()));
}

TEST_F(Checkpoint, RefusesEveryTruncation) {
  const std::string whole = bytes_of(file_);
  for (std::size_t length = 0; length < whole.size(); length += 1 + length / 97)
    expect_refusal(write("cut.npz", whole.substr(0, length)), "damaged");
  expect_refusal(write("cut.npz", whole.substr(0, whole.size() - 1)), "damaged");
}

TEST_F(Checkpoint, RefusesWhatBelongsToAnotherTraining) {
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

TEST_F(Checkpoint, RefusesOtherPrecisions) {
  TrainState<double> state(layout_);
  test::expect_refused([&] { read_checkpoint(file_, identity_, state); }, file_, "", "another size or type");
}

TEST_F(Checkpoint, RefusesOtherArchives) {
  const std::vector<NamedArray> arrays = {{"x", NpyArray{{1}, std::vector<double>{1}}}};
  write_npz(path("other.npz"), arrays);
  expect_refusal(path("other.npz"), "not a checkpoint");
  const std::vector<NamedArray> newer = {{"format", NpyArray{{1}, std::vector<std::int64_t>{3}}}};
  write_npz(path("newer.npz"), newer);
  expect_refusal(path("newer.npz"), "format 3");
}

}  // namespace
}  // namespace greybox
