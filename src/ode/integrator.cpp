// Construction, planning, and what forward and backward share.
#include "ode/integrator.hpp"

#include <fmt/format.h>

#include <cassert>
#include <utility>

#include "ode/fixed_planner.hpp"
#include "ode/step_memory.hpp"

namespace greybox {
namespace {

std::vector<std::vector<double>> transposed_table(const Tableau& tableau, std::size_t n_stages) {
  std::vector<std::vector<double>> columns(n_stages, std::vector<double>(n_stages + 1, 0.0));
  for (std::size_t j = 0; j < n_stages; ++j) {
    for (std::size_t i = j + 1; i < n_stages; ++i) columns[j][i] = tableau.a[i][j];
    columns[j][n_stages] = tableau.b[j];
  }
  return columns;
}

}  // namespace

template <class T>
Integrator<T>::Integrator(IntegratorOptions options, StateLayout layout, std::size_t capacity,
                          std::size_t n_times)
    : options_(options),
      layout_(std::move(layout)),
      capacity_(capacity),
      n_times_(n_times),
      n_stages_(options.tableau->n_solution_stages()),
      plan_(capacity),
      keep_(options.keep),
      stages_(*options.tableau, layout_),
      starts_(capacity),
      sizes_(capacity),
      stage_times_(capacity),
      weights_(capacity),
      no_weights_(capacity),
      is_running_(capacity),
      total_weights_(capacity),
      state_(layout_.size()),
      next_state_(layout_.size()),
      unused_(options.tableau->is_implicit() ? layout_.size() : 0),
      stage_states_(layout_, 1),
      step_states_(layout_, 0),
      grad_states_(layout_, options.keep == Keep::nothing ? 0 : n_stages_ + 1),
      grad_derivative_(layout_.size()),
      adjoint_weights_(transposed_table(*options.tableau, n_stages_)),
      stage_sum_weights_(n_stages_, 1.0) {
  const Tableau& tableau = *options.tableau;
  if (tableau.is_implicit()) implicit_.emplace(tableau, tolerance(), layout_, capacity);
  if (tableau.is_adaptive()) planner_.emplace(tableau, tolerance(), layout_, capacity);
}

template <class T>
ErrorTolerance Integrator<T>::tolerance() const {
  return {.relative = options_.relative_tolerance,
          .absolute = options_.absolute_tolerance,
          .max_steps = options_.max_steps,
          .scales = options_.scales};
}

template <class T>
void Integrator<T>::plan(std::size_t n_samples, const T* times, const std::size_t* n_times_of,
                         const T* initial, RightHandSide<T>& rhs, const CutIntervals<T>* cuts) {
  assert(n_samples <= capacity_);
  cuts_ = cuts;
  const SampleTimes<T> sample_times{.n_samples = n_samples,
                                    .n_intervals = cuts != nullptr ? cuts->n_intervals : n_times_ - 1,
                                    .times = times,
                                    .stride = capacity_,
                                    .counts = n_times_of};
  if (planner_) {
    planner_->make(sample_times, initial, rhs, plan_);
  } else {
    plan_fixed_steps(sample_times, options_.step, plan_);
  }
  endings_ = plan_.endings();
  keep_ = options_.keep;
  if (keep_ == Keep::everything && n_slots() > options_.most_slots) keep_ = Keep::step_states;
  const std::size_t n_rows = n_slots() + (keep_ == Keep::step_states ? plan_.n_steps() : 0);
  require_memory(
      static_cast<double>(options_.n_integrators * n_rows) * static_cast<double>(layout_.size()) * sizeof(T),
      [&] { return fmt::format("keeping the states of {} steps", plan_.n_steps()); }, kFewerSteps);
  stage_states_.ensure(n_slots());
  if (keep_ == Keep::step_states) step_states_.ensure(plan_.n_steps());
}

template <class T>
std::size_t Integrator<T>::n_slots() const {
  switch (keep_) {
    case Keep::nothing:
      return 1;
    case Keep::everything:
      return plan_.n_steps() * n_stages_;
    case Keep::step_states:
      return n_stages_;
  }
  return 0;
}

template <class T>
std::size_t Integrator<T>::slot(std::size_t step, std::size_t stage) const {
  switch (keep_) {
    case Keep::nothing:
      return 0;
    case Keep::everything:
      return step * n_stages_ + stage;
    case Keep::step_states:
      return stage;
  }
  return 0;
}

template <class T>
void Integrator<T>::load_step(std::size_t interval, std::size_t step) {
  interval_ = interval;
  const T* starts = plan_.starts(step);
  const T* sizes = plan_.sizes(step);
  for (std::size_t i = 0; i < plan_.n_samples(); ++i) {
    starts_[i] = starts[i];
    sizes_[i] = is_running_[i] != 0 ? sizes[i] : T{0};
  }
}

// Valid until the next call.
template <class T>
EvaluationPoint<T> Integrator<T>::point(std::size_t stage, std::size_t slot) {
  stage_times(plan_.n_samples(), options_.tableau->c[stage], starts_.data(), sizes_.data(),
              stage_times_.data());
  set_weights(stage);
  return {.slot = slot, .interval = interval_, .time = stage_times_.data(), .weight = weights_.data()};
}

template <class T>
void Integrator<T>::set_weights(std::size_t stage) {
  const std::size_t n = plan_.n_samples();
  const T b = static_cast<T>(options_.tableau->b[stage]);
  const bool by_time = options_.weighting == Weighting::time;
  for (std::size_t i = 0; i < n; ++i) weights_[i] = by_time ? sizes_[i] * b : static_cast<T>(sizes_[i] != 0);
  if (by_time || cuts_ == nullptr || cuts_->unit_sizes == nullptr) return;
  const T* units = cuts_->unit_sizes + interval_ * capacity_;
  for (std::size_t i = 0; i < n; ++i)
    if (units[i] > 0) weights_[i] = sizes_[i] / units[i];
}

template class Integrator<float>;
template class Integrator<double>;

}  // namespace greybox
