// Setting up a block and loading its samples.
#include "model/block.hpp"

#include <algorithm>

namespace greybox {

template <class T>
Block<T>::Block(const ExecutionPlan& plan, const NetworkSet<T>& networks, std::size_t capacity, std::size_t n_times,
                std::size_t n_slots)
    : plan_(&plan),
      capacity_(capacity),
      n_times_(n_times),
      stride_(padded<T>(capacity)),
      sample_(plan.model(), plan.sample(), networks, capacity, 1),
      evaluation_(plan.model(), plan.evaluation(), networks, capacity, n_slots),
      output_(plan.model(), plan.output(), networks, capacity, 1) {
  const BoundModel& model = plan.model();
  const std::size_t n_parameters = model.spec->parameters.size();
  theta_ = AlignedBuffer<T>(n_parameters * stride_);
  grad_theta_ = AlignedBuffer<T>(n_parameters * stride_);
  start_time_ = AlignedBuffer<T>(stride_);
  time_ = AlignedBuffer<T>(stride_);
  times_ = AlignedBuffer<T>(n_times * capacity);
  n_times_of_.resize(capacity);
  inputs_ = AlignedBuffer<T>(model.input_columns.size() * stride_);
  for (const ModelColumn& wanted : model.columns) {
    column_strides_.push_back(padded<T>(capacity * model.points(wanted.shape)));
    columns_.emplace_back(n_times * column_strides_.back());
  }
  for (const BoundState& state : model.states) {
    state_.emplace_back(padded<T>(capacity * model.points(state.shape)));
    grad_state_.emplace_back(padded<T>(capacity * model.points(state.shape)));
  }
  squared_error_.resize(capacity);
  n_compared_.resize(capacity);
  term_sums_.resize(capacity * model.terms.size());
  if (plan.estimator()) {
    estimator_.emplace(model, *plan.estimator(), networks, capacity, 1);
    bind_inputs(*estimator_);
  }
  bind_inputs(sample_);
  bind_inputs(evaluation_);
  bind_inputs(output_);
}

// Where a stage finds a value that it does not compute itself; a null gradient is wanted by nobody.
template <class T>
typename Block<T>::Place Block<T>::place_of(NodeId node) {
  const BoundModel& model = plan_->model();
  if (model.graph[node].operation == Operation::leaf) {
    const LeafRef& leaf = model.leaves[model.graph[node].leaf_id];
    switch (leaf.kind) {
      case LeafKind::parameter:
        return {theta_.data() + leaf.index * stride_, grad_theta_.data() + leaf.index * stride_};
      case LeafKind::snapshot:
        return {column(leaf.index, leaf.position), nullptr};
      case LeafKind::row:
        return {column(leaf.index, 0), nullptr};
      case LeafKind::state:
        return {state_[leaf.index].data(), grad_state_[leaf.index].data()};
      case LeafKind::input:
        return {inputs_.data() + leaf.index * stride_, nullptr};
      case LeafKind::time:
        return {time_.data(), nullptr};
      case LeafKind::start_time:
        return {start_time_.data(), nullptr};
      case LeafKind::network_output:
        break;
    }
  }
  const RegisterId r = *plan_->sample().find(node);
  return {sample_.value(r), sample_.gradient(r)};
}

template <class T>
void Block<T>::bind_inputs(StageBlock<T>& stage) {
  const std::vector<NodeId>& inputs = stage.stage().inputs();
  const auto is_own_output = [&](std::size_t i) {
    for (const NetworkCall& call : stage.stage().calls())
      if (std::find(call.outputs.begin(), call.outputs.end(), i) != call.outputs.end()) return true;
    return false;
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (is_own_output(i)) continue;
    const Place place = place_of(inputs[i]);
    stage.frame().bind(i, place.value, place.gradient);
  }
}

template <class T>
void Block<T>::load(const Samples<T>& samples, std::size_t first, std::size_t n, std::size_t group_offset) {
  first_sample_ = first;
  n_samples_ = n;
  group_offset_ = group_offset;
  const std::size_t n_parameters = plan_->model().spec->parameters.size();
  if (!samples.theta.empty())
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t p = 0; p < n_parameters; ++p)
        theta_[p * stride_ + i] = samples.theta[(first + i) * n_parameters + p];
  load_times(samples);
  for (std::size_t c = 0; c < columns_.size(); ++c) load_column(c, samples);
  std::fill_n(squared_error_.begin(), n, 0.0);
  std::fill_n(n_compared_.begin(), n, 0.0);
  std::fill(term_sums_.begin(), term_sums_.end(), 0.0);
}

template <class T>
void Block<T>::load_times(const Samples<T>& samples) {
  const std::vector<double>& clock = samples.data->table->time;
  for (std::size_t i = 0; i < n_samples_; ++i) {
    const Window& window = samples.data->windows[samples.windows[first_sample_ + i]];
    n_times_of_[i] = window.n_rows;
    start_time_[i] = static_cast<T>(clock[window.first_row]);
    for (std::size_t k = 0; k < n_times_; ++k) {
      const std::size_t row = window.first_row + std::min(k, window.n_rows - 1);
      times_[k * capacity_ + i] = static_cast<T>(clock[row] - clock[window.first_row]);
    }
  }
}

// Snapshots after the window's last repeat it: they are finite and never compared with anything.
template <class T>
void Block<T>::load_column(std::size_t which, const Samples<T>& samples) {
  const Column& source = *samples.data->columns[which];
  const std::size_t points = source.points();
  const auto copy = [&](const auto& values) {
    for (std::size_t i = 0; i < n_samples_; ++i) {
      const Window& window = samples.data->windows[samples.windows[first_sample_ + i]];
      for (std::size_t k = 0; k < n_times_; ++k) {
        const auto* from = values.data() + (window.first_row + std::min(k, window.n_rows - 1)) * points;
        T* to = column(which, k) + i * points;
        for (std::size_t p = 0; p < points; ++p) to[p] = static_cast<T>(from[p]);
      }
    }
  };
  std::visit(copy, source.values);
}

template <class T>
void Block<T>::take_estimated_parameters() {
  for (std::size_t p = 0; p < plan_->model().estimator.size(); ++p)
    std::copy_n(estimator_->value(plan_->estimator()->root(p)), n_samples_, theta_.data() + p * stride_);
}

template <class T>
void Block<T>::clear_gradients() {
  grad_theta_.fill(0);
  sample_.clear_gradients(n_samples_);
  sample_.clear_weight_gradients();
  evaluation_.clear_weight_gradients();
  if (estimator_) estimator_->clear_weight_gradients();
}

template <class T>
void Block<T>::add_weight_gradients(T* gradient) const {
  sample_.add_weight_gradients(gradient);
  evaluation_.add_weight_gradients(gradient);
  if (estimator_) estimator_->add_weight_gradients(gradient);
}

template class Block<float>;
template class Block<double>;

}  // namespace greybox
