// The discrete adjoint: the exact derivative of the forward pass under the same plan.
#include <cassert>

#include "ode/integrator.hpp"
#include "ode/state_arithmetic.hpp"

namespace greybox {

template <class T>
void Integrator<T>::backward(const T* grad_outputs, RightHandSide<T>& rhs, T* grad_initial) {
  assert(options_.keep != Keep::nothing);
  begin_backward();
  T* grad_state = grad_states_[n_stages_];
  std::size_t n_outputs = n_times_ - 1;
  for (std::size_t k = plan_.n_intervals(); k-- > 0;) {
    if (ends_at_output(k)) {
      const WeightedSum<T> grad_output(grad_outputs + --n_outputs * layout_.size());
      add_where_moving(batch(), is_running_.data(), grad_output, grad_state);
    }
    for (std::size_t step = plan_.first_step(k + 1); step-- > plan_.first_step(k);) {
      load_step(k, step);
      if (keep_ == Keep::step_states) repeat_step(step, rhs);
      backward_step(step, rhs);
      rhs.step_done(slot(step, 0), n_stages_);
    }
  }
  copy_state(batch(), grad_state, grad_initial);
}

// Samples that were stopped take no part.
template <class T>
void Integrator<T>::begin_backward() {
  for (std::size_t i = 0; i < plan_.n_samples(); ++i) {
    is_running_[i] = static_cast<T>(endings_.outcomes[i] == Outcome::finished);
    fill_sample(layout_, i, T{0}, grad_states_[n_stages_]);
  }
}

template <class T>
void Integrator<T>::repeat_step(std::size_t step, RightHandSide<T>& rhs) {
  for (std::size_t stage = 0; stage < n_stages_; ++stage) run_stage(step, stage, step_states_[step], rhs);
}

// With Y_i the stage states, k_i the derivatives and ḡ the gradient of g:
//   k̄_i = h (b_i s̄ + Σ_{l>i} a_li Ȳ_l),   Ȳ_i = (df/ds)ᵀ k̄_i + …,   s̄ += Σ_i Ȳ_i
template <class T>
void Integrator<T>::backward_step(std::size_t step, RightHandSide<T>& rhs) {
  T* grad_state = grad_states_[n_stages_];
  for (std::size_t stage = n_stages_; stage-- > 0;) {
    scaled_sum(batch(), sizes_.data(), WeightedSum<T>(adjoint_weights_[stage], grad_states_),
               grad_derivative_.data());
    rhs.adjoint(point(stage, slot(step, stage)), stage_states_[slot(step, stage)], grad_derivative_.data(),
                grad_states_[stage]);
    if (implicit_ && stage > 0) backward_implicit_stage(step, stage, rhs);
  }
  add_where_moving(batch(), sizes_.data(), WeightedSum<T>(stage_sum_weights_, grad_states_), grad_state);
}

// The stage's derivative acts on its own state too; what follows from that is carried to the right-hand
// side's other arguments by a second adjoint, without the terms.
template <class T>
void Integrator<T>::backward_implicit_stage(std::size_t step, std::size_t stage, RightHandSide<T>& rhs) {
  const std::size_t at_slot = slot(step, stage);
  const T* stage_state = stage_states_[at_slot];
  const EvaluationPoint<T> at = without_weights(point(stage, at_slot));
  implicit_->solve_adjoint(under_way(stage_state), at, stage_state, rhs, grad_states_[stage],
                           grad_derivative_.data());
  rhs.step_done(at_slot, 1);
  rhs.adjoint(at, stage_state, grad_derivative_.data(), unused_.data());
}

template void Integrator<float>::backward(const float*, RightHandSide<float>&, float*);
template void Integrator<double>::backward(const double*, RightHandSide<double>&, double*);

}  // namespace greybox
