#include "model/sample_block.hpp"

#include <algorithm>
#include <cmath>

#include "model/sum_kernels.hpp"

namespace greybox {
namespace {

// Samples of a block lie side by side inside a component of the group's state.
template <class T>
struct Slice {
  T* begin;
  std::size_t size;
};

template <class T>
Slice<T> slice(const StateLayout& layout, std::size_t component, T* state, std::size_t offset,
               std::size_t n) {
  const std::size_t width = layout.width(component);
  return {state + layout.offset(component) + offset * width, n * width};
}

}  // namespace

template <class T>
SampleBlock<T>::SampleBlock(const ExecutionPlan& plan, const NetworkSet<T>& networks, std::size_t capacity,
                            std::size_t n_times, std::size_t n_slots,
                            typename StageBlock<T>::Frames* evaluation_frames,
                            const std::vector<double>* spreads, std::size_t n_data_slots)
    : plan_(&plan),
      networks_(&networks),
      spreads_(spreads),
      grad_spreads_(plan.model().observed.size()),
      stride_(padded<T>(capacity)),
      sum_stride_(padded<double>(capacity)),
      data_(plan.model(), capacity, n_times),
      grad_theta_(plan.model().spec->parameters.size() * stride_),
      grad_draws_(plan.model().has_adapted_draws() ? plan.model().draws.size() * stride_ : 0),
      grad_starts_(plan.model().starts.size() * plan.model().start_width() * stride_),
      sample_(plan.model(), plan.sample(), networks, capacity, 1),
      evaluation_(plan.model(), plan.evaluation(), networks, capacity, n_slots, evaluation_frames),
      output_(plan.model(), plan.output(), networks, capacity, 1) {
  const BoundModel& model = plan.model();
  for (const BoundState& state : model.states)
    grad_state_.emplace_back(padded<T>(capacity * model.points(state.shape)));
  squared_error_ = AlignedBuffer<double>(sum_stride_);
  n_compared_ = AlignedBuffer<double>(sum_stride_);
  if (model.has_noise()) loss_ = AlignedBuffer<double>(sum_stride_);
  term_sums_ = AlignedBuffer<double>(sum_stride_ * model.terms.size());
  total_weights_ = AlignedBuffer<T>(stride_);
  weighs_windows_ = model.spec->train.weigh == LossWeighting::windows;
  for (const Observed& observed : model.observed)
    observes_fields_ |= model.columns[observed.column].shape == Shape::field;
  if (plan.estimator()) {
    estimator_.emplace(model, *plan.estimator(), networks, capacity, 1);
    bind_inputs(*estimator_);
  }
  if (plan.linearized()) {
    linearized_.emplace(model, *plan.linearized(), networks, capacity, 1);
    bind_inputs(*linearized_, Gradients::of_states);
  }
  if (plan.data()) make_data_stages(capacity, n_data_slots);
  if (plan.solution()) make_solution_stage(capacity);
  bind_inputs(sample_);
  bind_inputs(evaluation_);
  bind_inputs(output_);
  find_snapshot_inputs();
}

// Where a stage finds a value that it does not compute itself; a null gradient is wanted by nobody.
template <class T>
typename SampleBlock<T>::Place SampleBlock<T>::place_of(NodeId node) {
  const BoundModel& model = plan_->model();
  if (model.graph[node].operation == Operation::leaf) {
    const LeafRef& leaf = model.leaves[model.graph[node].leaf_id];
    switch (leaf.kind) {
      case LeafKind::parameter:
        return {data_.theta(leaf.index), grad_theta_.data() + leaf.index * stride_};
      case LeafKind::snapshot:
        return {data_.column(leaf.index, leaf.position), nullptr};
      case LeafKind::row:
        return {data_.column(leaf.index, 0), nullptr};
      case LeafKind::state:
        return {nullptr, grad_state_[leaf.index].data()};  // see bind_state
      case LeafKind::input:
        return {data_.input(leaf.index), nullptr};
      case LeafKind::time:
        return {data_.time(), nullptr};
      case LeafKind::start_time:
        return {data_.start_time(), nullptr};
      case LeafKind::learned_start:
        return {data_.learned_start(leaf.index, leaf.position),
                grad_starts_.data() + (leaf.index * model.start_width() + leaf.position) * stride_};
      case LeafKind::draw:
        return {data_.draw(leaf.index), model.draws[leaf.index] == Draw::adapted
                                            ? grad_draws_.data() + leaf.index * stride_
                                            : nullptr};
      case LeafKind::generated:
        return {data_.generated(), nullptr};
      case LeafKind::solved_state: {
        const std::size_t first = leaf.position * grad_state_[leaf.index].size();
        return {solved_[leaf.index].data() + first, grad_solved_[leaf.index].data() + first};
      }
      case LeafKind::at_snapshot:
        return {nullptr, nullptr};  // see bind_snapshot_inputs
      case LeafKind::network_output:
        break;
    }
  }
  if (model.graph[node].rate == Rate::solution) {
    const RegisterId r = *plan_->solution()->find(node);
    return {solution_->value(r), solution_->gradient(r)};
  }
  const RegisterId r = *plan_->sample().find(node);
  return {sample_.value(r), sample_.gradient(r)};
}

template <class T>
void SampleBlock<T>::bind_inputs(StageBlock<T>& stage, Gradients wanted) {
  const std::vector<NodeId>& inputs = stage.stage().inputs();
  const auto is_own_output = [&](std::size_t i) {
    for (const NetworkCall& call : stage.stage().calls())
      if (std::find(call.outputs.begin(), call.outputs.end(), i) != call.outputs.end()) return true;
    return false;
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (is_own_output(i)) continue;
    const Place place = place_of(inputs[i]);
    stage.frame().bind(i, place.value, wanted == Gradients::all ? place.gradient : nullptr);
  }
}

template <class T>
void SampleBlock<T>::load(const Samples<T>& samples, std::size_t first, std::size_t n,
                          std::size_t group_offset) {
  group_offset_ = group_offset;
  data_.load(samples, first, n);
  squared_error_.fill(0);
  loss_.fill(0);
  n_compared_.fill(0);
  n_measured_.fill(0);
  term_sums_.fill(0);
}

template <class T>
void SampleBlock<T>::take_estimated_parameters() {
  for (std::size_t p = 0; p < plan_->model().estimator.size(); ++p)
    std::copy_n(estimator_->value(plan_->estimator()->root(p)), n_samples(), data_.theta(p));
}

// Sample by sample: several may share their numbers.
template <class T>
void SampleBlock<T>::add_start_gradients(T* gradient) const {
  const std::size_t width = plan_->model().start_width();
  for (std::size_t which = 0; which < plan_->model().starts.size(); ++which)
    for (std::size_t i = 0; i < n_samples(); ++i) {
      const std::size_t slot = data_.start_slot(which, i);
      if (networks_->start(which, slot) == nullptr) continue;
      T* to = gradient + networks_->start_offset(which, slot);
      for (std::size_t k = 0; k < width; ++k) to[k] += grad_starts_[(which * width + k) * stride_ + i];
    }
}

template <class T>
void SampleBlock<T>::clear_gradients(bool needs_weights) {
  grad_theta_.fill(0);
  grad_draws_.fill(0);
  grad_starts_.fill(0);
  std::fill(grad_spreads_.begin(), grad_spreads_.end(), 0.0);
  sample_.clear_gradients();
  sample_.clear_weight_gradients(needs_weights);
  evaluation_.clear_weight_gradients(needs_weights);
  if (at_data_) at_data_->clear_weight_gradients(needs_weights);
  if (solution_) {
    solution_->clear_gradients();
    solution_->clear_weight_gradients(needs_weights);
  }
  for (AlignedBuffer<T>& gradient : grad_solved_) gradient.fill(0);
  if (estimator_) estimator_->clear_weight_gradients(needs_weights);
}

template <class T>
void SampleBlock<T>::add_weight_gradients(T* gradient) const {
  sample_.add_weight_gradients(gradient);
  evaluation_.add_weight_gradients(gradient);
  if (at_data_) at_data_->add_weight_gradients(gradient);
  if (solution_) solution_->add_weight_gradients(gradient);
  if (estimator_) estimator_->add_weight_gradients(gradient);
  add_start_gradients(gradient);
}

template <class T>
void SampleBlock<T>::start() {
  evaluation_.begin(n_samples());
  if (linearized_) linearized_->begin(n_samples());
  if (at_data_) at_data_->begin(n_samples());
  for (std::size_t m = 0; m < plan_->model().terms.size(); ++m) {
    if (!is_over(m, MeanOver::samples)) continue;
    const T* value = sample_.value(plan_->term(m));
    for (std::size_t i = 0; i < n_samples(); ++i)
      term_sums_[m * sum_stride_ + i] = static_cast<double>(value[i]);
  }
}

template <class T>
void SampleBlock<T>::weigh_sample_terms(const T* total_weights) {
  for (std::size_t i = 0; i < n_samples(); ++i) total_weights_[i] = total_weights[group_offset_ + i];
  for (std::size_t m = 0; m < plan_->model().terms.size(); ++m) {
    if (!is_over(m, MeanOver::samples)) continue;
    for (std::size_t i = 0; i < n_samples(); ++i)
      term_sums_[m * sum_stride_ + i] *= static_cast<double>(total_weights_[i]);
  }
}

template <class T>
void SampleBlock<T>::ensure_slots(std::size_t n_slots) {
  if (evaluation_.ensure_slots(n_slots))
    evaluation_.begin(n_samples());  // new tapes do not know the static inputs yet
}

template <class T>
void SampleBlock<T>::copy_initial(const StateLayout& layout, T* state) {
  for (std::size_t c = 0; c < layout.n_components(); ++c) {
    const auto to = slice(layout, c, state, group_offset_, n_samples());
    std::copy_n(sample_.value(plan_->initial(c)), to.size, to.begin);
  }
}

template <class T>
void SampleBlock<T>::bind_state(StageBlock<T>& stage, const StateLayout& layout, const T* state) {
  for (const StateInput& input : stage.stage().states()) {
    const auto values = slice(layout, input.state, state, group_offset_, n_samples());
    stage.frame().bind(input.where, values.begin, grad_state_[input.state].data());
  }
}

template <class T>
void SampleBlock<T>::enter(const EvaluationPoint<T>& at, const StateLayout& layout, const T* state) {
  if (state != nullptr) bind_state(evaluation_, layout, state);
  data_.move_to(at.interval, at.time + group_offset_);
  evaluation_.select(at.slot);
}

template <class T>
void SampleBlock<T>::enter_output(const OutputMoment<T>& at, const StateLayout& layout, const T* state) {
  bind_state(evaluation_, layout, state);
  move_to(at);
  evaluation_.select(0);
}

template <class T>
void SampleBlock<T>::copy_derivative(const StateLayout& layout, T* derivative) {
  for (std::size_t c = 0; c < layout.n_components(); ++c) {
    const auto to = slice(layout, c, derivative, group_offset_, n_samples());
    std::copy_n(evaluation_.value(plan_->derivative(c)), to.size, to.begin);
  }
}

template <class T>
void SampleBlock<T>::add_terms(const EvaluationPoint<T>& at) {
  const T* weight = at.weight + group_offset_;
  for (std::size_t m = 0; m < plan_->model().terms.size(); ++m) {
    if (!is_over(m, MeanOver::evaluations)) continue;
    add_weighted(n_samples(), weight, evaluation_.value(plan_->term(m)), term_sums_.data() + m * sum_stride_);
  }
}

template <class T>
void SampleBlock<T>::copy_terms(std::vector<AlignedBuffer<T>>& terms) {
  for (std::size_t m = 0, k = 0; m < plan_->model().terms.size() && k < terms.size(); ++m) {
    if (!is_over(m, MeanOver::evaluations)) continue;
    std::copy_n(evaluation_.value(plan_->term(m)), n_samples(), terms[k++].data() + group_offset_);
  }
}

template <class T>
void SampleBlock<T>::set_evaluation_gradients(const EvaluationPoint<T>& at, const StateLayout& layout,
                                              const T* grad_derivative, const Cotangents<T>& cotangents) {
  evaluation_.clear_gradients();
  for (AlignedBuffer<T>& gradient : grad_state_) gradient.fill(0);
  for (std::size_t c = 0; c < layout.n_components(); ++c) {
    const auto from = slice(layout, c, grad_derivative, group_offset_, n_samples());
    T* gradient = evaluation_.gradient(plan_->derivative(c));
    for (std::size_t i = 0; i < from.size; ++i) gradient[i] += from.begin[i];
  }
  const T* weight = at.weight + group_offset_;
  for (std::size_t m = 0; m < plan_->model().terms.size(); ++m) {
    if (!is_over(m, MeanOver::evaluations)) continue;
    T* gradient = evaluation_.gradient(plan_->term(m));
    const T* cotangent = cotangents.terms[m] + first_sample();
    for (std::size_t i = 0; i < n_samples(); ++i) gradient[i] += weight[i] * cotangent[i];
  }
}

template <class T>
void SampleBlock<T>::copy_state_gradient(const StateLayout& layout, T* grad_state) {
  for (std::size_t c = 0; c < layout.n_components(); ++c) {
    const auto to = slice(layout, c, grad_state, group_offset_, n_samples());
    std::copy_n(grad_state_[c].data(), to.size, to.begin);
  }
}

template <class T>
void SampleBlock<T>::linearize(const EvaluationPoint<T>& at, const StateLayout& layout, const T* state,
                               StateRows<T>& jacobian) {
  StageBlock<T>& stage = *linearized_;
  const std::vector<Action>& actions = stage.stage().actions();
  bind_state(stage, layout, state);
  data_.move_to(at.interval, at.time + group_offset_);
  // Gradients of static inputs gather in the tape.
  stage.clear_weight_gradients(false);
  for (const Action& action : actions) stage.forward(action, 0, n_samples());
  for (std::size_t c = 0, row = 0; c < layout.n_components(); ++c)
    for (std::size_t p = 0; p < layout.width(c); ++p, ++row) {
      stage.clear_gradients();
      for (AlignedBuffer<T>& gradient : grad_state_) gradient.fill(0);
      T* gradient = stage.gradient(stage.stage().root(c)) + p;
      for (std::size_t i = 0; i < n_samples(); ++i) gradient[i * layout.width(c)] += 1;
      for (std::size_t a = actions.size(); a > 0; --a) stage.backward(actions[a - 1], 0, n_samples());
      copy_state_gradient(layout, jacobian[row]);
    }
}

template <class T>
void SampleBlock<T>::set_sample_gradients(const StateLayout& layout, const T* grad_initial,
                                          const Cotangents<T>& cotangents) {
  evaluation_.end(n_samples());
  if (at_data_) at_data_->end(n_samples());
  if (!plan_->model().is_algebraic())
    for (std::size_t c = 0; c < layout.n_components(); ++c) {
      const auto from = slice(layout, c, grad_initial, group_offset_, n_samples());
      T* gradient = sample_.gradient(plan_->initial(c));
      for (std::size_t i = 0; i < from.size; ++i) gradient[i] += from.begin[i];
    }
  for (std::size_t m = 0; m < plan_->model().terms.size(); ++m) {
    if (!is_over(m, MeanOver::samples)) continue;
    T* gradient = sample_.gradient(plan_->term(m));
    // A sample that diverged has no weight, and takes no part.
    for (std::size_t i = 0; i < n_samples(); ++i)
      if (!std::isnan(total_weights_[i]))
        gradient[i] += cotangents.terms[m][first_sample() + i] * total_weights_[i];
  }
}

template <class T>
void SampleBlock<T>::set_estimator_gradients() {
  estimator_->clear_gradients();
  for (std::size_t p = 0; p < plan_->model().estimator.size(); ++p) {
    T* gradient = estimator_->gradient(plan_->estimator()->root(p));
    for (std::size_t i = 0; i < n_samples(); ++i) gradient[i] += grad_theta_[p * stride_ + i];
  }
}

template class SampleBlock<float>;
template class SampleBlock<double>;

}  // namespace greybox
