// The forward pass: follows the plan.
#include <limits>
#include <utility>

#include "ode/integrator.hpp"
#include "ode/state_arithmetic.hpp"

namespace greybox {

template <class T>
void Integrator<T>::forward(const T* initial, RightHandSide<T>& rhs, T* outputs) {
  begin_forward(initial);
  for (std::size_t k = 0; k < plan_.n_intervals(); ++k) {
    rhs.jump(k, state_.data());
    for (std::size_t step = plan_.first_step(k); step < plan_.first_step(k + 1); ++step) {
      load_step(k, step);
      forward_step(step, rhs);
    }
    if (!ends_at_output(k)) continue;
    write_output(k, outputs);
    outputs += layout_.size();
  }
  end_forward();
}

template <class T>
void Integrator<T>::begin_forward(const T* initial) {
  interval_ = 0;
  endings_ = plan_.endings();
  total_weights_.fill(0);
  is_running_.fill(1);
  copy_state(batch(), initial, state_.data());
  if (plan_.n_steps() > 0) load_step(0, 0);
  stop_unusable_initial_states(initial);
}

template <class T>
void Integrator<T>::forward_step(std::size_t step, RightHandSide<T>& rhs) {
  if (keep_ == Keep::step_states) copy_state(batch(), state_.data(), step_states_[step]);
  for (std::size_t stage = 0; stage < n_stages_; ++stage) {
    run_stage(step, stage, state_.data(), rhs);
    for (std::size_t i = 0; i < plan_.n_samples(); ++i) total_weights_[i] += weights_[i];
  }
  stages_.next_state(batch(), sizes_.data(), state_.data(), next_state_.data());
  stop_diverged_samples();
  std::swap(state_, next_state_);
}

// The stage's derivative, and the state that it belongs to in the stage's slot.
template <class T>
void Integrator<T>::run_stage(std::size_t step, std::size_t stage, const T* from, RightHandSide<T>& rhs) {
  T* stage_state = stage_states_[slot(step, stage)];
  const EvaluationPoint<T> at = point(stage, slot(step, stage));
  if (implicit_ && stage > 0) {
    implicit_->solve(under_way(from), stage, without_weights(at), stages_, stage_state, rhs);
    rhs.evaluate(at, stage_state, unused_.data());
    return;
  }
  stages_.stage_state(batch(), sizes_.data(), stage, from, stage_state);
  rhs.evaluate(at, stage_state, stages_.derivative(stage));
  if (implicit_) implicit_->begin_step(under_way(from), at, rhs);
}

template <class T>
void Integrator<T>::write_output(std::size_t interval, T* output) const {
  copy_state(batch(), state_.data(), output);
  for (std::size_t i = 0; i < plan_.n_samples(); ++i) {
    const bool is_reached = interval < endings_.n_completed[i];
    if (!is_reached) fill_sample(layout_, i, std::numeric_limits<T>::quiet_NaN(), output);
  }
}

template <class T>
void Integrator<T>::end_forward() {
  for (std::size_t i = 0; i < plan_.n_samples(); ++i) {
    if (endings_.outcomes[i] != Outcome::finished) total_weights_[i] = std::numeric_limits<T>::quiet_NaN();
  }
}

template void Integrator<float>::run_stage(std::size_t, std::size_t, const float*, RightHandSide<float>&);
template void Integrator<double>::run_stage(std::size_t, std::size_t, const double*, RightHandSide<double>&);
template void Integrator<float>::forward(const float*, RightHandSide<float>&, float*);
template void Integrator<double>::forward(const double*, RightHandSide<double>&, double*);

}  // namespace greybox
