#include "model/group.hpp"

#include <algorithm>

#include "core/require.hpp"

namespace greybox {
namespace {

std::vector<std::size_t> component_widths(const BoundModel& model) {
  std::vector<std::size_t> widths;
  for (const BoundState& state : model.states) widths.push_back(model.points(state.shape));
  return widths;
}

const auto nothing = [](auto&) {};

template <class T>
StageBlock<T>& evaluation_of(SampleBlock<T>& block) {
  return block.evaluation();
}

template <class T>
StageBlock<T>& data_of(SampleBlock<T>& block) {
  return block.at_data();
}

}  // namespace

template <class T>
Group<T>::Group(const ExecutionPlan& plan, const NetworkSet<T>& networks, const GroupOptions& options)
    : plan_(&plan),
      pool_(options.pool),
      capacity_(options.n_blocks * options.block_capacity),
      n_times_(options.n_times),
      n_per_interval_(options.n_per_interval),
      n_outputs_(plan.model().is_algebraic() ? 1 : (options.n_times - 1) * options.n_per_interval),
      n_data_slots_(options.n_data_slots),
      layout_(component_widths(plan.model()), capacity_, padded<T>(1)),
      intervals_(capacity_, n_times_, options.n_per_interval) {
  require(n_per_interval_ == 1 || options.keep == Keep::nothing,
          "outputs between snapshots have no gradients");
  if (!plan.model().is_algebraic()) {
    IntegratorOptions solver = plan.model().spec->solver.options;
    solver.keep = options.keep;
    solver.most_slots = options.most_slots;
    solver.n_integrators = options.n_groups;
    for (const BoundState& state : plan.model().states) solver.scales.push_back(state.scale);
    integrator_.emplace(solver, layout_, capacity_, n_outputs_ + 1);
    if (solver.weighting == Weighting::time && solver.tableau->is_adaptive())
      for (const MeanTerm& term : plan.model().terms)
        if (term.over == MeanOver::evaluations) integrands_.emplace_back(capacity_);
  }
  lend_frames(options);
  for (std::size_t b = 0; b < options.n_blocks; ++b)
    blocks_.push_back(std::make_unique<SampleBlock<T>>(plan, networks, options.block_capacity, n_times_, 1,
                                                       evaluation_frames_ ? &*evaluation_frames_ : nullptr,
                                                       options.spreads, n_data_slots_));
  tapes_.reserve(options.n_blocks);
  initial_ = AlignedBuffer<T>(layout_.size());
  outputs_ = AlignedBuffer<T>(n_outputs_ * layout_.size());
  if (options.keep != Keep::nothing) {
    grad_outputs_ = AlignedBuffer<T>(n_outputs_ * layout_.size());
    grad_initial_ = AlignedBuffer<T>(layout_.size());
  }
  zeros_ = AlignedBuffer<T>(capacity_);
  ones_ = AlignedBuffer<T>(capacity_);
  ones_.fill(1);
}

// Where blocks take turns anyway, those of one thread do so in the same memory: it stays in the cache. The
// values of an algebraic model are read later on.
template <class T>
void Group<T>::lend_frames(const GroupOptions& options) {
  const Stage& stage = plan_->evaluation();
  if (options.n_blocks == 1 || !integrator_ || !stage.forgets_at_joins()) return;
  evaluation_frames_.emplace(options.pool ? options.pool->n_threads() : 1,
                             [&stage, capacity = options.block_capacity] {
                               return std::make_unique<FrameMemory<T>>(stage.program(), capacity);
                             });
  for (std::size_t b = 0; b < options.n_blocks; ++b) evaluation_frames_->expect_borrower();
}

template <class T>
template <class F>
void Group<T>::for_blocks(F&& f) {
  const auto piece = [&](std::size_t b) { f(*blocks_[b]); };
  if (pool_ == nullptr || n_active_ == 1) {
    for (std::size_t b = 0; b < n_active_; ++b) piece(b);
    return;
  }
  // Every other sweep over the blocks goes back: it begins with what the last one left in the cache.
  order_ = order_ == ThreadPool::Order::onward ? ThreadPool::Order::back : ThreadPool::Order::onward;
  pool_->run(n_active_, std::ref(piece), order_);
}

// Runs a stage: stretches of actions over all blocks, a join of the blocks at the end of each stretch that
// asks for it. `before` and `after` see each block once, at the two ends.
template <class T>
template <class Before, class After>
void Group<T>::run_forward(StageOf stage_of, std::size_t slot, Before&& before, After&& after) {
  const std::vector<Action>& actions = stage_of(*blocks_[0]).stage().actions();
  std::size_t begin = 0;
  for (bool joins = true; joins;) {
    std::size_t end = begin;
    while (end < actions.size() && !actions[end].joins) ++end;
    joins = end < actions.size();
    if (joins) ++end;
    for_blocks([&](SampleBlock<T>& block) {
      const typename StageBlock<T>::FrameLease lease(stage_of(block));
      if (begin == 0) before(block);
      for (std::size_t a = begin; a < end; ++a) stage_of(block).forward(actions[a], slot, block.n_samples());
      if (!joins) after(block);
    });
    if (joins) join(stage_of, actions[end - 1], slot, true);
    begin = end;
  }
}

// The same backward: a stretch begins after an action that joins, and that is where the blocks meet.
template <class T>
template <class Before, class After>
void Group<T>::run_backward(StageOf stage_of, std::size_t slot, Before&& before, After&& after) {
  const std::vector<Action>& actions = stage_of(*blocks_[0]).stage().actions();
  std::size_t end = actions.size();
  for (bool joins = true; joins;) {
    std::size_t begin = end > 0 ? end - 1 : 0;
    while (begin > 0 && !actions[begin - 1].joins) --begin;
    joins = begin > 0;
    for_blocks([&](SampleBlock<T>& block) {
      const typename StageBlock<T>::FrameLease lease(stage_of(block));
      if (end == actions.size()) before(block);
      for (std::size_t a = end; a > begin; --a)
        stage_of(block).backward(actions[a - 1], slot, block.n_samples());
      if (!joins) after(block);
    });
    if (joins) join(stage_of, actions[begin - 1], slot, false);
    end = begin;
  }
}

template <class T>
void Group<T>::load(const Samples<T>& samples, const BatchPart& part) {
  part_ = part;
  const std::size_t n = samples.windows.size();
  first_ = part.first_sample(n);
  n_samples_ = part.end_sample(n) - first_;
  n_active_ = part.blocks.size();
  require(n_active_ <= blocks_.size(), "a group is asked for more blocks than it has");
  for (std::size_t b = 0; b < n_active_; ++b) {
    const std::size_t which = part.blocks.first + b;
    const BatchPart one{part.n_blocks, {which, which + 1}};
    blocks_[b]->load(samples, one.first_sample(n), one.end_sample(n) - one.first_sample(n),
                     one.first_sample(n) - first_);
  }
  if (integrator_) cut_intervals();
}

template <class T>
void Group<T>::cut_intervals() {
  const std::size_t block_capacity = capacity_ / blocks_.size();
  intervals_.begin(n_samples_);
  for (std::size_t b = 0, at = 0; b < n_active_; at += blocks_[b++]->n_samples()) {
    const SampleData<T>& data = blocks_[b]->data();
    for (std::size_t i = 0; i < data.n_samples(); ++i)
      intervals_.set_sample(at + i, data.snapshot_times(0) + i, block_capacity, data.n_times(i));
    blocks_[b]->march_in(intervals_);
  }
  const IntegratorOptions& solver = plan_->model().spec->solver.options;
  intervals_.finish(solver.tableau->is_adaptive() ? -1 : solver.step);
}

template <class T>
void Group<T>::forward(const Samples<T>& samples, const BatchPart& part, Trajectories<T>* trajectories) {
  load(samples, part);
  if (leaves_theta_to_estimator(*plan_, samples))
    run_forward([](SampleBlock<T>& block) -> StageBlock<T>& { return *block.estimator(); }, 0, nothing,
                [](SampleBlock<T>& block) { block.take_estimated_parameters(); });
  run_forward([](SampleBlock<T>& block) -> StageBlock<T>& { return block.sample(); }, 0,
              [](SampleBlock<T>& block) { block.take_starts(); },
              [&](SampleBlock<T>& block) {
                block.start();
                if (integrator_) block.copy_initial(layout_, initial_.data());
              });
  integrate();
  if (plan_->data()) average_data();
  if (plan_->solution()) read_solution();
  observe(trajectories);
  if (trajectories == nullptr) return;
  if (!trajectories->latents.empty())
    for_blocks([&](SampleBlock<T>& block) { keep_latents(*trajectories, block); });
  keep_parts(*trajectories);
}

template <class T>
EvaluationPoint<T> Group<T>::algebraic_point() const {
  return {0, 0, zeros_.data(), ones_.data()};
}

template <class T>
void Group<T>::integrate() {
  counts_terms_ = true;
  if (integrator_) {
    is_planning_ = true;
    integrator_->plan(n_samples_, intervals_.times(), intervals_.counts(), initial_.data(), *this,
                      intervals_.cuts());
    is_planning_ = false;
    for_blocks([&](SampleBlock<T>& block) { block.ensure_slots(integrator_->n_slots()); });
    integrator_->forward(initial_.data(), *this, outputs_.data());
  } else {
    evaluate(algebraic_point(), nullptr, outputs_.data());
  }
  counts_terms_ = false;
  const T* weights = integrator_ ? integrator_->total_weights().data() : ones_.data();
  for_blocks([&](SampleBlock<T>& block) { block.weigh_sample_terms(weights); });
}

template <class T>
void Group<T>::evaluate(const EvaluationPoint<T>& at, const T* state, T* derivative) {
  run_forward(
      evaluation_of<T>, at.slot, [&](SampleBlock<T>& block) { block.enter(at, layout_, state); },
      [&](SampleBlock<T>& block) {
        block.copy_derivative(layout_, derivative);
        if (is_planning_) return block.copy_terms(integrands_);
        if (counts_terms_) block.add_terms(at);
      });
}

template <class T>
void Group<T>::adjoint(const EvaluationPoint<T>& at, const T* state, const T* grad_derivative,
                       T* grad_state) {
  run_backward(
      evaluation_of<T>, at.slot,
      [&](SampleBlock<T>& block) {
        block.enter(at, layout_, state);
        if (integrator_) block.evaluation().recompute(block.n_samples());
        block.set_evaluation_gradients(at, layout_, grad_derivative, *cotangents_);
      },
      [&](SampleBlock<T>& block) {
        if (grad_state != nullptr) block.copy_state_gradient(layout_, grad_state);
      });
}

template <class T>
void Group<T>::linearize(const EvaluationPoint<T>& at, const T* state, StateRows<T>& jacobian) {
  for_blocks([&](SampleBlock<T>& block) { block.linearize(at, layout_, state, jacobian); });
}

template <class T>
void Group<T>::jump(std::size_t interval, T* state) {
  intervals_.for_jumps(interval, [&](std::size_t sample, std::size_t component, T amount) {
    state[layout_.offset(component) + sample] += amount;
  });
}

template <class T>
void Group<T>::step_done(std::size_t first_slot, std::size_t n_slots) {
  for_blocks(
      [&](SampleBlock<T>& block) { block.evaluation().flush(first_slot, n_slots, block.n_samples()); });
}

template <class T>
void Group<T>::observe(Trajectories<T>* trajectories) {
  for_blocks([&](SampleBlock<T>& block) {
    for (std::size_t k = 0; k < n_outputs_; ++k) {
      const OutputMoment<T> at = moment(k);
      block.enter_observation(at, layout_, output_state(k));
      if (at.times == nullptr) block.observe(at.snapshot);
      if (trajectories != nullptr) keep_observed(*trajectories, block, k);
    }
  });
}

// Windows that are shorter stay at their last state.
template <class T>
const T* Group<T>::observed_state(std::size_t snapshot) {
  if (snapshot == 0 || n_outputs_ == 0) return initial_.data();
  return output_state(std::min(snapshot * n_per_interval_, n_outputs_) - 1);
}

template <class T>
StageBlock<T>& solution_of(SampleBlock<T>& block) {
  return block.solution();
}

template <class T>
void Group<T>::read_solution() {
  run_forward(
      solution_of<T>, 0,
      [&](SampleBlock<T>& block) {
        for (std::size_t k = 0; k < plan_->model().spec->data.window.observed; ++k)
          block.take_solved(k, layout_, observed_state(k));
      },
      [](SampleBlock<T>& block) { block.add_solution_terms(); });
}

// The share of the initial state waits for that of the integration.
template <class T>
void Group<T>::read_solution_backward() {
  run_backward(
      solution_of<T>, 0, [&](SampleBlock<T>& block) { block.set_solution_gradients(*cotangents_); },
      [&](SampleBlock<T>& block) {
        block.solution().flush(0, 1, block.n_samples());
        for (std::size_t k = 1; n_outputs_ > 0 && k < plan_->model().spec->data.window.observed; ++k)
          block.add_solved_gradients(k, layout_,
                                     grad_outputs_.data() + (std::min(k, n_outputs_) - 1) * layout_.size());
      });
}

template <class T>
std::size_t Group<T>::n_data_snapshots() const {
  if (part_.others != nullptr) return n_times_;  // all have to meet as often
  std::size_t n = 0;
  for (std::size_t b = 0; b < n_active_; ++b) n = std::max(n, blocks_[b]->data().longest());
  return n;
}

template <class T>
void Group<T>::average_data() {
  for (std::size_t k = 0; k < n_data_snapshots(); ++k)
    run_forward(
        data_of<T>, data_slot(k), [&](SampleBlock<T>& block) { block.enter_data(k, data_slot(k)); },
        [](SampleBlock<T>& block) { block.add_data_terms(); });
}

// Where only one snapshot is kept, what networks need is computed again.
template <class T>
void Group<T>::average_data_backward(const Cotangents<T>& cotangents) {
  for (std::size_t k = n_data_snapshots(); k-- > 0;) {
    const std::size_t slot = data_slot(k);
    const auto enter = [&](SampleBlock<T>& block) { block.enter_data(k, slot); };
    if (n_data_slots_ == 1) run_forward(data_of<T>, slot, enter, nothing);
    run_backward(
        data_of<T>, slot,
        [&](SampleBlock<T>& block) {
          enter(block);
          block.at_data().recompute(block.n_samples());
          block.set_data_gradients(cotangents);
        },
        [&](SampleBlock<T>& block) {
          block.pull_back_measured();
          block.at_data().flush(slot, 1, block.n_samples());
        });
  }
}

// Theory and network at the output times take an evaluation of their own: the solver's do not end there.
template <class T>
void Group<T>::keep_parts(Trajectories<T>& trajectories) {
  if (!integrator_) return for_blocks([&](SampleBlock<T>& block) { keep_parts(trajectories, block, 0); });
  if (!trajectories.initial_derivative.empty() || !trajectories.initial.empty()) {
    run_forward(
        evaluation_of<T>, 0, [&](SampleBlock<T>& block) { block.enter_output({}, layout_, initial_.data()); },
        [&](SampleBlock<T>& block) { keep_initial(trajectories, block); });
  }
  for (std::size_t k = 0; k < n_outputs_; ++k) {
    run_forward(
        evaluation_of<T>, 0,
        [&](SampleBlock<T>& block) { block.enter_output(moment(k), layout_, output_state(k)); },
        [&](SampleBlock<T>& block) { keep_parts(trajectories, block, k); });
  }
}

template <class T>
void Group<T>::backward(const Samples<T>& samples, const Cotangents<T>& cotangents, bool needs_weights) {
  cotangents_ = &cotangents;
  for_blocks([&](SampleBlock<T>& block) {
    block.clear_gradients(needs_weights);
    for (std::size_t k = 0; k < n_outputs_; ++k) {
      // The only values of an algebraic model are still there.
      const OutputMoment<T> at = moment(k);
      if (integrator_) block.enter_observation(at, layout_, output_state(k));
      block.observe_backward(at.snapshot, layout_, cotangents, grad_outputs_.data() + k * layout_.size());
    }
  });
  if (plan_->solution()) read_solution_backward();
  if (integrator_) {
    integrator_->backward(grad_outputs_.data(), *this, grad_initial_.data());
    if (plan_->solution())
      for_blocks(
          [&](SampleBlock<T>& block) { block.add_solved_gradients(0, layout_, grad_initial_.data()); });
  } else {
    adjoint(algebraic_point(), nullptr, grad_outputs_.data(), nullptr);
    step_done(0, 1);
  }
  if (plan_->data()) average_data_backward(cotangents);
  const auto flush = [](StageBlock<T>& stage, std::size_t n) { stage.flush(0, 1, n); };
  run_backward(
      [](SampleBlock<T>& block) -> StageBlock<T>& { return block.sample(); }, 0,
      [&](SampleBlock<T>& block) { block.set_sample_gradients(layout_, grad_initial_.data(), cotangents); },
      [&](SampleBlock<T>& block) { flush(block.sample(), block.n_samples()); });
  if (leaves_theta_to_estimator(*plan_, samples))
    run_backward([](SampleBlock<T>& block) -> StageBlock<T>& { return *block.estimator(); }, 0,
                 [](SampleBlock<T>& block) { block.set_estimator_gradients(); },
                 [&](SampleBlock<T>& block) { flush(*block.estimator(), block.n_samples()); });
  cotangents_ = nullptr;
}

template <class T>
void Group<T>::copy_outcomes(Outcome* outcomes, double* total_weights, double* stopped_at) const {
  if (integrator_) {
    std::copy_n(integrator_->outcomes().begin(), n_samples_, outcomes);
    std::copy_n(integrator_->total_weights().begin(), n_samples_, total_weights);
    std::copy_n(integrator_->stopped_at().begin(), n_samples_, stopped_at);
  } else {
    std::fill_n(outcomes, n_samples_, Outcome::finished);
    std::fill_n(total_weights, n_samples_, 1.0);
    std::fill_n(stopped_at, n_samples_, 0.0);
  }
}

template <class T>
const T* Group<T>::initial_gradient(std::size_t c, std::size_t sample) const {
  return grad_initial_.data() + layout_.offset(c) + sample * layout_.width(c);
}

template class Group<float>;
template class Group<double>;

}  // namespace greybox
