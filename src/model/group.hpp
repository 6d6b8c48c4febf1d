// Blocks of samples that are integrated together: one block, or the whole batch where its samples influence
// each other.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/block_range.hpp"
#include "core/thread_pool.hpp"
#include "greybox/communicator.hpp"
#include "model/sample_block.hpp"
#include "ode/integrator.hpp"

namespace greybox {

// What a prediction leaves behind, beside its sums: values at the output times, [sample][time][point]. Sample
// i of the batch is sample `first` + i here.
template <class T>
struct Trajectories {
  std::size_t first = 0;
  // Per observed variable.
  std::vector<std::vector<T>> observed;
  // Per observed variable: the parameter of its noise, where an equation gives it; not kept where empty.
  std::vector<std::vector<T>> spreads{};
  // Per state; those that are left empty are not kept.
  std::vector<std::vector<T>> theory, network, derivative, state;
  // Per state, at the window's first snapshot: [sample][point].
  std::vector<std::vector<T>> initial_derivative, initial{};
  // Per latent: [sample][component].
  std::vector<std::vector<T>> latents{};
};

// Neighbouring blocks of a batch.
struct BatchPart {
  // Of the whole batch.
  std::size_t n_blocks = 1;
  BlockRange blocks{};
  // That integrate the other blocks together with these, at the same time; null: these depend on no others.
  Communicator* others = nullptr;

  // Samples of the batch, which has n of them.
  std::size_t first_sample(std::size_t n) const { return blocks.first * n / n_blocks; }
  std::size_t end_sample(std::size_t n) const { return blocks.end * n / n_blocks; }
};

struct GroupOptions {
  std::size_t n_blocks = 1;
  std::size_t block_capacity = 1;
  std::size_t n_times = 1;
  // Outputs for each interval between snapshots, the last of them at its end; more than one only where there
  // is no way back.
  std::size_t n_per_interval = 1;
  Keep keep = Keep::nothing;
  // Evaluations that may be kept; and, apart from them, snapshots of means over the data.
  std::size_t most_slots = std::numeric_limits<std::size_t>::max();
  std::size_t n_data_slots = 1;
  std::size_t n_groups = 1;    // that work at the same time
  ThreadPool* pool = nullptr;  // null: the blocks of the group run one after another
  // Of the noise, one per observed variable; outlives the group.
  const std::vector<double>* spreads = nullptr;
};

template <class T>
class Group final : public RightHandSide<T> {
 public:
  Group(const ExecutionPlan& plan, const NetworkSet<T>& networks, const GroupOptions& options);

  // No more blocks than the options said; `trajectories` may be null.
  void forward(const Samples<T>& samples, const BatchPart& part, Trajectories<T>* trajectories);
  // `needs_weights`: the gradients of the weights too, not only of θ and the initial state.
  void backward(const Samples<T>& samples, const Cotangents<T>& cotangents, bool needs_weights);

  std::size_t n_active_blocks() const { return n_active_; }
  SampleBlock<T>& block(std::size_t i) { return *blocks_[i]; }
  const SampleBlock<T>& block(std::size_t i) const { return *blocks_[i]; }
  // How the integration of the group's samples went, in their order.
  void copy_outcomes(Outcome* outcomes, double* total_weights, double* stopped_at) const;
  // Gradient with respect to the initial state: component c of a sample of the group.
  const T* initial_gradient(std::size_t c, std::size_t sample) const;

  void evaluate(const EvaluationPoint<T>& at, const T* state, T* derivative) override;
  void adjoint(const EvaluationPoint<T>& at, const T* state, const T* grad_derivative,
               T* grad_state) override;
  void linearize(const EvaluationPoint<T>& at, const T* state, StateRows<T>& jacobian) override;
  void jump(std::size_t interval, T* state) override;
  void step_done(std::size_t first_slot, std::size_t n_slots) override;
  // Of time averages: the regularizers' terms that change along the trajectory, while steps are planned.
  std::size_t n_integrands() const override { return integrands_.size(); }
  const T* integrand(std::size_t which) const override { return integrands_[which].data(); }

 private:
  using StageOf = StageBlock<T>& (*)(SampleBlock<T>&);
  template <class F>
  void for_blocks(F&& f);
  template <class Before, class After>
  void run_forward(StageOf stage_of, std::size_t slot, Before&& before, After&& after);
  template <class Before, class After>
  void run_backward(StageOf stage_of, std::size_t slot, Before&& before, After&& after);
  void join(StageOf stage_of, const Action& action, std::size_t slot, bool is_forward);
  void exchange(std::span<double> given);

  void lend_frames(const GroupOptions& options);
  void load(const Samples<T>& samples, const BatchPart& part);
  void cut_intervals();
  void integrate();
  void observe(Trajectories<T>* trajectories);
  // What depends on the solution as a whole.
  void read_solution();
  void read_solution_backward();
  const T* observed_state(std::size_t snapshot);
  // Means over the data.
  void average_data();
  void average_data_backward(const Cotangents<T>& cotangents);
  std::size_t n_data_snapshots() const;
  std::size_t data_slot(std::size_t snapshot) const { return n_data_slots_ == 1 ? 0 : snapshot; }
  // Values of a block at one output time into an array over all samples, of which the group's begin at
  // `first`.
  void keep_observed(Trajectories<T>& trajectories, SampleBlock<T>& block, std::size_t output);
  void keep_parts(Trajectories<T>& trajectories);
  void keep_parts(Trajectories<T>& trajectories, SampleBlock<T>& block, std::size_t output);
  void keep_latents(Trajectories<T>& trajectories, SampleBlock<T>& block);
  void keep_initial(Trajectories<T>& trajectories, SampleBlock<T>& block);
  EvaluationPoint<T> algebraic_point() const;
  T* output_state(std::size_t output) { return outputs_.data() + output * layout_.size(); }
  // Algebraic models are compared with the data at their only snapshot, others at every snapshot after the
  // first.
  OutputMoment<T> moment(std::size_t output) const {
    if (!integrator_) return {};
    const std::size_t k = output + 1;
    return {k / n_per_interval_, k % n_per_interval_ == 0 ? nullptr : intervals_.output_times(k)};
  }

  const ExecutionPlan* plan_;
  ThreadPool* pool_;
  std::size_t capacity_, n_times_, n_per_interval_, n_outputs_, n_data_slots_;
  std::size_t first_ = 0, n_samples_ = 0, n_active_ = 0;
  BatchPart part_;
  StateLayout layout_;
  std::optional<Integrator<T>> integrator_;
  std::optional<typename StageBlock<T>::Frames> evaluation_frames_;
  std::vector<std::unique_ptr<SampleBlock<T>>> blocks_;
  // Of joins: scratch, what all blocks of the batch give, and where in bytes each process's begin.
  std::vector<typename Network<T>::Tape*> tapes_;
  std::vector<double> given_;
  std::vector<std::size_t> given_begins_;

  Intervals<T> intervals_;
  AlignedBuffer<T> initial_, outputs_, grad_outputs_, grad_initial_, zeros_, ones_;
  const Cotangents<T>* cotangents_ = nullptr;
  bool counts_terms_ = false, is_planning_ = false;
  std::vector<AlignedBuffer<T>> integrands_;  // [term][sample]; of time averages under error control
  ThreadPool::Order order_ = ThreadPool::Order::onward;  // of the last sweep over the blocks
};

extern template class Group<float>;
extern template class Group<double>;

}  // namespace greybox
