// A control of how much the data count: one training answers for every weight of a rule.
#include <gtest/gtest.h>
#include <unistd.h>

#include "greybox/train.hpp"
#include "model/loaded_model.hpp"
#include "model/network_set.hpp"
#include "model/prediction.hpp"
#include "model/weights.hpp"
#include "support/paths.hpp"

namespace greybox {
namespace {

namespace fs = std::filesystem;

struct Answer {
  double loss = 0, energy_rise = 0;
};

class Control : public ::testing::Test {
 protected:
  const fs::path model_file_ = fs::path(kSourceFolder) / "examples/double-pendulum.toml";

  void SetUp() override {
    TrainOptions options{.epochs = 100, .seed = 0, .folder = folder_, .execution = {.n_threads = 1}};
    const greybox::Run run = train(Model::read(model_file_), options);
    ASSERT_EQ(run.outcome(), TrainOutcome::finished) << run.message();
  }
  void TearDown() override { fs::remove_all(folder_); }

  Answer at(double control) const {
    const LoadedModel loaded = load_model(model_file_);
    const std::vector<double> weights =
        read_weights(folder_ / "weights.npz", NetworkSet<double>(*loaded.model).tensors());
    ThreadPool pool(1);
    const Prediction prediction = make_prediction<double>(
        loaded, {weights, loaded.data->of_split(Split::test), std::vector<double>{control}}, pool);
    Answer answer{.loss = prediction.mse};
    for (const auto& [name, value] : prediction.regularizers)
      if (name == "energy_rise") answer.energy_rise = value;
    return answer;
  }

  fs::path folder_ = fs::temp_directory_path() / ("greybox-control-" + std::to_string(::getpid()));
};

TEST_F(Control, TradesTheDataForTheRule) {
  const Answer data = at(0), rule = at(1);
  EXPECT_LT(data.loss, 0.5 * rule.loss);
  EXPECT_LT(rule.energy_rise, 0.2 * data.energy_rise);
}

}  // namespace
}  // namespace greybox
