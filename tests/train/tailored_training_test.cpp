// Trainings that take steps down a regularizer for every window.
#include "train/toy_training.hpp"

namespace greybox {
namespace {

class TailoredToy : public test::ToyTraining {
 protected:
  static constexpr const char* kTailored =
      "regularizer = \"normD\"\nlambda = 0.01\nepochs = 30\nbatch = 5\nrate = 1e-2\ntailored = { steps = 2, "
      "rate = "
      "0.05 }";

  TailoredToy() { model(kTailored); }
  TrainOptions tailored(const std::string& run) const {
    TrainOptions request = options(run);
    request.mode = TrainMode::tailored;
    return request;
  }
};

TEST_F(TailoredToy, TheRecordSaysHow) {
  const RunRecord record = *train_toy(tailored("run")).record();
  ASSERT_TRUE(record.options.tailored);
  EXPECT_EQ(record.options.tailored->steps, 2U);
  EXPECT_EQ(record.options.tailored->rate, 0.05);
  EXPECT_FALSE(record.options.tailored->second_order);
  EXPECT_EQ(read_record(path("run")).options.tailored->rate, 0.05);
  EXPECT_EQ(record.theta.size(), 2U) << "what windows start from";
}

TEST_F(TailoredToy, AnInterruptedTrainingContinuesToTheSameBits) {
  train_toy(tailored("whole"));
  interrupt(tailored("cut"), 7);
  TrainOptions rest = tailored("cut");
  rest.resume = true;
  train_toy(rest);
  EXPECT_EQ(bytes_of(path("cut/weights.npz")), bytes_of(path("whole/weights.npz")));
}

TEST_F(TailoredToy, NeedsParametersToAdapt) {
  write("bare.toml", R"toml([data]
file = "data.csv"
split = { train = 0.4, validation = 0.3, test = 0.3, by = "window" }
[theory]
y = "x"
[network.fD]
inputs = ["x"]
hidden = [4]
outputs = ["y"]
[train]
regularizer = "mean(norm2(network))"
)toml");
  TrainOptions request = tailored("run");
  test::expect_refused([&] { train(Model::read(path("bare.toml")), request); }, path("bare.toml"), "",
                       "no parameters that mode tailored could adapt");
}

}  // namespace
}  // namespace greybox
