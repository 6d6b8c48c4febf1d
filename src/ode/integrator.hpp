// Integrates many samples side by side, each with its own times and steps, and differentiates what it did.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/aligned_buffer.hpp"
#include "ode/adaptive_planner.hpp"
#include "ode/plan.hpp"
#include "ode/right_hand_side.hpp"
#include "ode/stages.hpp"
#include "ode/state_layout.hpp"
#include "ode/tableau.hpp"

namespace greybox {

enum class Weighting { evaluations, time };  // every evaluation counts 1, or its quadrature weight h·b

// What backward will need of forward.
enum class Keep {
  nothing,      // forward only; slots are all 0
  everything,   // one slot per evaluation: step · stages + stage
  step_states,  // states at the steps' starts; backward repeats each step in slots 0 … stages-1
};

struct IntegratorOptions {
  const Tableau* tableau = nullptr;  // must outlive the integrator
  double step = 0;                   // fixed methods: largest step; 0 for one step per interval
  double relative_tolerance = 1e-6;
  double absolute_tolerance = 1e-8;
  std::vector<double> scales = {};  // per component, of the absolute tolerance; empty: 1 each
  std::size_t max_steps = 100000;   // tried per interval, adaptive methods
  Weighting weighting = Weighting::evaluations;
  Keep keep = Keep::nothing;
  std::size_t n_integrators = 1;  // that share the memory
  // Where Keep::everything would take more slots, the steps' states are kept instead.
  std::size_t most_slots = std::numeric_limits<std::size_t>::max();
};

// Intervals between output times that are cut into shorter ones, across whose ends no step reaches. Belongs
// to the caller, who keeps it while the plan is followed.
template <class T>
struct CutIntervals {
  std::size_t n_intervals = 0;
  // Per interval: whether it ends at an output time.
  const std::uint8_t* ends_at_output = nullptr;
  // As `times`, of the interval's start: the size of a step whose evaluations count 1 under
  // Weighting::evaluations, others by their size; 0 where all count 1. Null: all count 1.
  const T* unit_sizes = nullptr;
};

// Steps of every sample, aligned on the output intervals: interval k takes as many steps as its busiest
// sample, and a sample that needs fewer has steps of size zero. Fixed methods plan from the times alone;
// adaptive ones by a trial run under error control, whose accepted steps become the plan (so the gradient
// takes step sizes as given).
//
// A sample whose state becomes non-finite, or that error control had to give up, is stopped; the other
// samples are untouched. It keeps its last finite state, outputs from the interval in which it stopped are
// NaN, and later evaluations have weight zero. Evaluations of the step in which it diverged have been made
// with their usual weights, so whatever the caller summed over this sample's evaluations does not count; its
// total weight is NaN to say so. In backward it takes no part: its gradients and all its weights are zero.
template <class T>
class Integrator {
 public:
  // For at most `capacity` samples and `n_times` times (the first is the start).
  Integrator(IntegratorOptions options, StateLayout layout, std::size_t capacity, std::size_t n_times);

  // times[k * capacity + i]: time k of sample i, never decreasing. Sample i has n_times_of[i] ≤ n_times
  // times, at least one; the rest is ignored. Makes the plan; adaptive methods call rhs.evaluate (slot 0,
  // weights zero). With `cuts` the times are those of its intervals, and n_times that of its outputs.
  void plan(std::size_t n_samples, const T* times, const std::size_t* n_times_of, const T* initial,
            RightHandSide<T>& rhs, const CutIntervals<T>* cuts = nullptr);
  std::size_t n_steps() const { return plan_.n_steps(); }
  std::size_t n_slots() const;  // slots that forward and backward use under the plan

  // Writes the states at times 1 … n_times-1 to outputs + k * layout.size(); where a sample has no more
  // times, its last state again. May be called again under the same plan.
  void forward(const T* initial, RightHandSide<T>& rhs, T* outputs);
  // grad_outputs as outputs in forward; writes grad_initial. Needs Keep::everything or Keep::step_states.
  void backward(const T* grad_outputs, RightHandSide<T>& rhs, T* grad_initial);

  std::span<const Outcome> outcomes() const { return endings_.outcomes; }
  std::span<const T> stopped_at() const {
    return endings_.stopped_at;
  }  // start of the step that failed; or last time
  std::span<const T> total_weights() const { return {total_weights_.data(), plan_.n_samples()}; }

 private:
  void begin_forward(const T* initial);
  void forward_step(std::size_t step, RightHandSide<T>& rhs);
  void run_stage(std::size_t step, std::size_t stage, const T* from, RightHandSide<T>& rhs);
  void stop_diverged_samples();
  void stop_unusable_initial_states(const T* initial);
  void stop(std::size_t sample);
  void write_output(std::size_t interval, T* output) const;
  void end_forward();

  void begin_backward();
  void repeat_step(std::size_t step, RightHandSide<T>& rhs);
  void backward_step(std::size_t step, RightHandSide<T>& rhs);
  void backward_implicit_stage(std::size_t step, std::size_t stage, RightHandSide<T>& rhs);

  void load_step(std::size_t interval, std::size_t step);
  EvaluationPoint<T> point(std::size_t stage, std::size_t slot);
  void set_weights(std::size_t stage);
  bool ends_at_output(std::size_t interval) const {
    return cuts_ == nullptr || cuts_->ends_at_output[interval] != 0;
  }
  std::size_t slot(std::size_t step, std::size_t stage) const;
  StateBatch batch() const { return {layout_, plan_.n_samples()}; }
  StepUnderWay<T> under_way(const T* from) const { return {batch(), sizes_.data(), from}; }
  EvaluationPoint<T> without_weights(EvaluationPoint<T> at) const {
    at.weight = no_weights_.data();
    return at;
  }
  ErrorTolerance tolerance() const;

  IntegratorOptions options_;
  StateLayout layout_;
  std::size_t capacity_, n_times_;
  std::size_t n_stages_;  // those that the solution needs
  Plan<T> plan_;
  const CutIntervals<T>* cuts_ = nullptr;  // under the plan
  Keep keep_;                              // under the plan
  std::optional<AdaptivePlanner<T>> planner_;
  std::optional<ImplicitStages<T>> implicit_;
  Stages<T> stages_;

  // The step under way: its interval, and per sample its start, its size (zero for a sample that takes no
  // part) and the time and weight of the current stage.
  std::size_t interval_ = 0;
  AlignedBuffer<T> starts_, sizes_, stage_times_, weights_, no_weights_;

  AlignedBuffer<T> is_running_;  // 1 or 0 per sample
  AlignedBuffer<T> total_weights_;
  Endings<T> endings_;

  AlignedBuffer<T> state_, next_state_;
  AlignedBuffer<T> unused_;    // results that are known already, of implicit methods
  StateRows<T> stage_states_;  // per slot
  StateRows<T> step_states_;   // per step, Keep::step_states only

  // Backward: gradients of the stage states, and in the last row of the step's end state. adjoint_weights_[i]
  // are the weights of those rows in the gradient of derivative i: column i of the table, then b_i.
  StateRows<T> grad_states_;
  AlignedBuffer<T> grad_derivative_;
  std::vector<std::vector<double>> adjoint_weights_;
  std::vector<double> stage_sum_weights_;
};

}  // namespace greybox
