// Error control: tolerances met, samples independent, and what happens when it has to give up.
#include "ode/adaptive_planner.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ode/problems.hpp"

namespace greybox::test {
namespace {

std::vector<const Tableau*> adaptive_methods() {
  return {find_tableau("dopri5"), find_tableau("tsit5"), find_tableau("kvaerno3"), find_tableau("kvaerno5")};
}

template <class T>
void lotka_volterra(std::size_t sample, T, const std::vector<T>& s, std::vector<T>& ds) {
  const T speed = T(1) + T(0.3) * static_cast<T>(sample);
  ds[0] = speed * s[0] * (T(1.5) - s[1]);
  ds[1] = speed * s[1] * (s[0] - T(3));
}

template <class T>
Trajectories<T> lotka_volterra_run(const IntegratorOptions& options, std::size_t n_samples) {
  Trajectories<T> run(options, {1, 1}, n_samples, n_samples, 4);
  for (std::size_t i = 0; i < n_samples; ++i) {
    run.set_initial(i, {T(1), T(1) + T(0.5) * static_cast<T>(i)});
    for (std::size_t k = 0; k < 4; ++k)
      run.time(k, i) = static_cast<T>(k) * (T(1) + T(0.2) * static_cast<T>(i));
  }
  PerSample<T> rhs(run.layout, n_samples, lotka_volterra<T>);
  run.run(rhs);
  return run;
}

template <class T>
double difference(const Trajectories<T>& run, const Trajectories<double>& reference) {
  double largest = 0;
  for (std::size_t i = 0; i < run.n_samples; ++i) {
    for (std::size_t k = 1; k < run.n_times; ++k) {
      for (std::size_t j = 0; j < 2; ++j) {
        const double expected = reference.output(k, i)[j];
        largest = std::max(largest, std::abs(run.output(k, i)[j] - expected) / (1 + std::abs(expected)));
      }
    }
  }
  return largest;
}

TEST(AdaptivePlanner, MeetsTolerancesOnASmoothProblem) {
  const auto reference = lotka_volterra_run<double>({.tableau = find_tableau("rk4"), .step = 5e-4}, 4);
  for (const Tableau* tableau : adaptive_methods()) {
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      const auto run = lotka_volterra_run<double>(
          {.tableau = tableau, .relative_tolerance = tolerance, .absolute_tolerance = tolerance}, 4);
      EXPECT_LT(difference(run, reference), (tableau->is_implicit() ? 300 : 100) * tolerance)
          << tableau->name;
      EXPECT_GT(difference(run, reference), 1e-3 * tolerance) << tableau->name << " works too hard";
    }
  }
}

TEST(AdaptivePlanner, SinglePrecisionSettlesForWhatItCanReach) {
  const auto reference = lotka_volterra_run<double>({.tableau = find_tableau("rk4"), .step = 5e-4}, 4);
  for (const Tableau* tableau : adaptive_methods()) {
    const auto run = lotka_volterra_run<float>(
        {.tableau = tableau, .relative_tolerance = 1e-14, .absolute_tolerance = 1e-14, .max_steps = 1000}, 4);
    for (const Outcome outcome : run.integrator.outcomes())
      EXPECT_EQ(outcome, Outcome::finished) << tableau->name;
    EXPECT_LT(difference(run, reference), 1e-4) << tableau->name;
    EXPECT_LT(run.integrator.n_steps(), tableau->order < 5 ? 2000u : 100u) << tableau->name;
  }
}

// s' = -λ (s - cos t): the transient is fast, then stability limits the steps.
TEST(AdaptivePlanner, MeetsTolerancesOnAStiffishProblem) {
  const double lambdas[] = {50, 200, 5};
  const auto exact = [](double lambda, double t) {
    const double scale = lambda / (lambda * lambda + 1);
    return scale * (lambda * std::cos(t) + std::sin(t)) + (2 - scale * lambda) * std::exp(-lambda * t);
  };
  for (const Tableau* tableau : adaptive_methods()) {
    Trajectories<double> run({.tableau = tableau, .relative_tolerance = 1e-6, .absolute_tolerance = 1e-6},
                             {1}, 3, 3, 5);
    for (std::size_t i = 0; i < 3; ++i) {
      run.set_initial(i, {2});
      for (std::size_t k = 0; k < 5; ++k) run.time(k, i) = 0.01 * std::pow(static_cast<double>(k), 4);
    }
    PerSample<double> rhs(run.layout, 3, [&](std::size_t i, double t, const auto& s, auto& ds) {
      ds[0] = -lambdas[i] * (s[0] - std::cos(t));
    });
    run.run(rhs);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 1; k < 5; ++k) {
        EXPECT_NEAR(run.output(k, i)[0], exact(lambdas[i], run.time(k, i)), 1e-4)
            << tableau->name << ' ' << i;
      }
    }
    EXPECT_LT(rhs.n_evaluations, 8000u) << tableau->name;
  }
}

TEST(AdaptivePlanner, KeepsItsStepSizeAcrossManyOutputs) {
  for (const Tableau* tableau : adaptive_methods()) {
    Trajectories<double> run({.tableau = tableau, .relative_tolerance = 1e-6}, {1}, 1, 1, 101);
    for (std::size_t k = 0; k < 101; ++k) run.time(k, 0) = 0.01 * static_cast<double>(k);
    run.set_initial(0, {1});
    PerSample<double> rhs(run.layout, 1, [](std::size_t, double, const auto& s, auto& ds) { ds[0] = -s[0]; });
    run.plan(rhs);
    EXPECT_LE(run.integrator.n_steps(), 103u)
        << tableau->name << ": one step per short interval, after the first";
  }
}

// s' = ±1, changing sign at every output time.
class Zigzag : public RightHandSide<double> {
 public:
  void evaluate(const EvaluationPoint<double>& at, const double*, double* derivative) override {
    derivative[0] = at.interval % 2 == 0 ? 1 : -1;
  }
  void adjoint(const EvaluationPoint<double>&, const double*, const double*, double*) override {}
  void linearize(const EvaluationPoint<double>&, const double*, StateRows<double>& jacobian) override {
    jacobian[0][0] = 0;
  }
};

TEST(AdaptivePlanner, RightHandSideMayJumpAtOutputTimes) {
  for (const Tableau* tableau : adaptive_methods()) {
    Trajectories<double> run({.tableau = tableau}, {1}, 1, 1, 11);
    for (std::size_t k = 0; k < 11; ++k) run.time(k, 0) = static_cast<double>(k);
    Zigzag rhs;
    run.run(rhs);
    EXPECT_NEAR(run.output(9, 0)[0], 1, 1e-12) << tableau->name;
    EXPECT_NEAR(run.output(10, 0)[0], 0, 1e-12) << tableau->name;
    EXPECT_LE(run.integrator.n_steps(), 20u) << tableau->name << ": a jump costs no extra steps";
  }
}

TEST(AdaptivePlanner, FollowingThePlanRepeatsTheTrialBitByBit) {
  for (const Tableau* tableau : adaptive_methods()) {
    Trajectories<double> run({.tableau = tableau}, {1, 1}, 3, 3, 3);
    for (std::size_t i = 0; i < 3; ++i) {
      run.set_initial(i, {1, 2 + static_cast<double>(i)});
      run.time(1, i) = 0.7, run.time(2, i) = 1.9;
    }
    std::vector<std::vector<double>> last(3);  // state of the latest evaluation
    PerSample<double> rhs(run.layout, 3, [&](std::size_t i, double t, const auto& s, auto& ds) {
      lotka_volterra<double>(i, t, s, ds);
      last[i] = s;
    });
    run.plan(rhs);
    const auto end_of_trial = last;  // the last stage of the trial is at the final state
    run.forward(rhs);
    for (std::size_t i = 0; i < 3; ++i) {
      if (!tableau->is_implicit()) {
        EXPECT_EQ(run.output(2, i), end_of_trial[i]) << tableau->name;
        continue;
      }
      // Before the last iteration.
      for (std::size_t j = 0; j < 2; ++j)
        EXPECT_NEAR(run.output(2, i)[j], end_of_trial[i][j], 1e-12) << tableau->name;
    }
  }
}

// s' = s² reaches infinity at t = 1 / s(0).
void blow_up(std::size_t, double, const std::vector<double>& s, std::vector<double>& ds) {
  ds[0] = s[0] * s[0];
}

TEST(AdaptivePlanner, GivesUpAtASingularity) {
  for (const Tableau* tableau : adaptive_methods()) {
    Trajectories<double> run({.tableau = tableau}, {1}, 2, 2, 4);
    for (std::size_t k = 0; k < 4; ++k) run.time(k, 0) = run.time(k, 1) = static_cast<double>(k);
    run.set_initial(0, {0.2});
    run.set_initial(1, {0.7});
    PerSample<double> rhs(run.layout, 2, blow_up);
    run.run(rhs);
    EXPECT_EQ(run.integrator.outcomes()[0], Outcome::finished) << tableau->name;
    EXPECT_EQ(run.integrator.outcomes()[1], Outcome::diverged) << tableau->name;
    EXPECT_NEAR(run.integrator.stopped_at()[1], 1 / 0.7, 2e-5) << tableau->name;
    EXPECT_NEAR(run.output(3, 0)[0], 1 / (5 - 3.0), 1e-5) << tableau->name;
    EXPECT_NEAR(run.output(1, 1)[0], 1 / (1 / 0.7 - 1), 1e-4) << tableau->name;
    EXPECT_TRUE(std::isnan(run.output(2, 1)[0]) && std::isnan(run.output(3, 1)[0])) << tableau->name;
    EXPECT_TRUE(std::isnan(run.integrator.total_weights()[1])) << tableau->name;
    EXPECT_GT(run.integrator.total_weights()[0], 0) << tableau->name;
  }
}

TEST(AdaptivePlanner, GivesUpAfterTooManySteps) {
  Trajectories<double> run({.tableau = find_tableau("tsit5"), .max_steps = 20}, {1}, 2, 2, 2);
  run.time(1, 0) = run.time(1, 1) = 1;
  run.set_initial(0, {0.1});
  run.set_initial(1, {0.1});
  PerSample<double> rhs(run.layout, 2, [](std::size_t i, double t, const auto&, auto& ds) {
    ds[0] = i == 0 ? 1 : std::cos(500 * t);
  });
  run.run(rhs);
  EXPECT_EQ(run.integrator.outcomes()[0], Outcome::finished);
  EXPECT_EQ(run.integrator.outcomes()[1], Outcome::too_many_steps);
  EXPECT_GT(run.integrator.stopped_at()[1], 0);
  EXPECT_LT(run.integrator.stopped_at()[1], 1);
  EXPECT_NEAR(run.output(1, 0)[0], 1.1, 1e-12);
  EXPECT_TRUE(std::isnan(run.output(1, 1)[0]));
  EXPECT_LE(run.integrator.n_steps(), 10u) << "the failed sample's steps are not repeated";
}

TEST(AdaptivePlanner, DerivativeThatIsNotFiniteStopsOnlyItsSample) {
  Trajectories<double> run({.tableau = find_tableau("dopri5")}, {1}, 3, 3, 2);
  for (std::size_t i = 0; i < 3; ++i) run.time(1, i) = 1, run.set_initial(i, {1});
  run.set_initial(2, {std::nan("")});
  PerSample<double> rhs(run.layout, 3, [](std::size_t i, double, const auto& s, auto& ds) {
    ds[0] = i == 1 ? std::nan("") : -s[0];
  });
  run.run(rhs);
  EXPECT_EQ(run.integrator.outcomes()[0], Outcome::finished);
  EXPECT_EQ(run.integrator.outcomes()[1], Outcome::diverged);
  EXPECT_EQ(run.integrator.outcomes()[2], Outcome::diverged);
  EXPECT_NEAR(run.output(1, 0)[0], std::exp(-1.0), 1e-5);
}

}  // namespace
}  // namespace greybox::test
