// Forward passes of fixed methods: orders of convergence, weights, times that differ from sample to sample.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ode/problems.hpp"

namespace greybox::test {
namespace {

// y' = -2 t y² and, on three grid points, u' = u² cos t: nonlinear, time-dependent, solved by hand.
void rate(double t, const std::vector<double>& s, std::vector<double>& ds) {
  ds[0] = -2 * t * s[0] * s[0];
  for (std::size_t j = 1; j < 4; ++j) ds[j] = s[j] * s[j] * std::cos(t);
}

std::vector<double> solution(double t0, const std::vector<double>& s0, double t) {
  std::vector<double> s(4);
  s[0] = 1 / (1 / s0[0] + t * t - t0 * t0);
  for (std::size_t j = 1; j < 4; ++j) s[j] = 1 / (1 / s0[j] - std::sin(t) + std::sin(t0));
  return s;
}

// The same method, with given steps instead of error control.
Tableau without_error_control(Tableau tableau) {
  tableau.b_error.clear();
  return tableau;
}

std::vector<double> start_of(std::size_t sample) {
  const double i = static_cast<double>(sample);
  return {1 + 0.1 * i, 0.3, 0.4 - 0.05 * i, 0.2};
}

// The largest error at any output of five samples with different starts and intervals.
double largest_error(const Tableau& tableau, double step) {
  Trajectories<double> run({.tableau = &tableau, .step = step}, {1, 3}, 5, 6, 4);
  for (std::size_t i = 0; i < 5; ++i) {
    const double shift = 0.3 * static_cast<double>(i);
    run.set_initial(i, start_of(i));
    run.time(0, i) = shift;
    run.time(1, i) = shift + 0.5;
    run.time(2, i) = shift + 0.8 + 0.1 * static_cast<double>(i);
    run.time(3, i) = shift + 1.6;
  }
  PerSample<double> rhs(run.layout, 5,
                        [](std::size_t, double t, const auto& s, auto& ds) { rate(t, s, ds); });
  run.run(rhs);
  double error = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t k = 1; k < 4; ++k) {
      const auto exact = solution(run.time(0, i), start_of(i), run.time(k, i)), got = run.output(k, i);
      for (std::size_t j = 0; j < 4; ++j) error = std::max(error, std::abs(got[j] - exact[j]));
    }
  }
  return error;
}

TEST(Forward, ConvergesWithTheMethodsOrder) {
  for (const Tableau& adaptive : tableaux()) {
    const Tableau tableau = without_error_control(adaptive);
    const double coarse = largest_error(tableau, 0.025), fine = largest_error(tableau, 0.0125);
    const double order = std::log2(coarse / fine);
    EXPECT_GT(order, tableau.order - 0.3) << tableau.name;
    // The fifth-order methods' leading error terms are so small that the next ones still show.
    EXPECT_LT(order, tableau.order + 0.8) << tableau.name;
    EXPECT_LT(fine, std::pow(0.05, tableau.order)) << tableau.name;
  }
}

TEST(Forward, SinglePrecisionAgreesWithDouble) {
  const Tableau& tableau = *find_tableau("rk4_38");
  const auto f = [](std::size_t, auto t, const auto& s, auto& ds) { ds[0] = std::cos(t) * s[0]; };
  Trajectories<float> run({.tableau = &tableau, .step = 0.05}, {1}, 1, 1, 2);
  run.set_initial(0, {1.5f});
  run.time(1, 0) = 2;
  PerSample<float> rhs(run.layout, 1, f);
  run.run(rhs);
  EXPECT_NEAR(run.output(1, 0)[0], 1.5 * std::exp(std::sin(2.0)), 3e-6);
}

TEST(Forward, EvaluatesOnlyTheStagesItNeeds) {
  for (const Tableau& adaptive : tableaux()) {
    if (adaptive.is_implicit()) continue;
    const Tableau tableau = without_error_control(adaptive);
    Trajectories<double> run({.tableau = &tableau, .step = 0.1}, {1}, 1, 1, 2);
    run.time(1, 0) = 1;
    PerSample<double> rhs(run.layout, 1, [](std::size_t, double, const auto&, auto& ds) { ds[0] = 1; });
    run.run(rhs);
    const std::size_t n_stages = tableau.n_stages() - (adaptive.is_adaptive() ? 1 : 0);
    EXPECT_EQ(rhs.n_evaluations, 10 * n_stages) << tableau.name;
    EXPECT_NEAR(run.output(1, 0)[0], 1, 1e-14) << tableau.name;
  }
}

// Samples with three, one and two intervals, one of them without length.
struct Uneven {
  explicit Uneven(Weighting weighting)
      : run({.tableau = find_tableau("rk4"), .step = 0.5, .weighting = weighting}, {1, 2}, 3, 4, 4),
        rhs(run.layout, 3, [](std::size_t, double, const auto& s, auto& ds) {
          for (std::size_t j = 0; j < 3; ++j) ds[j] = -s[j] - 1;
        }) {
    run.times = {0, 0, 0, 0, 1, 0.5, 2, 0, 1, -1, 3, 0, 2.5, -1, -1, 0};
    run.counts = {4, 2, 3, 0};
    for (std::size_t i = 0; i < 3; ++i) run.set_initial(i, {1, 2, static_cast<double>(i)});
    run.run(rhs);
  }
  Trajectories<double> run;
  PerSample<double> rhs;
};

TEST(Forward, IntervalWithoutLengthKeepsTheStateExactly) {
  const Uneven uneven(Weighting::evaluations);
  EXPECT_EQ(uneven.run.output(2, 0), uneven.run.output(1, 0));
  EXPECT_NE(uneven.run.output(3, 0), uneven.run.output(2, 0));
}

TEST(Forward, SampleWithoutMoreTimesRepeatsItsLastState) {
  const Uneven uneven(Weighting::evaluations);
  EXPECT_EQ(uneven.run.output(2, 1), uneven.run.output(1, 1));
  EXPECT_EQ(uneven.run.output(3, 1), uneven.run.output(1, 1));
  EXPECT_NEAR(uneven.run.output(1, 1)[0], 2 * std::exp(-0.5) - 1, 1e-3);
  EXPECT_NEAR(uneven.run.output(3, 2)[1], 3 * std::exp(-3.0) - 1, 1e-3);
}

TEST(Forward, SampleThatHasArrivedIgnoresItsDerivative) {
  Trajectories<double> run({.tableau = find_tableau("euler"), .step = 0.5}, {1, 2}, 2, 2, 3);
  run.times = {0, 0, 1, 1, 2, 0};
  run.counts = {3, 2};
  PerSample<double> rhs(run.layout, 2, [](std::size_t i, double t, const auto&, auto& ds) {
    for (double& d : ds) d = i == 1 && t >= 1 ? std::nan("") : 1;
  });
  run.run(rhs);
  EXPECT_EQ(run.output(2, 1), std::vector<double>(3, 1.0));
  EXPECT_EQ(run.output(2, 0), std::vector<double>(3, 2.0));
  EXPECT_EQ(run.integrator.outcomes()[1], Outcome::finished);
}

TEST(Forward, EveryEvaluationCountsOnce) {
  const Uneven uneven(Weighting::evaluations);
  const auto totals = uneven.run.integrator.total_weights();
  EXPECT_EQ(std::vector(totals.begin(), totals.end()), (std::vector<double>{4 * 5, 4 * 1, 4 * 6}));
  EXPECT_EQ(uneven.rhs.weight_sums, std::vector(totals.begin(), totals.end()));
}

TEST(Forward, OrEveryEvaluationCountsItsShareOfTime) {
  const Uneven uneven(Weighting::time);
  const auto totals = uneven.run.integrator.total_weights();
  EXPECT_NEAR(totals[0], 2.5, 1e-14);
  EXPECT_NEAR(totals[1], 0.5, 1e-14);
  EXPECT_NEAR(totals[2], 3, 1e-14);
  EXPECT_EQ(uneven.rhs.weight_sums, std::vector(totals.begin(), totals.end()));
}

}  // namespace
}  // namespace greybox::test
