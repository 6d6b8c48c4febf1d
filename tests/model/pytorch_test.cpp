// Predictions, regularizers and gradients of the paper's models against PyTorch.
#include <gtest/gtest.h>

#include "model/engine.hpp"
#include "model/fixture.hpp"
#include "model/objective.hpp"
#include "model/prediction.hpp"

namespace greybox::test {
namespace {

struct Case {
  std::string model;
  double prediction_tolerance;  // in float
};

class PyTorch : public ::testing::TestWithParam<Case> {};

template <class T>
double tolerance_of(double in_float, double in_double) {
  return std::is_same_v<T, float> ? in_float : in_double;
}

template <class T>
void check_predictions(const Case& test_case) {
  const Fixture fixture(test_case.model);
  ThreadPool pool(2);
  const Prediction prediction = make_prediction<T>(
      fixture.loaded, {fixture.weights, fixture.loaded.data->all(), fixture.expected.at("theta_common")},
      pool);
  const double tolerance = tolerance_of<T>(test_case.prediction_tolerance, 1e-11);
  for (const PredictedVariable& variable : prediction.variables)
    expect_close(variable.name, variable.values, fixture.expected.at("float64.common." + variable.name),
                 tolerance);
  for (const auto& [name, value] : prediction.regularizers)
    expect_close("R." + name, std::vector{value}, fixture.expected.at("float64.common.R." + name), tolerance);
  expect_close("L", std::vector{prediction.mse}, fixture.expected.at("float64.common.L"), tolerance);
}

TEST_P(PyTorch, PredictsTheSameInDouble) {
  check_predictions<double>(GetParam());
}
TEST_P(PyTorch, PredictsTheSameInFloat) {
  check_predictions<float>(GetParam());
}

// One batch with θ of its own for every sample: objective J = L + 0.1·R and all its gradients.
template <class T>
struct Differentiated {
  Differentiated(const Fixture& fixture, std::size_t memory_limit, bool use_estimator = false,
                 double loss_weight = 1, double lambda = 0.1)
      : pool(2),
        engine(fixture.loaded.plan, fixture.loaded.data->windows(), pool,
               {.capacity = fixture.loaded.data->windows().windows.size(),
                .is_differentiable = true,
                .memory_limit = memory_limit}) {
    const BoundModel& model = *fixture.loaded.model;
    std::vector<T> theta;
    if (!use_estimator)
      theta.assign(fixture.expected.at("theta").begin(), fixture.expected.at("theta").end());
    const std::vector<std::size_t> windows = fixture.loaded.data->all();
    const std::vector<T> weights(fixture.weights.begin(), fixture.weights.end());
    engine.set_weights(weights);
    const Samples<T> samples{&fixture.loaded.data->windows(), windows, theta};
    engine.forward(samples);
    std::size_t regularizer = 0;
    while (model.regularizers[regularizer].name != model.spec->train.regularizer) ++regularizer;
    Objective<T> objective(fixture.loaded.model, {loss_weight, lambda, regularizer}, windows.size());
    const ObjectiveRanges everything{windows.size(), windows.size()};
    values = objective.evaluate(engine, everything);
    grad_weights.resize(engine.n_weights());
    grad_theta.resize(windows.size() * model.spec->parameters.size());
    engine.backward(samples, objective.cotangents(engine, everything), grad_weights, grad_theta);
  }

  ThreadPool pool;
  Engine<T> engine;
  typename Objective<T>::Values values;
  std::vector<T> grad_weights, grad_theta;
};

template <class T>
void expect_weight_gradients(const Fixture& fixture, const Differentiated<T>& result,
                             const std::string& prefix, double tolerance) {
  for (const ModelTensor& item : result.engine.networks().tensors()) {
    const auto found = fixture.expected.find(prefix + "grad." + item.tensor.name);
    if (found == fixture.expected.end()) continue;
    // A bias before a norm has gradient zero; PyTorch leaves its rounding there.
    const bool is_rounding = item.tensor.name.starts_with("conv") && item.tensor.name.ends_with(".bias") &&
                             !item.tensor.name.ends_with("norm.bias");
    const std::span<const T> actual(result.grad_weights.data() + item.tensor.offset, item.tensor.size());
    expect_close(found->first, actual, found->second, tolerance, is_rounding ? 1e-6 : 1e-12);
  }
}

template <class T>
void check_gradients(const std::string& model, std::size_t memory_limit) {
  const Fixture fixture(model);
  const Differentiated<T> result(fixture, memory_limit);
  const double tolerance = tolerance_of<T>(1e-4, 1e-9);
  expect_close("L", std::vector{result.values.loss}, fixture.expected.at("float64.samples.L"), tolerance);
  expect_close("J", std::vector{result.values.total}, fixture.expected.at("float64.samples.J"), tolerance);
  expect_weight_gradients(fixture, result, "float64.samples.", tolerance);
  expect_close("grad.theta", result.grad_theta, fixture.expected.at("float64.samples.grad.theta"), tolerance);
  const BoundModel& bound = *fixture.loaded.model;
  for (std::size_t s = 0; s < bound.states.size() && !bound.is_algebraic(); ++s) {
    const std::size_t points = bound.points(bound.states[s].shape);
    std::vector<T> gradient;
    for (std::size_t i = 0; i < fixture.loaded.data->windows().windows.size(); ++i) {
      const T* of_sample = result.engine.initial_gradient(s, i);
      gradient.insert(gradient.end(), of_sample, of_sample + points);
    }
    const std::string name = "grad.initial." + bound.states[s].name;
    expect_close(name, gradient, fixture.expected.at("float64.samples." + name), tolerance);
  }
}

constexpr std::size_t kKeepEverything = std::size_t{1} << 30, kRepeatSteps = 0;

TEST_P(PyTorch, HasTheSameGradientsInDouble) {
  check_gradients<double>(GetParam().model, kKeepEverything);
}
TEST_P(PyTorch, HasTheSameGradientsInFloat) {
  check_gradients<float>(GetParam().model, kKeepEverything);
}
TEST_P(PyTorch, HasTheSameGradientsWhenStepsAreRepeated) {
  check_gradients<double>(GetParam().model, kRepeatSteps);
}

INSTANTIATE_TEST_SUITE_P(Models, PyTorch,
                         ::testing::Values(Case{"toy", 1e-5}, Case{"pendulum", 1e-5},
                                           Case{"aphynity-pendulum", 1e-5}, Case{"predator-prey", 1e-5},
                                           Case{"reaction-diffusion", 1e-4},
                                           Case{"reaction-diffusion-no-norm", 1e-4}),
                         [](const auto& test) {
                           std::string name = test.param.model;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(PyTorchEstimator, GivesTheSameParametersAndGradients) {
  const Fixture fixture("predator-prey");
  const Differentiated<double> result(fixture, kKeepEverything, true, 0, 1);
  expect_close("theta", result.engine.theta(), fixture.expected.at("float64.estimator.theta"), 1e-11);
  expect_close("R", std::vector{result.values.regularizer}, fixture.expected.at("float64.estimator.R.normD"),
               1e-11);
  expect_weight_gradients(fixture, result, "float64.estimator.", 1e-9);
}

}  // namespace
}  // namespace greybox::test
