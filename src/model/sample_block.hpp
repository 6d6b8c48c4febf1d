// One block of samples: the data it needs and its stages. Blocks share nothing, so threads may take them in
// any order.
#pragma once

#include <array>
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
  // d objective / d (sum of squared residuals of the sample, in units of the variables' scales)
  const T* squared_error = nullptr;
  // d objective / d (weighted sum of the term over the sample's evaluations), per term
  std::span<const T* const> terms;
};

template <class T>
class SampleBlock {
 public:
  SampleBlock(const ExecutionPlan& plan, const NetworkSet<T>& networks, std::size_t capacity,
              std::size_t n_times, std::size_t n_slots, typename StageBlock<T>::Frames* evaluation_frames);

  const SampleData<T>& data() const { return data_; }
  std::size_t n_samples() const { return data_.n_samples(); }
  std::size_t first_sample() const { return data_.first_sample(); }
  StageBlock<T>* estimator() { return estimator_ ? &*estimator_ : nullptr; }
  StageBlock<T>& sample() { return sample_; }
  StageBlock<T>& evaluation() { return evaluation_; }

  // Copies the data of samples [first, first + n) of the batch; they stand at `group_offset` in the arrays of
  // the group that is integrated together.
  void load(const Samples<T>& samples, std::size_t first, std::size_t n, std::size_t group_offset);
  void take_estimated_parameters();

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

  // One evaluation of the right-hand side; `at` and the states belong to the group that the block is part of.
  void enter(const EvaluationPoint<T>& at, const StateLayout& layout, const T* state);
  void copy_derivative(const StateLayout& layout, T* derivative);
  void add_terms(const EvaluationPoint<T>& at);
  void set_evaluation_gradients(const EvaluationPoint<T>& at, const StateLayout& layout,
                                const T* grad_derivative, const Cotangents<T>& cotangents);
  void copy_state_gradient(const StateLayout& layout, T* grad_state);

  // Observations at time `snapshot`, after entering it: squared residuals, and their gradient with respect to
  // the state.
  void enter_snapshot(std::size_t snapshot, const StateLayout& layout, const T* state);
  void observe(std::size_t snapshot);
  void observe_backward(std::size_t snapshot, const StateLayout& layout, const Cotangents<T>& cotangents,
                        T* grad_state);
  const T* observed(std::size_t which) { return output_.value(plan_->output().root(which)); }

  // Gradients: clear everything that sums up over evaluations, and say whether those of the weights are
  // needed; set those of the stages' roots; read θ's.
  void clear_gradients(bool needs_weights);
  void set_sample_gradients(const StateLayout& layout, const T* grad_initial,
                            const Cotangents<T>& cotangents);
  void set_estimator_gradients();
  const T* parameter_gradient(std::size_t parameter) const {
    return grad_theta_.data() + parameter * stride_;
  }
  void add_weight_gradients(T* gradient) const;

  // Sums over the sample's trajectory since `load`.
  const double* squared_errors() const { return squared_error_.data(); }
  const double* n_compared() const { return n_compared_.data(); }
  const double* term_sums(std::size_t term) const { return term_sums_.data() + term * sum_stride_; }

 private:
  struct Place {
    const T* value;
    T* gradient;
  };
  Place place_of(NodeId node);
  void bind_inputs(StageBlock<T>& stage);
  // The stage reads its state there from now on.
  void bind_state(StageBlock<T>& stage, const StateLayout& layout, const T* state);
  // Calls f(sample, weight, n, predicted, measured, gradients of the predicted) for every sample and observed
  // variable, n values each, that has something to be compared with; its squares count `weight` times.
  template <class F>
  void for_compared(std::size_t snapshot, F&& f);
  // Where every sample has a number for every observed variable, it does not check each.
  bool compares_whole_arrays(std::size_t snapshot) const {
    return snapshot < data_.shortest() && !observes_fields_ && !data_.misses_values();
  }
  void observe_arrays(std::size_t snapshot);

  const ExecutionPlan* plan_;
  std::size_t stride_, sum_stride_;
  std::size_t group_offset_ = 0;
  SampleData<T> data_;
  AlignedBuffer<T> grad_theta_;
  std::vector<AlignedBuffer<T>> grad_state_;
  AlignedBuffer<double> squared_error_, n_compared_, term_sums_;
  AlignedBuffer<T> total_weights_;
  bool observes_fields_ = false;

  std::optional<StageBlock<T>> estimator_;
  StageBlock<T> sample_, evaluation_, output_;
};

extern template class SampleBlock<float>;
extern template class SampleBlock<double>;

}  // namespace greybox
