// What evaluators hold and refuse; independence of copies and threads; no allocation.
#include "greybox/evaluator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "model/evaluator_models.hpp"
#include "support/allocation_count.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

TEST(Evaluator, TheTotalIsTheCompositionOfTheParts) {
  const EvaluatedModel model(driven_oscillator());
  Evaluator f = model.evaluator(0);
  const std::vector<double> state = {0.4, -0.8};
  std::vector<double> derivative(2), theory(2), network(2);
  f.derivative(0.3, state, derivative);
  f.theory(0.3, state, theory);
  f.network(0.3, state, network);
  EXPECT_NEAR(derivative[0], theory[0] + 0.3 * network[0], 1e-14);
  EXPECT_NEAR(derivative[1], theory[1] * (1 + 0.5 * std::tanh(network[1])) + 0.1 * network[0], 1e-14);
  EXPECT_EQ(theory[0], -0.8);
}

TEST(Evaluator, NamesWhatItHolds) {
  Evaluator f = EvaluatedModel(driven_oscillator()).evaluator();
  EXPECT_EQ(f.parameters(), (std::vector<std::string>{"k", "d"}));
  EXPECT_EQ(f.inputs(), (std::vector<std::string>{"push", "pull"}));
  ASSERT_EQ(f.states().size(), 2U);
  EXPECT_EQ(f.states()[1].name, "v");
  EXPECT_EQ(f.theta()[0], 0.7);
  const Evaluator field = EvaluatedModel(reaction_model()).evaluator();
  EXPECT_EQ(field.states()[0].height, 4U);
  EXPECT_EQ(field.states()[0].width, 5U);
  EXPECT_EQ(field.n_states(), 21U);
  const Evaluator algebraic = EvaluatedModel(algebraic_model()).evaluator();
  ASSERT_EQ(algebraic.states().size(), 3U);
  EXPECT_EQ(algebraic.components()[0].name, "y");
  EXPECT_EQ(algebraic.n_components(), 1U);
}

TEST(Evaluator, NeedsNoDataWhereNothingReadsTheWindow) {
  const EvaluatedModel with(driven_oscillator()), without(driven_oscillator(), false);
  Evaluator f = with.evaluator(), g = without.evaluator();
  const std::vector<double> state = {0.4, -0.8}, inputs = {0.5, 1.5};
  f.set_inputs(inputs);
  g.set_inputs(inputs);
  EXPECT_EQ(at_point(f, Quantity::total, 0.2, state), at_point(g, Quantity::total, 0.2, state));
  EXPECT_EQ(g.start_time(), 0);
}

TEST(Evaluator, NeedsNoWindowForAnEncoderOfTheInitialStateAlone) {
  const LoadedModel loaded = load_model(std::filesystem::path(kSourceFolder) / "examples/oscillator.toml");
  const std::vector<double> weights = initial_weights(NetworkSet<double>(*loaded.model).tensors(), 3);
  Evaluator without = make_evaluator(loaded, weights, std::vector<double>{4}),
            with = make_evaluator(loaded, weights, std::vector<double>{4}, 2);
  const std::vector<double> state = {0.4, -0.8};
  EXPECT_EQ(at_point(without, Quantity::total, 0, state), at_point(with, Quantity::total, 0, state));
}

TEST(Evaluator, ReadsStartTimeAndInputs) {
  const EvaluatedModel model(driven_oscillator());
  Evaluator f = model.evaluator(1);
  EXPECT_EQ(f.start_time(), 0.1);
  const std::vector<double> state = {0.4, -0.8}, inputs = {0.5, 1.5};
  const std::vector<double> of_window = at_point(f, Quantity::theory, 0.2, state);
  f.set_inputs(inputs);
  f.set_start_time(2);
  const double drag = 0.3 * -0.8 * 0.8;
  EXPECT_NEAR(at_point(f, Quantity::theory, 0.2, state)[1],
              -0.7 * 0.4 - drag + 0.2 * 0.5 * 1.5 + 0.1 * std::sin(2.2), 1e-14);
  f.set_start_time(0.1);
  f.use_window_inputs();
  EXPECT_EQ(at_point(f, Quantity::theory, 0.2, state), of_window);
}

TEST(Evaluator, HoldsTheWindowsInputsBeyondItsEnds) {
  Evaluator f = EvaluatedModel(driven_oscillator()).evaluator(0);
  const std::vector<double> state = {0.4, -0.8};
  f.set_theta(std::vector<double>{0.7, 0});
  // Only the inputs and 0.1·sin(t + t0) depend on time, and t0 is 0.
  const auto push = [&](double t) { return at_point(f, Quantity::theory, t, state)[1] - 0.1 * std::sin(t); };
  EXPECT_NEAR(push(0.42), push(5), 1e-14);
  EXPECT_NEAR(push(0), push(-1), 1e-14);
  EXPECT_GT(std::abs(push(0) - push(0.42)), 1e-3);
}

TEST(Evaluator, CopiesAreIndependent) {
  const EvaluatedModel model(with_hypernetwork());
  Evaluator f = model.evaluator();
  const std::vector<double> state = {0.4, -0.8}, inputs = {0.5, 1.5}, other = {1.7, 0.9};
  f.set_inputs(inputs);
  f.set_start_time(1);
  const std::vector<double> before = at_point(f, Quantity::total, 0.2, state);
  Evaluator copy = f;
  EXPECT_EQ(at_point(copy, Quantity::total, 0.2, state), before);
  copy.set_theta(other);
  copy.set_inputs(other);
  copy.set_start_time(3);
  EXPECT_NE(at_point(copy, Quantity::total, 0.2, state), before);
  EXPECT_EQ(at_point(f, Quantity::total, 0.2, state), before);
  copy = f;
  EXPECT_EQ(at_point(copy, Quantity::total, 0.2, state), before);
  Evaluator moved = std::move(copy);
  EXPECT_EQ(at_point(moved, Quantity::total, 0.2, state), before);
}

TEST(Evaluator, ThreadsMayHaveACopyEach) {
  for (const std::string& text : {with_hypernetwork(), reaction_model({.norm = "batch"})}) {
    const EvaluatedModel model(text);
    Evaluator first = model.evaluator(0), second = first;
    std::vector<double> state(first.n_states());
    first.initial_state(state);
    const auto work = [&state](Evaluator& f, std::vector<double>& sum) {
      std::vector<double> gradient(f.n_states());
      sum.assign(f.n_states(), 0);
      for (int i = 0; i < 300; ++i) {
        const std::vector<double> seed = at_point(f, Quantity::total, 0.01 * i, state);
        f.vector_jacobian(0.01 * i, state, seed, {.state = gradient});
        for (std::size_t s = 0; s < sum.size(); ++s) sum[s] += gradient[s];
      }
    };
    std::vector<double> expected, here, there;
    work(first, expected);
    std::thread thread([&] { work(second, there); });
    work(first, here);
    thread.join();
    EXPECT_EQ(here, expected);
    EXPECT_EQ(there, expected);
  }
}

TEST(Evaluator, AllocatesNothing) {
  for (const std::string& text : {with_encoder(), with_hypernetwork(), chain(18),
                                  reaction_model({.norm = "batch"}), reaction_model(), algebraic_model()}) {
    const EvaluatedModel model(text);
    Evaluator f = model.evaluator(0);
    const std::size_t n = f.n_states();
    std::vector<double> state(n), out(64 * 64), gradient(n), theta(f.n_parameters()), inputs(f.n_inputs());
    f.initial_state(state);
    const auto use = [&] {
      f.set_theta(model.theta);
      f.set_start_time(0.5);
      for (Quantity of : {Quantity::total, Quantity::theory, Quantity::network, Quantity::observed}) {
        const std::span<double> values = std::span(out).first(f.size(of));
        f.use_window_inputs();
        f.evaluate(of, 0.1, state, values);
        f.vector_jacobian(0.1, state, values, {gradient, theta, inputs}, of);
        f.set_inputs(inputs);
        f.jacobian_vector(0.1, state, gradient, values, of);
        f.jacobian(0.1, state, std::span(out).first(f.size(of) * n), of);
      }
    };
    use();
    const std::size_t before = n_allocations();
    use();
    EXPECT_EQ(n_allocations(), before) << text;
  }
}

template <class Error, class F>
void expect_refused(F&& f, const std::string& message) {
  try {
    f();
    ADD_FAILURE() << "expected: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), message);
  }
}

TEST(Evaluator, RefusesWrongSizes) {
  Evaluator f = EvaluatedModel(driven_oscillator()).evaluator(0);
  std::vector<double> one(1), two(2), three(3), four(4);
  const auto refused = [](auto&& call, const std::string& message) {
    expect_refused<std::invalid_argument>(call, message);
  };
  refused([&] { f.set_theta(three); }, "`theta` has 3 values where 2 are needed");
  refused([&] { f.set_inputs(one); }, "`values` has 1 values where 2 are needed");
  refused([&] { f.initial_state(one); }, "`out` has 1 values where 2 are needed");
  refused([&] { f.derivative(0, three, two); }, "`state` has 3 values where 2 are needed");
  refused([&] { f.observe(0, two, one); }, "`out` has 1 values where 2 are needed");
  refused([&] { f.jacobian(0, two, three); }, "`out` has 3 values where 4 are needed");
  refused([&] { f.jacobian(0, one, four); }, "`state` has 1 values where 2 are needed");
  refused([&] { f.jacobian_vector(0, two, one, two); }, "`tangent` has 1 values where 2 are needed");
  refused([&] { f.jacobian_vector(0, two, two, one); }, "`out` has 1 values where 2 are needed");
  refused([&] { f.vector_jacobian(0, two, one, {}); }, "`cotangent` has 1 values where 2 are needed");
  refused([&] { f.vector_jacobian(0, two, two, {.state = one}); },
          "`gradients.state` has 1 values where 2 are needed");
  refused([&] { f.vector_jacobian(0, two, two, {.theta = one}); },
          "`gradients.theta` has 1 values where 2 are needed");
  refused([&] { f.vector_jacobian(0, two, two, {.inputs = one}); },
          "`gradients.inputs` has 1 values where 2 are needed");
  EvaluatedModel wrong(driven_oscillator());
  wrong.weights.pop_back();
  refused([&] { wrong.evaluator(); },
          fmt::format("{} weights are given, and the networks of the model have {}", wrong.weights.size(),
                      wrong.weights.size() + 1));
  wrong.weights.push_back(0);
  wrong.theta.pop_back();
  refused([&] { wrong.evaluator(); }, "`theta` has 1 values where 2 are needed");
}

TEST(Evaluator, RefusesThetaOutsideItsBoundsAndKeepsWhatItHad) {
  Evaluator f = EvaluatedModel(driven_oscillator()).evaluator(0);
  const std::vector<double> outside = {3, -1};
  expect_refused<InputError>([&] { f.set_theta(outside); },
                             "error: k = 3 is outside its bounds\n  help: the model file allows 0.1 to 2\n"
                             "error: d = -1 is outside its bounds\n  help: the model file allows 0 to 1");
  EXPECT_EQ(f.theta()[0], 0.7);
}

TEST(Evaluator, RefusesAWindowThatIsMissing) {
  expect_refused<InputError>(
      [] { EvaluatedModel(driven_oscillator()).evaluator(3); },
      "option `window`: error: there is no window 3\n  help: the data have 3 windows, from 0 to 2");
  expect_refused<InputError>([] { EvaluatedModel(driven_oscillator(), false).evaluator(0); },
                             "option `window`: error: there is no window 0: the model has no data\n"
                             "  help: open the model with its data, or give no window");
  expect_refused<InputError>(
      [] { EvaluatedModel(with_encoder()).evaluator(); },
      "made.toml:38:10: error: network `enc` reads the window, so that the model has no values at a point "
      "alone\n  38 | [network.enc]\n     |          ^^^\n"
      "  help: say which window of the data the evaluator is of");
  Evaluator f = EvaluatedModel(driven_oscillator()).evaluator();
  std::vector<double> state(2);
  expect_refused<std::logic_error>([&] { f.initial_state(state); },
                                   "an initial state needs a window of the data, and the evaluator has none");
}

TEST(Evaluator, RefusesWhatTheModelDoesNotHave) {
  Evaluator f = EvaluatedModel(driven_oscillator()).evaluator();
  std::vector<double> two(2), three(3), one(1);
  expect_refused<std::logic_error>(
      [&] { f.derivative(0, two, two); },
      "the model reads inputs without values (push, pull): call set_inputs, or give a window");
  EXPECT_NO_THROW(f.observe(0, two, two));  // reads none
  expect_refused<std::logic_error>(
      [&] { f.value(two, two); },
      "only an algebraic model has a value: of a model with states call derivative");
  Evaluator algebraic = EvaluatedModel(algebraic_model()).evaluator();
  EXPECT_NO_THROW(algebraic.value(three, one));
  expect_refused<std::logic_error>([&] { algebraic.derivative(0, three, one); },
                                   "an algebraic model has no derivative in time: call value");
}

}  // namespace
}  // namespace greybox::test
