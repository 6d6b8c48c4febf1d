// Gradients of initial states, parameters and regularizer terms, for every method, against differences.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ode/differentiable_problem.hpp"
#include "support/gradient_check.hpp"

namespace greybox::test {
namespace {

// A scalar objective of a batch: Σ c · outputs + Σ_i r_i · (sum of the term over sample i's evaluations).
struct Objective {
  Objective(const IntegratorOptions& options, std::size_t n_samples)
      : run(options, DifferentiableProblem::widths(), n_samples, n_samples + 2, 5),
        rhs(run.layout, n_samples),
        grad_outputs(run.outputs.size()),
        grad_initial(run.layout.size()) {
    for (std::size_t i = 0; i < n_samples; ++i) set_times(i);
    for (std::size_t at = 0; at < grad_outputs.size(); ++at)
      grad_outputs[at] = std::cos(1.7 * static_cast<double>(at));
    unknowns.assign(rhs.parameters.begin(), rhs.parameters.end());
    for (std::size_t i = 0; i < n_samples * DifferentiableProblem::n_state; ++i) {
      unknowns.push_back(0.8 * std::sin(2.3 * static_cast<double>(i) + 1));
    }
    set_unknowns();
    run.plan(rhs);
  }

  // Irregular; some samples have fewer times, some an interval without length.
  void set_times(std::size_t i) {
    const double shift = 0.17 * static_cast<double>(i % 5);
    run.time(0, i) = shift;
    run.time(1, i) = shift + 0.3;
    run.time(2, i) = shift + 0.3 + 0.2 * static_cast<double>(i % 3);
    run.time(3, i) = run.time(2, i) + 0.05;
    run.time(4, i) = run.time(3, i) + 0.4;
    run.counts[i] = i % 4 == 3 ? 3 : 5;
    rhs.grad_sums[i] = 0.3 - 0.1 * static_cast<double>(i % 6);
  }

  void set_unknowns() {
    const auto first_state = unknowns.begin() + DifferentiableProblem::n_parameters;
    std::copy(unknowns.begin(), first_state, rhs.parameters.begin());
    for (std::size_t i = 0; i < run.n_samples; ++i) {
      const auto first = first_state + static_cast<std::ptrdiff_t>(i * DifferentiableProblem::n_state);
      run.set_initial(i, {first, first + DifferentiableProblem::n_state});
    }
  }

  double value() {
    set_unknowns();
    std::fill(rhs.sums.begin(), rhs.sums.end(), 0.0);
    run.forward(rhs);
    double sum = 0;
    std::vector<double> output, weight;
    for (std::size_t i = 0; i < run.n_samples; ++i) {
      for (std::size_t k = 0; k < 4; ++k) {
        gather(run.layout, i, run.outputs.data() + k * run.layout.size(), output);
        gather(run.layout, i, grad_outputs.data() + k * run.layout.size(), weight);
        for (std::size_t j = 0; j < output.size(); ++j) sum += weight[j] * output[j];
      }
      sum += rhs.grad_sums[i] * rhs.sums[i];
    }
    return sum;
  }

  std::vector<double> gradient() {
    value();
    rhs.grad_parameters.fill(0);
    rhs.done.clear();
    run.integrator.backward(grad_outputs.data(), rhs, grad_initial.data());
    std::vector<double> result(rhs.grad_parameters.begin(), rhs.grad_parameters.end()), sample;
    for (std::size_t i = 0; i < run.n_samples; ++i) {
      gather(run.layout, i, grad_initial.data(), sample);
      result.insert(result.end(), sample.begin(), sample.end());
    }
    return result;
  }

  Trajectories<double> run;
  DifferentiableProblem rhs;
  AlignedBuffer<double> grad_outputs, grad_initial;
  std::vector<double> unknowns;
};

IntegratorOptions options_for(const Tableau& tableau, Keep keep, Weighting weighting) {
  return {.tableau = &tableau,
          .step = 0.12,
          .relative_tolerance = 1e-4,
          .absolute_tolerance = 1e-4,
          .weighting = weighting,
          .keep = keep};
}

TEST(Backward, IsTheDerivativeOfForward) {
  for (const Tableau& tableau : tableaux()) {
    for (const Keep keep : {Keep::everything, Keep::step_states}) {
      for (const std::size_t n_samples : {1u, 3u, 7u, 17u}) {
        const Weighting weighting = n_samples % 3 == 0 ? Weighting::time : Weighting::evaluations;
        Objective objective(options_for(tableau, keep, weighting), n_samples);
        const auto gradient = objective.gradient();
        const std::string what = std::string(tableau.name) + ", " + std::to_string(n_samples) + " samples";
        expect_gradient(what, objective.unknowns, gradient, [&] { return objective.value(); });
      }
    }
  }
}

// Step sizes are taken as given; at a tight tolerance that hardly matters.
TEST(Backward, AgreesWithPlanningAnewForEveryPoint) {
  for (const char* name : {"dopri5", "tsit5", "kvaerno5"}) {
    IntegratorOptions options = options_for(*find_tableau(name), Keep::everything, Weighting::time);
    options.relative_tolerance = options.absolute_tolerance = 1e-10;
    Objective objective(options, 3);
    const auto gradient = objective.gradient();
    const auto replanned = [&] {
      objective.set_unknowns();
      objective.run.plan(objective.rhs);
      return objective.value();
    };
    expect_gradient(name, objective.unknowns, gradient, replanned, 1e-4, 1e-3);
  }
}

TEST(Backward, IsTheSameInBothModes) {
  for (const Tableau& tableau : tableaux()) {
    Objective everything(options_for(tableau, Keep::everything, Weighting::evaluations), 7);
    Objective step_states(options_for(tableau, Keep::step_states, Weighting::evaluations), 7);
    EXPECT_EQ(everything.gradient(), step_states.gradient()) << tableau.name;
  }
}

TEST(Backward, TellsWhenTheSlotsOfAStepAreDone) {
  using Calls = std::vector<std::pair<std::size_t, std::size_t>>;
  const Tableau& tableau = *find_tableau("rk4");
  for (const Keep keep : {Keep::everything, Keep::step_states}) {
    Objective objective({.tableau = &tableau, .keep = keep}, 1);
    objective.gradient();
    const std::size_t n_steps = objective.run.integrator.n_steps();
    ASSERT_EQ(n_steps, 3u) << "four intervals, one without length";
    const bool all = keep == Keep::everything;
    EXPECT_EQ(objective.run.integrator.n_slots(), all ? 12u : 4u);
    EXPECT_EQ(objective.rhs.done, all ? (Calls{{8, 4}, {4, 4}, {0, 4}}) : (Calls{{0, 4}, {0, 4}, {0, 4}}));
  }
}

}  // namespace
}  // namespace greybox::test
