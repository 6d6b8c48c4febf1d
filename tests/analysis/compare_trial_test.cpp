// Where θ of an adaptive network is estimated.
#include "greybox/compare.hpp"
#include "train/toy.hpp"

namespace greybox {
namespace {

using ComparedEstimates = test::ToyFolder;

// The grid holds the θ that is lowest on the test inputs, where R is then told.
TEST_F(ComparedEstimates, AreLowestOnTheInputsTheyWereMadeOn) {
  const Model toy = Model::read(model("regularizer = \"normD\"\nepochs = 30\nbatch = 8"));
  CompareOptions request;
  request.modes = {TrainMode::adaptive};
  request.lambdas = {0.01};
  request.trials = 3;
  request.estimate = {.method = EstimateMethod::grid, .steps = 21, .rate = {}};
  request.folder = path("all");
  const double on_all = compare(toy, request).rows.at(0).regularizer.mean;
  request.folder = path("test");
  request.estimate.on_test_alone = true;
  const double on_test = compare(toy, request).rows.at(0).regularizer.mean;
  EXPECT_LT(on_test, on_all);
  request.folder = path("all");
  EXPECT_THROW(compare(toy, request), InputError) << "trials that were estimated elsewhere";
}

}  // namespace
}  // namespace greybox
