// The trial run under error control.
#include "ode/adaptive_planner.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "ode/state_arithmetic.hpp"

namespace greybox {

template <class T>
AdaptivePlanner<T>::AdaptivePlanner(const Tableau& tableau, const ErrorTolerance& tolerance,
                                    const StateLayout& layout, std::size_t capacity)
    : tableau_(&tableau),
      scaled_norm_(tolerance, layout),
      layout_(layout),
      stages_(tableau, layout),
      integrals_(tableau, capacity),
      state_(layout.size()),
      trial_(layout.size()),
      starts_(capacity),
      sizes_(capacity),
      stage_times_(capacity),
      no_weights_(capacity),
      time_(capacity),
      end_(capacity),
      controls_(capacity, StepControl(tableau.order)) {
  assert(std::equal(tableau.a.back().begin(), tableau.a.back().end(), tableau.b.begin()));
  if (tableau.is_implicit()) implicit_.emplace(tableau, tolerance, layout, capacity);
}

template <class T>
void AdaptivePlanner<T>::make(const SampleTimes<T>& times, const T* initial, RightHandSide<T>& rhs,
                              Plan<T>& plan) {
  n_samples_ = times.n_samples;
  controls_.assign(controls_.size(), StepControl(tableau_->order));
  plan.begin(times);
  integrals_.begin(times, rhs);
  copy_state(batch(), initial, state_.data());
  for (std::size_t k = 0; k < times.n_intervals; ++k) {
    rhs.jump(k, state_.data());
    if (begin_interval(times, k, plan)) run_interval(rhs, plan);
    plan.end_interval();
  }
}

// False when no sample has anything to do.
template <class T>
bool AdaptivePlanner<T>::begin_interval(const SampleTimes<T>& times, std::size_t interval,
                                        const Plan<T>& plan) {
  interval_ = interval;
  bool any = false;
  for (std::size_t i = 0; i < n_samples_; ++i) {
    assert(times.at(interval, i) <= times.at(interval + 1, i));
    const bool is_running = plan.endings().outcomes[i] == Outcome::finished;
    starts_[i] = times.at(interval, i);
    time_[i] = starts_[i];
    end_[i] = is_running ? times.at(interval + 1, i) : starts_[i];
    any = any || !has_arrived(i);
  }
  return any;
}

template <class T>
void AdaptivePlanner<T>::run_interval(RightHandSide<T>& rhs, Plan<T>& plan) {
  // The derivative at the last interval's end will not do: the right-hand side may jump at output times.
  evaluate(0, 0, state_.data(), rhs);
  choose_first_steps(rhs, plan);
  for (std::size_t n_tried = 0; set_trial_sizes(n_tried, plan); ++n_tried) {
    try_step(rhs);
    judge_step(plan);
  }
}

template <class T>
void AdaptivePlanner<T>::choose_first_steps(RightHandSide<T>& rhs, Plan<T>& plan) {
  const auto needs_one = [&](std::size_t i) { return !has_arrived(i) && !controls_[i].has_step(); };
  const T* derivative = stages_.derivative(0);
  bool any = false;
  for (std::size_t i = 0; i < n_samples_; ++i) {
    sizes_[i] = 0;
    if (!needs_one(i)) continue;
    const double guess = first_step_guess(scaled_norm_(i, state_.data(), state_.data(), state_.data()),
                                          scaled_norm_(i, derivative, state_.data(), state_.data()));
    sizes_[i] = static_cast<T>(std::min(guess, remaining(i)));
    if (!(sizes_[i] > 0) || !std::isfinite(guess)) give_up(i, Outcome::diverged, plan);
    any = any || needs_one(i);
  }
  if (!any) return;
  move_state(batch(), sizes_.data(), WeightedSum<T>(derivative), state_.data(), trial_.data());
  evaluate(1, 1, trial_.data(), rhs);
  const T* change = stages_.sum(batch(), sizes_.data(), std::array{-1.0, 1.0});
  for (std::size_t i = 0; i < n_samples_; ++i) {
    if (!needs_one(i)) continue;
    const double size = sizes_[i];
    const double slope = scaled_norm_(i, derivative, state_.data(), state_.data());
    const double curvature = scaled_norm_(i, change, state_.data(), state_.data()) / size / size;
    controls_[i].set_first_step(first_step(size, slope, curvature, tableau_->order));
  }
}

// False when every sample has arrived at the interval's end or was given up.
template <class T>
bool AdaptivePlanner<T>::set_trial_sizes(std::size_t n_tried, Plan<T>& plan) {
  bool any = false;
  for (std::size_t i = 0; i < n_samples_; ++i) {
    sizes_[i] = 0;
    if (has_arrived(i)) continue;
    const T size = static_cast<T>(controls_[i].propose(remaining(i)));
    // The stages' times could no longer be told apart.
    const bool is_too_small = size <= 4 * std::numeric_limits<T>::epsilon() * std::abs(starts_[i]);
    if (n_tried == scaled_norm_.tolerance().max_steps) {
      give_up(i, Outcome::too_many_steps, plan);
    } else if (is_too_small && size < static_cast<T>(remaining(i))) {
      give_up(i, Outcome::diverged, plan);
    } else {
      sizes_[i] = size;
      any = true;
    }
  }
  return any;
}

// Stage 0 is there already: the last stage of the step before. The last stage's state is the step's result.
template <class T>
void AdaptivePlanner<T>::try_step(RightHandSide<T>& rhs) {
  if (implicit_) return try_implicit_step(rhs);
  for (std::size_t stage = 1; stage < tableau_->n_stages(); ++stage) {
    stages_.stage_state(batch(), sizes_.data(), stage, state_.data(), trial_.data());
    evaluate(stage, tableau_->c[stage], trial_.data(), rhs);
  }
}

// Stage 0 anew, as forward makes it: a solved stage's derivative differs from it by rounding.
template <class T>
void AdaptivePlanner<T>::try_implicit_step(RightHandSide<T>& rhs) {
  const StepUnderWay<T> step{.batch = batch(), .sizes = sizes_.data(), .state = state_.data()};
  evaluate(0, 0, state_.data(), rhs);
  implicit_->begin_step(step, point(0), rhs);
  for (std::size_t stage = 1; stage < tableau_->n_stages(); ++stage) {
    implicit_->solve(step, stage, point(tableau_->c[stage]), stages_, trial_.data(), rhs);
    integrals_.keep(stage, rhs);
  }
}

template <class T>
void AdaptivePlanner<T>::judge_step(Plan<T>& plan) {
  const T* error = stages_.sum(batch(), sizes_.data(), tableau_->b_error);
  for (std::size_t i = 0; i < n_samples_; ++i) {
    if (has_arrived(i)) continue;
    // A norm that is NaN stays so.
    const double norm = std::max(scaled_norm_(i, error, state_.data(), trial_.data()),
                                 integrals_.norm(i, sizes_[i], scaled_norm_.tolerance()));
    if (controls_[i].judge(sizes_[i], norm)) accept(i, plan);
  }
}

template <class T>
void AdaptivePlanner<T>::accept(std::size_t sample, Plan<T>& plan) {
  plan.add_step(sample, starts_[sample], sizes_[sample]);
  integrals_.accept(sample, sizes_[sample]);
  copy_sample(layout_, sample, trial_.data(), state_.data());
  copy_sample(layout_, sample, stages_.derivative(tableau_->n_stages() - 1), stages_.derivative(0));
  const bool arrives = sizes_[sample] >= static_cast<T>(remaining(sample));
  time_[sample] = arrives ? end_[sample] : time_[sample] + sizes_[sample];
  starts_[sample] = static_cast<T>(time_[sample]);
}

template <class T>
void AdaptivePlanner<T>::evaluate(std::size_t stage, double c, const T* state, RightHandSide<T>& rhs) {
  rhs.evaluate(point(c), state, stages_.derivative(stage));
  integrals_.keep(stage, rhs);
}

// Valid until the next call.
template <class T>
EvaluationPoint<T> AdaptivePlanner<T>::point(double c) {
  stage_times(n_samples_, c, starts_.data(), sizes_.data(), stage_times_.data());
  return {.slot = 0, .interval = interval_, .time = stage_times_.data(), .weight = no_weights_.data()};
}

template <class T>
void AdaptivePlanner<T>::give_up(std::size_t sample, Outcome outcome, Plan<T>& plan) {
  plan.give_up(sample, outcome, starts_[sample]);
  sizes_[sample] = 0;
  end_[sample] = time_[sample];
}

template class AdaptivePlanner<float>;
template class AdaptivePlanner<double>;

}  // namespace greybox
