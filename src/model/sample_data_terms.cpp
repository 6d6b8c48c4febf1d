// Means over the data: terms at the states that the columns of a snapshot say, instead of predicted ones.
#include <algorithm>
#include <cmath>

#include "model/sample_block.hpp"
#include "model/sum_kernels.hpp"

namespace greybox {

template <class T>
void SampleBlock<T>::make_data_stages(std::size_t capacity, std::size_t n_slots) {
  const BoundModel& model = plan_->model();
  measured_.emplace(model, *plan_->measured(), *networks_, capacity, 1);
  at_data_.emplace(model, *plan_->data(), *networks_, capacity, n_slots);
  for (const std::size_t state : plan_->measured_states())
    measured_states_.emplace_back(padded<T>(capacity * model.points(model.states[state].shape)));
  data_weights_ = AlignedBuffer<T>(stride_);
  data_clock_ = AlignedBuffer<T>(stride_);
  n_measured_ = AlignedBuffer<double>(sum_stride_);
  bind_inputs(*measured_);
  bind_inputs(*at_data_);
  for (std::size_t s = 0; s < measured_states_.size(); ++s) {
    const StateInput& input = plan_->data()->states()[s];
    at_data_->frame().bind(input.where, measured_states_[s].data(), grad_state_[input.state].data());
  }
}

// What a start reads of the first snapshot is read of this one; what it calls the clock is the time there.
template <class T>
void SampleBlock<T>::bind_measured(std::size_t snapshot) {
  const BoundModel& model = plan_->model();
  const std::vector<NodeId>& inputs = plan_->measured()->inputs();
  for (std::size_t i = 0; i < n_samples(); ++i)
    data_clock_[i] = data_.start_time()[i] + data_.snapshot_times(snapshot)[i];
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const LeafRef& leaf = model.leaves[model.graph[inputs[i]].leaf_id];
    if (leaf.kind == LeafKind::snapshot)
      measured_->frame().bind(i, data_.column(leaf.index, snapshot), nullptr);
    if (leaf.kind == LeafKind::start_time) measured_->frame().bind(i, data_clock_.data(), nullptr);
  }
  measured_->recompute(n_samples());
}

// A sample whose state was not measured has no weight; it stands at its start, where all is finite.
template <class T>
void SampleBlock<T>::take_measured(std::size_t snapshot) {
  const BoundModel& model = plan_->model();
  for (std::size_t i = 0; i < n_samples(); ++i) data_weights_[i] = snapshot < data_.n_times(i) ? 1 : 0;
  for (std::size_t s = 0; s < measured_states_.size(); ++s) {
    const std::size_t state = plan_->measured_states()[s], points = model.points(model.states[state].shape);
    const T* from = measured_->value(plan_->measured()->root(s));
    std::copy_n(from, n_samples() * points, measured_states_[s].data());
    for (std::size_t i = 0; i < n_samples(); ++i)
      if (!std::all_of(from + i * points, from + (i + 1) * points, [](T x) { return std::isfinite(x); }))
        data_weights_[i] = 0;
  }
  for (std::size_t s = 0; s < measured_states_.size(); ++s) {
    const std::size_t state = plan_->measured_states()[s], points = model.points(model.states[state].shape);
    const T* initial = sample_.value(plan_->initial(state));
    for (std::size_t i = 0; i < n_samples(); ++i)
      if (data_weights_[i] == 0)
        std::copy_n(initial + i * points, points, measured_states_[s].data() + i * points);
  }
}

template <class T>
void SampleBlock<T>::enter_data(std::size_t snapshot, std::size_t slot) {
  bind_measured(snapshot);
  take_measured(snapshot);
  data_.move_to_snapshot(snapshot);
  at_data_->select(slot);
}

template <class T>
void SampleBlock<T>::add_data_terms() {
  for (std::size_t i = 0; i < n_samples(); ++i) n_measured_[i] += static_cast<double>(data_weights_[i]);
  for (std::size_t m = 0; m < plan_->model().terms.size(); ++m)
    if (is_over(m, MeanOver::data))
      add_weighted(n_samples(), data_weights_.data(), at_data_->value(plan_->term(m)),
                   term_sums_.data() + m * sum_stride_);
}

template <class T>
void SampleBlock<T>::set_data_gradients(const Cotangents<T>& cotangents) {
  at_data_->clear_gradients();
  for (AlignedBuffer<T>& gradient : grad_state_) gradient.fill(0);
  for (std::size_t m = 0; m < plan_->model().terms.size(); ++m) {
    if (!is_over(m, MeanOver::data)) continue;
    T* gradient = at_data_->gradient(plan_->term(m));
    const T* cotangent = cotangents.terms[m] + first_sample();
    for (std::size_t i = 0; i < n_samples(); ++i) gradient[i] += data_weights_[i] * cotangent[i];
  }
}

template <class T>
void SampleBlock<T>::pull_back_measured() {
  const BoundModel& model = plan_->model();
  measured_->clear_gradients();
  for (std::size_t s = 0; s < measured_states_.size(); ++s) {
    const std::size_t state = plan_->measured_states()[s], points = model.points(model.states[state].shape);
    T* gradient = measured_->gradient(plan_->measured()->root(s));
    for (std::size_t i = 0; i < n_samples(); ++i)
      for (std::size_t p = i * points; p < (i + 1) * points && data_weights_[i] != 0; ++p)
        gradient[p] += grad_state_[state][p];
  }
  const std::vector<Action>& actions = plan_->measured()->actions();
  for (std::size_t a = actions.size(); a > 0; --a) measured_->backward(actions[a - 1], 0, n_samples());
}

template void SampleBlock<float>::make_data_stages(std::size_t, std::size_t);
template void SampleBlock<double>::make_data_stages(std::size_t, std::size_t);
template void SampleBlock<float>::bind_measured(std::size_t);
template void SampleBlock<double>::bind_measured(std::size_t);
template void SampleBlock<float>::take_measured(std::size_t);
template void SampleBlock<double>::take_measured(std::size_t);
template void SampleBlock<float>::enter_data(std::size_t, std::size_t);
template void SampleBlock<double>::enter_data(std::size_t, std::size_t);
template void SampleBlock<float>::add_data_terms();
template void SampleBlock<double>::add_data_terms();
template void SampleBlock<float>::set_data_gradients(const Cotangents<float>&);
template void SampleBlock<double>::set_data_gradients(const Cotangents<double>&);
template void SampleBlock<float>::pull_back_measured();
template void SampleBlock<double>::pull_back_measured();

}  // namespace greybox
