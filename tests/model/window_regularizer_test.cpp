#include "model/window_regularizer.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/fixture.hpp"

namespace greybox::test {
namespace {

// The mean of R over windows, each on its own, with θ from the estimator.
class WindowRegularizerOf : public ::testing::TestWithParam<std::string> {};

TEST_P(WindowRegularizerOf, HasTheGradientOfFiniteDifferences) {
  const Fixture fixture("predator-prey");
  const BoundModel& model = *fixture.loaded.model;
  std::size_t place = 0;
  while (model.regularizers.at(place).name != GetParam()) ++place;
  const std::vector<std::size_t> windows = fixture.loaded.data->all();
  ThreadPool pool(1);
  Engine<double> engine(fixture.loaded.plan, fixture.loaded.data->windows(), pool,
                        {.capacity = windows.size(), .is_differentiable = true});
  WindowRegularizer<double> regularizer(fixture.loaded.model, place, windows.size());
  const Samples<double> samples{&fixture.loaded.data->windows(), windows, {}};
  std::vector<double> weights = fixture.weights, gradient(weights.size());
  std::vector<double> grad_theta(windows.size() * fixture.loaded.spec->parameters.size());
  const auto mean = [&] {
    engine.set_weights(weights);
    engine.forward(samples);
    double sum = 0;
    for (double value : regularizer.evaluate(engine)) sum += value;
    return sum / static_cast<double>(windows.size());
  };
  mean();
  regularizer.evaluate_with_cotangents(engine);
  engine.backward(samples, regularizer.cotangents(), gradient, grad_theta);
  std::size_t n_checked = 0;
  for (const ModelTensor& item : engine.networks().tensors()) {
    if (!model.networks[item.network].is_estimator) continue;
    const std::size_t w = item.tensor.offset + item.tensor.size() / 2;
    const double middle = weights[w], step = 1e-5;
    weights[w] = middle + step;
    const double above = mean();
    weights[w] = middle - step;
    const double slope = (above - mean()) / (2 * step);
    weights[w] = middle;
    EXPECT_NEAR(gradient[w], slope, 1e-5 * std::max(std::abs(slope), 1e-2)) << item.tensor.name;
    ++n_checked;
  }
  EXPECT_GT(n_checked, 3U);
}

INSTANTIATE_TEST_SUITE_P(Regularizers, WindowRegularizerOf, ::testing::Values("normD", "corr"));

}  // namespace
}  // namespace greybox::test
