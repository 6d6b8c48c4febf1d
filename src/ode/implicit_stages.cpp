#include "ode/implicit_stages.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "ode/state_arithmetic.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostIterations = 20;

}  // namespace

template <class T>
ImplicitStages<T>::ImplicitStages(const Tableau& tableau, const ErrorTolerance& tolerance,
                                  const StateLayout& layout, std::size_t capacity)
    : tableau_(&tableau),
      norm_(tolerance, layout),
      layout_(layout),
      diagonal_(tableau.diagonal()),
      jacobian_(layout, 0),
      values_(layout.size()),
      change_(layout.size()),
      norms_(capacity),
      progress_(capacity) {
  const double epsilon = std::numeric_limits<T>::epsilon() / norm_.tolerance().relative;
  converged_ = 4 * epsilon;
  rounding_ = std::min(0.3, std::max(1e-3, 1000 * epsilon));
  for (std::size_t c = 0; c < layout.n_components(); ++c)
    for (std::size_t p = 0; p < layout.width(c); ++p) {
      places_.push_back(layout.offset(c) + p);
      widths_.push_back(layout.width(c));
    }
  const std::size_t n = places_.size();
  jacobian_.ensure(n);
  matrices_.resize(capacity * n * n);
  pivots_.resize(capacity * n);
  entries_.resize(n);
}

template <class T>
SmallLu ImplicitStages<T>::factors(std::size_t sample) {
  const std::size_t n = places_.size();
  return {n, matrices_.data() + sample * n * n, pivots_.data() + sample * n};
}

template <class T>
void ImplicitStages<T>::load(std::size_t sample, const T* values) {
  for (std::size_t e = 0; e < places_.size(); ++e) entries_[e] = values[places_[e] + sample * widths_[e]];
}

template <class T>
void ImplicitStages<T>::store(std::size_t sample, T* values) const {
  for (std::size_t e = 0; e < places_.size(); ++e)
    values[places_[e] + sample * widths_[e]] = static_cast<T>(entries_[e]);
}

// I - h γ ∂f/∂s of every sample that moves.
template <class T>
void ImplicitStages<T>::factorise(const StepUnderWay<T>& step) {
  const std::size_t n = places_.size();
  for (std::size_t i = 0; i < step.batch.n_samples; ++i) {
    if (step.sizes[i] == 0) continue;
    const SmallLu lu = factors(i);
    const double scale = diagonal_ * static_cast<double>(step.sizes[i]);
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t c = 0; c < n; ++c)
        lu.matrix[r * n + c] = (r == c ? 1 : 0) - scale * jacobian_[r][places_[c] + i * widths_[c]];
    lu.factorise();
  }
}

template <class T>
void ImplicitStages<T>::begin_step(const StepUnderWay<T>& step, const EvaluationPoint<T>& at,
                                   RightHandSide<T>& rhs) {
  rhs.linearize(at, step.state, jacobian_);
  factorise(step);
}

// Starts from the derivative of the stage before.
template <class T>
void ImplicitStages<T>::solve(const StepUnderWay<T>& step, std::size_t stage, const EvaluationPoint<T>& at,
                              Stages<T>& stages, T* stage_state, RightHandSide<T>& rhs) {
  assert(stage > 0);
  T* derivative = stages.derivative(stage);
  copy_state(step.batch, stages.derivative(stage - 1), derivative);
  std::ranges::fill(progress_, Progress::going_on);
  bool goes_on = true;
  for (std::size_t n_done = 0; goes_on; ++n_done) {
    stages.stage_state(step.batch, step.sizes, stage, step.state, stage_state);
    rhs.evaluate(at, stage_state, values_.data());
    goes_on = update(step, n_done, derivative, stage_state);
  }
  stages.stage_state(step.batch, step.sizes, stage, step.state, stage_state);
}

// One iteration of the samples that have not converged. False when none is left.
template <class T>
bool ImplicitStages<T>::update(const StepUnderWay<T>& step, std::size_t n_done, T* derivative,
                               const T* stage_state) {
  bool goes_on = false;
  for (std::size_t i = 0; i < step.batch.n_samples; ++i) {
    if (step.sizes[i] == 0 || progress_[i] != Progress::going_on) continue;
    for (std::size_t e = 0; e < places_.size(); ++e) {
      const std::size_t at = places_[e] + i * widths_[e];
      entries_[e] = static_cast<double>(values_[at]) - static_cast<double>(derivative[at]);
    }
    factors(i).solve(entries_.data());
    store(i, change_.data());
    for (std::size_t e = 0; e < places_.size(); ++e) {
      const std::size_t at = places_[e] + i * widths_[e];
      derivative[at] = static_cast<T>(static_cast<double>(derivative[at]) + entries_[e]);
    }
    const double size = std::abs(diagonal_ * static_cast<double>(step.sizes[i]));
    const double norm = size * norm_(i, change_.data(), step.state, stage_state);
    progress_[i] = judge(norm, norms_[i], n_done);
    norms_[i] = norm;
    if (progress_[i] == Progress::failed)
      fill_sample(layout_, i, std::numeric_limits<T>::quiet_NaN(), derivative);
    goes_on = goes_on || progress_[i] == Progress::going_on;
  }
  return goes_on;
}

// Updates shrink by about the same factor each time, down to rounding, where they no longer do.
template <class T>
typename ImplicitStages<T>::Progress ImplicitStages<T>::judge(double norm, double previous,
                                                              std::size_t n_done) const {
  if (!std::isfinite(norm)) return Progress::failed;
  if (norm <= converged_) return Progress::converged;
  if (n_done == 0) return Progress::going_on;
  const double rate = norm / previous;
  if (rate < 1 && norm * rate / (1 - rate) <= converged_) return Progress::converged;
  const bool has_ended = rate >= 2 || (n_done > 1 && rate >= 1) || n_done + 1 == kMostIterations;
  if (!has_ended) return Progress::going_on;
  return norm <= rounding_ ? Progress::converged : Progress::failed;
}

// The whole gradient k̄' = k̄ + h γ ȳ of the derivative has ȳ = (∂f/∂s)ᵀ k̄' + r, so δ = k̄' - k̄ solves
// (I - h γ (∂f/∂s)ᵀ) δ = h γ g, and ȳ = δ / (h γ).
template <class T>
void ImplicitStages<T>::solve_adjoint(const StepUnderWay<T>& step, const EvaluationPoint<T>& at,
                                      const T* stage_state, RightHandSide<T>& rhs, T* grad_state,
                                      T* grad_derivative) {
  rhs.linearize(at, stage_state, jacobian_);
  factorise(step);
  for (std::size_t i = 0; i < step.batch.n_samples; ++i) {
    if (step.sizes[i] == 0) {
      fill_sample(layout_, i, T{0}, grad_derivative);
      continue;
    }
    load(i, grad_state);
    factors(i).solve_transposed(entries_.data());
    store(i, grad_state);
    for (double& entry : entries_) entry *= diagonal_ * static_cast<double>(step.sizes[i]);
    store(i, grad_derivative);
  }
}

template class ImplicitStages<float>;
template class ImplicitStages<double>;

}  // namespace greybox
