// Samples whose state becomes non-finite: they are stopped where they were finite last.
#include "ode/integrator.hpp"
#include "ode/state_arithmetic.hpp"

namespace greybox {

template <class T>
void Integrator<T>::stop_diverged_samples() {
  for (std::size_t i = 0; i < plan_.n_samples(); ++i) {
    if (is_sample_finite(layout_, i, next_state_.data())) continue;
    copy_sample(layout_, i, state_.data(), next_state_.data());
    stop(i);
  }
}

// There is no finite state to keep: zero is as good as any, and keeps NaN out of the right-hand side's sums.
template <class T>
void Integrator<T>::stop_unusable_initial_states(const T* initial) {
  for (std::size_t i = 0; i < plan_.n_samples(); ++i) {
    if (is_sample_finite(layout_, i, initial)) continue;
    fill_sample(layout_, i, T{0}, state_.data());
    stop(i);
  }
}

template <class T>
void Integrator<T>::stop(std::size_t sample) {
  is_running_[sample] = 0;
  const bool was_given_up = endings_.n_completed[sample] <= interval_;
  if (was_given_up) return;
  endings_.outcomes[sample] = Outcome::diverged;
  endings_.n_completed[sample] = interval_;
  if (plan_.n_steps() > 0) endings_.stopped_at[sample] = starts_[sample];
}

template void Integrator<float>::stop_diverged_samples();
template void Integrator<double>::stop_diverged_samples();
template void Integrator<float>::stop_unusable_initial_states(const float*);
template void Integrator<double>::stop_unusable_initial_states(const double*);

}  // namespace greybox
