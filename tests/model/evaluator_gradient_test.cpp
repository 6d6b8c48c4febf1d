// Derivatives of evaluators against finite differences, and against each other.
#include <gtest/gtest.h>

#include "greybox/evaluator.hpp"
#include "model/evaluator_models.hpp"
#include "support/gradient_check.hpp"

namespace greybox::test {
namespace {

constexpr double kTime = 0.17;

std::vector<double> spread_values(std::size_t n, double phase) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(std::sin(1.7 * static_cast<double>(i) + phase));
  return values;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// One quantity of one model at one point, under small changes of everything.
class PointHarness {
 public:
  PointHarness(Evaluator evaluator, Quantity quantity)
      : f(std::move(evaluator)),
        of(quantity),
        state(spread_values(f.n_states(), 0.3)),
        theta(f.theta().begin(), f.theta().end()),
        inputs(spread_values(f.n_inputs(), 1.1)),
        cotangent(spread_values(f.size(of), 0.9)) {}

  double objective() {
    f.set_theta(theta);
    f.set_inputs(inputs);
    std::vector<double> out(f.size(of));
    f.evaluate(of, kTime, state, out);
    return dot(out, cotangent);
  }

  Evaluator f;
  Quantity of;
  std::vector<double> state, theta, inputs, cotangent;
};

void expect_vector_jacobian(PointHarness& at) {
  std::vector<double> state(at.state.size()), theta(at.theta.size()), inputs(at.inputs.size());
  at.objective();
  at.f.vector_jacobian(kTime, at.state, at.cotangent, {state, theta, inputs}, at.of);
  const auto objective = [&] { return at.objective(); };
  expect_gradient("state", at.state, state, objective);
  expect_gradient("theta", at.theta, theta, objective);
  expect_gradient("inputs", at.inputs, inputs, objective);
  // Passes leave nothing behind for those after them.
  std::vector<double> alone(at.state.size()), again(at.theta.size());
  at.objective();
  at.f.vector_jacobian(kTime, at.state, at.cotangent, {.state = alone}, at.of);
  at.f.vector_jacobian(kTime, at.state, at.cotangent, {.theta = again}, at.of);
  EXPECT_EQ(alone, state);
  EXPECT_EQ(again, theta);
}

void expect_jacobians_agree(PointHarness& at) {
  const std::size_t n = at.f.n_states(), m = at.f.size(at.of);
  std::vector<double> jacobian(m * n), along(m), row(n);
  const std::vector<double> tangent = spread_values(n, 2.2);
  at.objective();
  at.f.jacobian(kTime, at.state, jacobian, at.of);
  at.f.jacobian_vector(kTime, at.state, tangent, along, at.of);
  for (std::size_t i = 0; i < m; ++i) {
    const std::span<const double> expected = std::span(jacobian).subspan(i * n, n);
    std::vector<double> unit(m);
    unit[i] = 1;
    at.f.vector_jacobian(kTime, at.state, unit, {.state = row}, at.of);
    for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(row[j], expected[j], 1e-12) << i << ", " << j;
    EXPECT_NEAR(along[i], dot(expected, tangent), 1e-12) << i;
  }
}

class EvaluatorDerivatives : public ::testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(EvaluatorDerivatives, AreExact) {
  const EvaluatedModel model(GetParam().second);
  for (Quantity of : {Quantity::total, Quantity::theory, Quantity::network, Quantity::observed}) {
    SCOPED_TRACE(static_cast<int>(of));
    PointHarness at(model.evaluator(0), of);
    expect_vector_jacobian(at);
    expect_jacobians_agree(at);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EvaluatorDerivatives,
                         ::testing::Values(std::pair{"mlp", driven_oscillator()},
                                           std::pair{"encoder", with_encoder()},
                                           std::pair{"hypernetwork", with_hypernetwork()},
                                           std::pair{"chain", chain(18)},
                                           std::pair{"field", reaction_model()},
                                           std::pair{"batch_norm", reaction_model({.norm = "batch"})},
                                           std::pair{"instance_norm", reaction_model({.norm = "instance"})},
                                           std::pair{"algebraic", algebraic_model()}),
                         [](const auto& test) { return test.param.first; });

}  // namespace
}  // namespace greybox::test
