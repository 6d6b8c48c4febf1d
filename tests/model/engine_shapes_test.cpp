// Spans of other sizes than promised: an assertion with a sentence, and no memory overrun.
#include <gtest/gtest.h>

#include <stdexcept>

#include "model/fixture.hpp"
#include "model/objective.hpp"

namespace greybox::test {
namespace {

// The toy, which has two parameters and no estimator, with room for four samples.
class EngineShapes : public ::testing::Test {
 protected:
  Samples<double> samples(std::span<const std::size_t> windows, std::span<const double> theta) const {
    return {&fixture_.loaded.data->windows(), windows, theta};
  }
  void forward(std::size_t n) {
    engine_.set_weights(fixture_.weights);
    engine_.forward(samples(std::span(windows_).first(n), std::span(theta_).first(2 * n)));
  }

  Fixture fixture_{"toy"};
  ThreadPool pool_{1};
  Engine<double> engine_{fixture_.loaded.plan, fixture_.loaded.data->windows(), pool_,
                         EngineOptions{.capacity = 4, .is_differentiable = true}};
  Objective<double> objective_{fixture_.loaded.model, {}, 4};
  std::vector<std::size_t> windows_{0, 1, 2, 3, 4};
  std::vector<double> theta_ = std::vector<double>(10, 0.5);
};

TEST_F(EngineShapes, SetWeightsTakesAllOfThem) {
  EXPECT_THROW(engine_.set_weights(std::span(fixture_.weights).subspan(1)), std::logic_error);
}

TEST_F(EngineShapes, ForwardChecksItsSamples) {
  engine_.set_weights(fixture_.weights);
  const std::span<const std::size_t> two = std::span(windows_).first(2);
  const std::vector<std::size_t> beyond = {0, 1'000'000};
  EXPECT_THROW(engine_.forward(samples(windows_, theta_)), std::logic_error) << "more than the capacity";
  EXPECT_THROW(engine_.forward(samples(two, std::span(theta_).first(3))), std::logic_error);
  EXPECT_THROW(engine_.forward(samples(two, {})), std::logic_error) << "there is no estimator";
  EXPECT_THROW(engine_.forward(samples(beyond, std::span(theta_).first(4))), std::logic_error);
  EXPECT_THROW(engine_.forward({nullptr, two, std::span(theta_).first(4)}), std::logic_error);
  engine_.forward(samples(two, std::span(theta_).first(4)));
  EXPECT_EQ(engine_.squared_errors().size(), 2U);
}

TEST_F(EngineShapes, BackwardChecksItsGradients) {
  forward(3);
  const ObjectiveRanges all{3, 3};
  objective_.evaluate(engine_, all);
  const Cotangents<double> cotangents = objective_.cotangents(engine_, all);
  const Samples<double> three = samples(std::span(windows_).first(3), std::span(theta_).first(6)),
                        two = samples(std::span(windows_).first(2), std::span(theta_).first(4));
  std::vector<double> grad_weights(fixture_.weights.size()), grad_theta(6);
  const auto backward = [&](const Samples<double>& given, std::size_t n_weights, std::size_t n_theta) {
    engine_.backward(given, cotangents, std::span(grad_weights).first(n_weights),
                     std::span(grad_theta).first(n_theta));
  };
  EXPECT_THROW(backward(two, grad_weights.size(), 6), std::logic_error);
  EXPECT_THROW(backward(three, grad_weights.size() - 1, 6), std::logic_error);
  EXPECT_THROW(backward(three, grad_weights.size(), 5), std::logic_error);
  EXPECT_NO_THROW(backward(three, 0, 6));
  EXPECT_NO_THROW(backward(three, grad_weights.size(), 6));
  EXPECT_THROW(engine_.term_sums(fixture_.loaded.model->terms.size()), std::logic_error);
  EXPECT_THROW(engine_.term_weights(fixture_.loaded.model->terms.size()), std::logic_error);
  EXPECT_THROW(engine_.initial_gradient(0, 3), std::logic_error);
}

TEST_F(EngineShapes, AnEngineThatOnlyPredictsHasNoWayBack) {
  Engine<double> forward_only(fixture_.loaded.plan, fixture_.loaded.data->windows(), pool_, {.capacity = 4});
  EXPECT_THROW(forward_only.backward(samples({}, {}), {}, {}, {}), std::logic_error);
}

TEST_F(EngineShapes, ObjectiveChecksItsRanges) {
  forward(3);
  EXPECT_THROW(objective_.evaluate(engine_, {4, 3}), std::logic_error);
  EXPECT_THROW(objective_.evaluate(engine_, {3, 4}), std::logic_error);
  objective_.evaluate(engine_, {3, 3});
  EXPECT_THROW(objective_.cotangents(engine_, {4, 3}), std::logic_error);
  Objective<double> smaller(fixture_.loaded.model, {}, 2);
  EXPECT_THROW(smaller.evaluate(engine_, {2, 2}), std::logic_error);
}

}  // namespace
}  // namespace greybox::test
