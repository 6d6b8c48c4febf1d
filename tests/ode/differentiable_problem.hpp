// A nonlinear right-hand side with scalars, a field, parameters, a regularizer term, and its adjoint.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "ode/problems.hpp"

namespace greybox::test {

// x' = v + p3 sin t,  v' = -p0 sin x - p1 v u_0,  u_j' = p2 (u_{j+1} - u_j) - 0.1 u_j³ + 0.3 x   (5 grid
// points, cyclic); every evaluation adds weight · (v x + p1 Σ u_j²) to its sample's sum.
class DifferentiableProblem : public RightHandSide<double> {
 public:
  static constexpr std::size_t n_points = 5, n_state = 2 + n_points, n_parameters = 4;
  static std::vector<std::size_t> widths() { return {1, 1, n_points}; }

  DifferentiableProblem(StateLayout layout, std::size_t n_samples)
      : sums(n_samples), grad_sums(n_samples, 0.0), layout_(std::move(layout)), n_samples_(n_samples) {}

  void evaluate(const EvaluationPoint<double>& at, const double* state, double* derivative) override {
    kept_[at.slot].assign(state, state + layout_.size());
    for (std::size_t i = 0; i < n_samples_; ++i) {
      gather(layout_, i, state, s_);
      scatter(layout_, i, rate(at.time[i]), derivative);
      double squares = 0;
      for (std::size_t j = 0; j < n_points; ++j) squares += s_[2 + j] * s_[2 + j];
      if (at.weight[i] != 0) sums[i] += at.weight[i] * (s_[1] * s_[0] + parameters[1] * squares);
    }
  }

  void adjoint(const EvaluationPoint<double>& at, const double* state, const double* grad_derivative,
               double* grad_state) override {
    expect_kept(at.slot, state);
    for (std::size_t i = 0; i < n_samples_; ++i) {
      gather(layout_, i, state, s_);
      gather(layout_, i, grad_derivative, grad_rate_);
      grad_s_.assign(n_state, 0.0);
      pull_back_rate(at.time[i]);
      if (at.weight[i] != 0) pull_back_sum(at.weight[i] * grad_sums[i]);
      scatter(layout_, i, grad_s_, grad_state);
    }
  }

  void linearize(const EvaluationPoint<double>& at, const double* state,
                 StateRows<double>& jacobian) override {
    const auto kept = grad_parameters;
    linearize_by_rows(layout_, n_samples_, jacobian, [&](const double* unit, double* row) {
      for (std::size_t i = 0; i < n_samples_; ++i) {
        gather(layout_, i, state, s_);
        gather(layout_, i, unit, grad_rate_);
        grad_s_.assign(n_state, 0.0);
        pull_back_rate(at.time[i]);
        scatter(layout_, i, grad_s_, row);
      }
    });
    grad_parameters = kept;
  }

  void step_done(std::size_t first_slot, std::size_t n_slots) override {
    done.emplace_back(first_slot, n_slots);
  }

  std::array<double, n_parameters> parameters = {1.3, 0.7, 0.9, 0.4}, grad_parameters = {};
  std::vector<double> sums, grad_sums;
  std::vector<std::pair<std::size_t, std::size_t>> done;

 private:
  // The last evaluation in this slot must have been of this state.
  void expect_kept(std::size_t slot, const double* state) const {
    for (std::size_t i = 0; i < n_samples_; ++i) {
      std::vector<double> kept, given;
      gather(layout_, i, kept_.at(slot).data(), kept);
      gather(layout_, i, state, given);
      EXPECT_EQ(kept, given) << "slot " << slot << ", sample " << i;
    }
  }

  const std::vector<double>& rate(double t) {
    const auto& p = parameters;
    rate_.resize(n_state);
    rate_[0] = s_[1] + p[3] * std::sin(t);
    rate_[1] = -p[0] * std::sin(s_[0]) - p[1] * s_[1] * s_[2];
    for (std::size_t j = 0; j < n_points; ++j) {
      const double u = s_[2 + j], next = s_[2 + (j + 1) % n_points];
      rate_[2 + j] = p[2] * (next - u) - 0.1 * u * u * u + 0.3 * s_[0];
    }
    return rate_;
  }

  void pull_back_rate(double t) {
    const auto& p = parameters;
    const auto& g = grad_rate_;
    grad_s_[0] -= g[1] * p[0] * std::cos(s_[0]);
    grad_s_[1] += g[0] - g[1] * p[1] * s_[2];
    grad_s_[2] -= g[1] * p[1] * s_[1];
    grad_parameters[0] -= g[1] * std::sin(s_[0]);
    grad_parameters[1] -= g[1] * s_[1] * s_[2];
    grad_parameters[3] += g[0] * std::sin(t);
    for (std::size_t j = 0; j < n_points; ++j) {
      const double u = s_[2 + j], next = s_[2 + (j + 1) % n_points], g_j = g[2 + j];
      grad_s_[0] += 0.3 * g_j;
      grad_s_[2 + j] -= g_j * (p[2] + 0.3 * u * u);
      grad_s_[2 + (j + 1) % n_points] += g_j * p[2];
      grad_parameters[2] += g_j * (next - u);
    }
  }

  void pull_back_sum(double grad) {
    grad_s_[0] += grad * s_[1];
    grad_s_[1] += grad * s_[0];
    for (std::size_t j = 0; j < n_points; ++j) {
      grad_s_[2 + j] += grad * 2 * parameters[1] * s_[2 + j];
      grad_parameters[1] += grad * s_[2 + j] * s_[2 + j];
    }
  }

  StateLayout layout_;
  std::size_t n_samples_;
  std::map<std::size_t, std::vector<double>> kept_;
  std::vector<double> s_, rate_, grad_s_, grad_rate_;
};

}  // namespace greybox::test
