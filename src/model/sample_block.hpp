// One block of samples: the data it needs and its stages. Blocks share nothing, so threads may take them in
// any order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/execution_plan.hpp"
#include "model/sample_data.hpp"
#include "model/stage_block.hpp"
#include "ode/integrator.hpp"

namespace greybox {

// Gradients of the objective with respect to what a block reports, per sample of the batch: what backward
// starts from.
template <class T>
struct Cotangents {
  // d objective / d (loss of the sample: see Engine::losses)
  const T* loss = nullptr;
  // d objective / d (weighted sum of the term over the sample's evaluations), per term
  std::span<const T* const> terms;
};

// A time at which there is an output: that of a snapshot, or one between it and the next.
template <class T>
struct OutputMoment {
  std::size_t snapshot = 0;
  // Of all samples of the group; null: the snapshot's own.
  const T* times = nullptr;
};

template <class T>
class SampleBlock {
 public:
  SampleBlock(const ExecutionPlan& plan, const NetworkSet<T>& networks, std::size_t capacity,
              std::size_t n_times, std::size_t n_slots, typename StageBlock<T>::Frames* evaluation_frames,
              const std::vector<double>* spreads, std::size_t n_data_slots = 1);

  const SampleData<T>& data() const { return data_; }
  std::size_t n_samples() const { return data_.n_samples(); }
  std::size_t first_sample() const { return data_.first_sample(); }
  StageBlock<T>* estimator() { return estimator_ ? &*estimator_ : nullptr; }
  StageBlock<T>& sample() { return sample_; }
  StageBlock<T>& evaluation() { return evaluation_; }
  // Of models with means over the data.
  StageBlock<T>& at_data() { return *at_data_; }

  // Copies the data of samples [first, first + n) of the batch; they stand at `group_offset` in the arrays of
  // the group that is integrated together.
  void load(const Samples<T>& samples, std::size_t first, std::size_t n, std::size_t group_offset);
  void take_estimated_parameters();
  void take_starts() { data_.take_starts(*networks_); }

  // After the sample stage.
  void start();
  void ensure_slots(std::size_t n_slots);  // evaluations that will be kept
  // After the evaluations, whose total weights these are: a term without state or time counts as often as the
  // others.
  void weigh_sample_terms(const T* total_weights);
  void copy_initial(const StateLayout& layout, T* state);
  // The block's samples of component c in a state of the group.
  const T* state(const StateLayout& layout, std::size_t c, const T* state) const {
    return state + layout.offset(c) + group_offset_ * layout.width(c);
  }

  // The group's intervals, where the block's samples add what they must be cut at.
  void march_in(Intervals<T>& intervals) {
    data_.add_cuts(intervals, group_offset_);
    data_.march_in(&intervals, group_offset_);
  }

  // One evaluation of the right-hand side; `at` and the states belong to the group that the block is part of.
  void enter(const EvaluationPoint<T>& at, const StateLayout& layout, const T* state);
  // At an output, outside the solver.
  void enter_output(const OutputMoment<T>& at, const StateLayout& layout, const T* state);
  void copy_derivative(const StateLayout& layout, T* derivative);
  void add_terms(const EvaluationPoint<T>& at);
  // Values of the terms that change along the trajectory, one array over the group's samples for each; none
  // where there are no arrays.
  void copy_terms(std::vector<AlignedBuffer<T>>& terms);
  void set_evaluation_gradients(const EvaluationPoint<T>& at, const StateLayout& layout,
                                const T* grad_derivative, const Cotangents<T>& cotangents);
  void copy_state_gradient(const StateLayout& layout, T* grad_state);
  // Derivatives of every entry of the right-hand side with respect to the state; touches no other gradients.
  void linearize(const EvaluationPoint<T>& at, const StateLayout& layout, const T* state,
                 StateRows<T>& jacobian);

  // Observations at an output; where that is a snapshot, after entering it: squared residuals, and their
  // gradient with respect to the state.
  void enter_observation(const OutputMoment<T>& at, const StateLayout& layout, const T* state);
  void observe(std::size_t snapshot);
  void observe_backward(std::size_t snapshot, const StateLayout& layout, const Cotangents<T>& cotangents,
                        T* grad_state);
  const T* observed(std::size_t which) { return output_.value(plan_->output().root(which)); }
  // Where an equation gives the noise.
  const T* spread(std::size_t which) { return output_.value(*plan_->spread(which)); }

  // Means over the data, snapshot by snapshot (sample_data_terms.cpp): takes the measured states, which the
  // terms are then evaluated at.
  void enter_data(std::size_t snapshot, std::size_t slot);
  void add_data_terms();
  void set_data_gradients(const Cotangents<T>& cotangents);
  // On to what the measured states are made of; after the gradients of the stage.
  void pull_back_measured();
  // Snapshots of each sample whose states were all measured.
  const double* n_measured() const { return n_measured_.data(); }

  // What depends on the solution at the observed snapshots (sample_solution.cpp): takes the states of one,
  // then, after the stage, its terms.
  StageBlock<T>& solution() { return *solution_; }
  void take_solved(std::size_t snapshot, const StateLayout& layout, const T* state);
  void add_solution_terms();
  void set_solution_gradients(const Cotangents<T>& cotangents);
  // Adds to the gradients of the states at a snapshot.
  void add_solved_gradients(std::size_t snapshot, const StateLayout& layout, T* grad_state) const;

  // Gradients: clear everything that sums up over evaluations, and say whether those of the weights are
  // needed; set those of the stages' roots; read θ's.
  void clear_gradients(bool needs_weights);
  void set_sample_gradients(const StateLayout& layout, const T* grad_initial,
                            const Cotangents<T>& cotangents);
  void set_estimator_gradients();
  const T* parameter_gradient(std::size_t parameter) const {
    return grad_theta_.data() + parameter * stride_;
  }
  const T* draw_gradient(std::size_t draw) const { return grad_draws_.data() + draw * stride_; }
  void add_weight_gradients(T* gradient) const;
  // With respect to the logarithm of the number that is the parameter of the variable's noise.
  double spread_gradient(std::size_t observed) const { return grad_spreads_[observed]; }

  // Sums over the sample's trajectory since `load`: what its values cost in L, and squared residuals in units
  // of the variables' scales. Without noise they are the same.
  const double* losses() const { return plan_->model().has_noise() ? loss_.data() : squared_errors(); }
  const double* squared_errors() const { return squared_error_.data(); }
  const double* n_compared() const { return n_compared_.data(); }
  const double* term_sums(std::size_t term) const { return term_sums_.data() + term * sum_stride_; }

 private:
  void move_to(const OutputMoment<T>& at) {
    if (at.times == nullptr) return data_.move_to_snapshot(at.snapshot);
    data_.move_between(at.snapshot, at.times + group_offset_);
  }
  struct Place {
    const T* value;
    T* gradient;
  };
  Place place_of(NodeId node);
  enum class Gradients : std::uint8_t { all, of_states };
  void bind_inputs(StageBlock<T>& stage, Gradients wanted = Gradients::all);
  // The stage reads its state there from now on.
  void bind_state(StageBlock<T>& stage, const StateLayout& layout, const T* state);
  // Values of one sample and observed variable that are compared.
  struct Compared {
    std::size_t observed, sample;
    // Where the first of them stands among those of the block.
    std::size_t first, n;
    const T *predicted, *measured;
    T* gradient;
  };
  template <class F>
  void for_compared(std::size_t snapshot, F&& f);
  // f(i, what value i is under its noise)
  template <class F>
  void for_measurements(const Compared& compared, F&& f);
  // Where every sample has a number for every observed variable, it does not check each.
  bool compares_whole_arrays(std::size_t snapshot) const {
    return snapshot < data_.shortest() && !observes_fields_ && !data_.misses_values();
  }
  void observe_arrays(std::size_t snapshot);
  void observe_noise(std::size_t snapshot);
  void noise_backward(const Compared& compared, double cotangent);
  // What a value of the sample counts for where windows weigh alike.
  T share(std::size_t sample) const {
    return weighs_windows_ ? static_cast<T>(1 / n_compared_[sample]) : T{1};
  }

  void add_start_gradients(T* gradient) const;
  void make_data_stages(std::size_t capacity, std::size_t n_slots);
  void make_solution_stage(std::size_t capacity);
  void find_snapshot_inputs();
  void bind_snapshot_inputs(std::size_t snapshot);
  void bind_measured(std::size_t snapshot);
  void take_measured(std::size_t snapshot);
  bool is_over(std::size_t term, MeanOver what) const { return plan_->model().terms[term].over == what; }

  const ExecutionPlan* plan_;
  const NetworkSet<T>* networks_;
  // Per observed variable: the parameter of its noise, where that is a number.
  const std::vector<double>* spreads_;
  std::vector<double> grad_spreads_;
  std::size_t stride_, sum_stride_;
  std::size_t group_offset_ = 0;
  SampleData<T> data_;
  AlignedBuffer<T> grad_theta_, grad_draws_, grad_starts_;
  std::vector<AlignedBuffer<T>> grad_state_;
  AlignedBuffer<double> squared_error_, loss_, n_compared_, term_sums_;
  AlignedBuffer<T> total_weights_;
  bool observes_fields_ = false, weighs_windows_ = false;

  // An input of the output stage that is another value at each snapshot.
  struct SnapshotInput {
    std::size_t where;
    std::vector<Place> places;
  };
  std::vector<SnapshotInput> snapshot_inputs_;
  // Per state, [snapshot][sample, point]: those that the solution stage reads, and their gradients.
  std::vector<AlignedBuffer<T>> solved_, grad_solved_;

  std::optional<StageBlock<T>> estimator_, linearized_, measured_, at_data_, solution_;
  // Per measured state; the weight of each sample at the present snapshot, 0 or 1; their sums.
  std::vector<AlignedBuffer<T>> measured_states_;
  AlignedBuffer<T> data_weights_, data_clock_;
  AlignedBuffer<double> n_measured_;
  StageBlock<T> sample_, evaluation_, output_;
};

extern template class SampleBlock<float>;
extern template class SampleBlock<double>;

}  // namespace greybox
