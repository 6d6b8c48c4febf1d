// Evaluators, integrated along a window, against the engine's prediction of that window.
#include <gtest/gtest.h>

#include <cmath>

#include "model/evaluator_models.hpp"
#include "model/fixture.hpp"
#include "model/prediction.hpp"
#include "ode/tableau.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

// One step of a Runge–Kutta method, in place.
void step(Evaluator& f, const Tableau& method, double t, double size, std::vector<double>& state) {
  std::vector<std::vector<double>> slopes;
  const auto sum = [&](const std::vector<double>& coefficients) {
    std::vector<double> point = state;
    for (std::size_t j = 0; j < slopes.size(); ++j)
      for (std::size_t i = 0; i < point.size(); ++i) point[i] += size * coefficients[j] * slopes[j][i];
    return point;
  };
  for (std::size_t s = 0; s < method.n_stages(); ++s) {
    const std::vector<double> point = sum(method.a[s]);
    slopes.emplace_back(f.n_states());
    f.derivative(t + method.c[s] * size, point, slopes.back());
  }
  state = sum(method.b);
}

const PredictedVariable& variable(const Prediction& prediction, const std::string& name) {
  for (const PredictedVariable& candidate : prediction.variables)
    if (candidate.name == name) return candidate;
  throw std::out_of_range(name);
}

struct Agreement {
  double largest_step = 0;  // 0: one step per interval
  double tolerance = 1e-11;
};

// `of` at the prediction's output time k, component by component.
void expect_predicted(const Prediction& prediction, Evaluator& f, Quantity of, std::size_t k, double t,
                      std::span<const double> state, double tolerance) {
  const std::vector<double> actual = at_point(f, of, t, state);
  std::size_t offset = 0;
  for (const Evaluator::Variable& part : of == Quantity::observed ? f.outputs() : f.components()) {
    const std::string prefix = of == Quantity::theory ? "theory." : of == Quantity::network ? "network." : "";
    const std::vector<double>& all = variable(prediction, prefix + part.name).values;
    const std::size_t points = part.points();
    const std::vector<double> expected(all.begin() + static_cast<std::ptrdiff_t>(k * points),
                                       all.begin() + static_cast<std::ptrdiff_t>((k + 1) * points));
    expect_close(prefix + part.name + ", output " + std::to_string(k),
                 std::span(actual).subspan(offset, points), expected, tolerance, 1e-3);
    offset += points;
  }
}

// Integrates the evaluator along a window and compares with the engine's prediction of that window.
void expect_prediction(const LoadedModel& loaded, const std::vector<double>& weights,
                       const std::vector<double>& theta, std::size_t window,
                       const Agreement& agreement = {}) {
  SCOPED_TRACE(loaded.spec->name);
  ThreadPool pool(1);
  const Prediction prediction = make_prediction<double>(loaded, {weights, {window}, theta}, pool);
  Evaluator f = make_evaluator(loaded, weights, theta, window);
  std::vector<double> state(f.n_states());
  f.initial_state(state);
  if (f.is_algebraic()) {
    for (Quantity of : {Quantity::theory, Quantity::network, Quantity::observed})
      expect_predicted(prediction, f, of, 0, 0, state, agreement.tolerance);
    return;
  }
  const WindowData& data = loaded.data->windows();
  const Window& rows = data.windows[window];
  const auto time = [&](std::size_t k) {
    return data.table->time[rows.first_row + k] - data.table->time[rows.first_row];
  };
  for (std::size_t k = 0; k + 1 < rows.n_rows; ++k) {
    const double length = time(k + 1) - time(k), largest = agreement.largest_step;
    const double n = largest > 0 ? std::max(1.0, std::ceil(length / largest - 1e-6)) : 1;
    for (double m = 0; m < n; ++m)
      step(f, *loaded.spec->solver.options.tableau, time(k) + m * length / n, length / n, state);
    for (Quantity of : {Quantity::theory, Quantity::network, Quantity::observed})
      expect_predicted(prediction, f, of, k, time(k + 1), state, agreement.tolerance);
    if (::testing::Test::HasFailure()) return;
  }
}

LoadedModel example(const std::string& name) {
  return load_model(std::filesystem::path(kSourceFolder) / "examples" / (name + ".toml"));
}

std::vector<double> drawn_weights(const LoadedModel& loaded) {
  return initial_weights(NetworkSet<double>(*loaded.model).tensors(), 3);
}

TEST(Evaluator, AgreesWithPredictionsOfTheExamples) {
  const LoadedModel oscillator = example("oscillator"), toy = example("toy"),
                    drug = example("two-compartment");
  expect_prediction(oscillator, drawn_weights(oscillator), {4.2}, 3, {.largest_step = 0.05});
  expect_prediction(toy, drawn_weights(toy), {1.1, 0.4}, 5);
  // Against adaptive steps of relative tolerance 1e-4.
  expect_prediction(drug, drawn_weights(drug), {3, 1.2}, 1, {.largest_step = 0.05, .tolerance = 1e-3});
}

TEST(Evaluator, AgreesWithPredictionsOfTheFixtures) {
  for (const char* name :
       {"pendulum", "predator-prey", "reaction-diffusion", "reaction-diffusion-no-norm", "toy"}) {
    const Fixture fixture(name);
    std::vector<double> theta;
    for (const ParameterSpec& parameter : fixture.loaded.spec->parameters)
      theta.push_back(0.4 * parameter.low + 0.6 * parameter.high);
    expect_prediction(fixture.loaded, fixture.weights, theta, 0,
                      {.largest_step = fixture.loaded.spec->solver.options.step});
  }
}

TEST(Evaluator, AgreesWithPredictionsOfMadeModels) {
  for (const std::string& text :
       {driven_oscillator(), with_encoder(), with_hypernetwork(), chain(18),
        reaction_model({.norm = "batch"}), reaction_model({.norm = "instance"}), algebraic_model()}) {
    const EvaluatedModel model(text);
    for (std::size_t window = 0; window < 3; ++window)
      expect_prediction(model.loaded, model.weights, model.theta, window % model.made.data->all().size(),
                        {.largest_step = model.made.spec->solver.options.step});
  }
}

}  // namespace
}  // namespace greybox::test
