// Steps of methods with error control: by a trial run whose accepted steps become the plan.
#pragma once

#include <optional>
#include <vector>

#include "ode/error_norm.hpp"
#include "ode/implicit_stages.hpp"
#include "ode/integral_errors.hpp"
#include "ode/plan.hpp"
#include "ode/right_hand_side.hpp"
#include "ode/stages.hpp"
#include "ode/step_control.hpp"

namespace greybox {

// Every sample has its own time, step size and error control; nothing of its neighbours enters its steps. All
// samples start an interval together, because the right-hand side is given the interval.
template <class T>
class AdaptivePlanner {
 public:
  AdaptivePlanner(const Tableau& tableau, const ErrorTolerance& tolerance, const StateLayout& layout,
                  std::size_t capacity);

  void make(const SampleTimes<T>& times, const T* initial, RightHandSide<T>& rhs, Plan<T>& plan);

 private:
  bool begin_interval(const SampleTimes<T>& times, std::size_t interval, const Plan<T>& plan);
  void run_interval(RightHandSide<T>& rhs, Plan<T>& plan);
  void choose_first_steps(RightHandSide<T>& rhs, Plan<T>& plan);
  bool set_trial_sizes(std::size_t n_tried, Plan<T>& plan);
  void try_step(RightHandSide<T>& rhs);
  void try_implicit_step(RightHandSide<T>& rhs);
  void judge_step(Plan<T>& plan);
  void accept(std::size_t sample, Plan<T>& plan);

  void evaluate(std::size_t stage, double c, const T* state, RightHandSide<T>& rhs);
  EvaluationPoint<T> point(double c);
  void give_up(std::size_t sample, Outcome outcome, Plan<T>& plan);
  bool has_arrived(std::size_t sample) const { return time_[sample] >= end_[sample]; }
  double remaining(std::size_t sample) const { return end_[sample] - time_[sample]; }
  StateBatch batch() const { return {layout_, n_samples_}; }

  const Tableau* tableau_;
  ErrorNorm<T> scaled_norm_;
  StateLayout layout_;
  Stages<T> stages_;
  IntegralErrors<T> integrals_;
  std::optional<ImplicitStages<T>> implicit_;
  AlignedBuffer<T> state_, trial_;
  AlignedBuffer<T> starts_, sizes_, stage_times_, no_weights_;
  std::vector<double> time_, end_;  // in double: many small steps must add up even when T is float
  std::vector<StepControl> controls_;
  std::size_t n_samples_ = 0, interval_ = 0;
};

extern template class AdaptivePlanner<float>;
extern template class AdaptivePlanner<double>;

}  // namespace greybox
