// What a block computes of the solution as a whole, once all observed snapshots of it are there.
#include <algorithm>
#include <cmath>

#include "model/sample_block.hpp"

namespace greybox {

template <class T>
void SampleBlock<T>::make_solution_stage(std::size_t capacity) {
  const BoundModel& model = plan_->model();
  const std::size_t observed = model.spec->data.window.observed;
  for (const AlignedBuffer<T>& state : grad_state_)
    for (auto* values : {&solved_, &grad_solved_}) values->emplace_back(observed * state.size());
  solution_.emplace(model, *plan_->solution(), *networks_, capacity, 1);
  bind_inputs(*solution_);
}

template <class T>
void SampleBlock<T>::find_snapshot_inputs() {
  const BoundModel& model = plan_->model();
  const std::vector<NodeId>& inputs = plan_->output().inputs();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Node& node = model.graph[inputs[i]];
    if (node.operation != Operation::leaf) continue;
    const LeafRef& leaf = model.leaves[node.leaf_id];
    if (leaf.kind != LeafKind::at_snapshot) continue;
    SnapshotInput input{i, {}};
    for (NodeId part : model.snapshot_vectors[leaf.index]) input.places.push_back(place_of(part));
    snapshot_inputs_.push_back(std::move(input));
  }
}

template <class T>
void SampleBlock<T>::bind_snapshot_inputs(std::size_t snapshot) {
  for (const SnapshotInput& input : snapshot_inputs_) {
    const Place& place = input.places[std::min(snapshot, input.places.size() - 1)];
    output_.frame().bind(input.where, place.value, place.gradient);
  }
}

template <class T>
void SampleBlock<T>::take_solved(std::size_t snapshot, const StateLayout& layout, const T* values) {
  for (std::size_t s = 0; s < solved_.size(); ++s)
    std::copy_n(state(layout, s, values), n_samples() * layout.width(s),
                solved_[s].data() + snapshot * grad_state_[s].size());
}

// They count as often as the evaluations that led there.
template <class T>
void SampleBlock<T>::add_solution_terms() {
  for (std::size_t m = 0; m < plan_->model().terms.size(); ++m) {
    if (!is_over(m, MeanOver::solutions)) continue;
    const T* value = solution_->value(plan_->term(m));
    for (std::size_t i = 0; i < n_samples(); ++i)
      term_sums_[m * sum_stride_ + i] =
          static_cast<double>(value[i]) * static_cast<double>(total_weights_[i]);
  }
}

template <class T>
void SampleBlock<T>::set_solution_gradients(const Cotangents<T>& cotangents) {
  for (std::size_t m = 0; m < plan_->model().terms.size(); ++m) {
    if (!is_over(m, MeanOver::solutions)) continue;
    T* gradient = solution_->gradient(plan_->term(m));
    for (std::size_t i = 0; i < n_samples(); ++i)
      if (!std::isnan(total_weights_[i]))
        gradient[i] += cotangents.terms[m][first_sample() + i] * total_weights_[i];
  }
}

template <class T>
void SampleBlock<T>::add_solved_gradients(std::size_t snapshot, const StateLayout& layout,
                                          T* grad_state) const {
  for (std::size_t s = 0; s < grad_solved_.size(); ++s) {
    const T* from = grad_solved_[s].data() + snapshot * grad_state_[s].size();
    T* to = grad_state + layout.offset(s) + group_offset_ * layout.width(s);
    for (std::size_t i = 0; i < n_samples() * layout.width(s); ++i) to[i] += from[i];
  }
}

template void SampleBlock<float>::make_solution_stage(std::size_t);
template void SampleBlock<double>::make_solution_stage(std::size_t);
template void SampleBlock<float>::find_snapshot_inputs();
template void SampleBlock<double>::find_snapshot_inputs();
template void SampleBlock<float>::bind_snapshot_inputs(std::size_t);
template void SampleBlock<double>::bind_snapshot_inputs(std::size_t);
template void SampleBlock<float>::take_solved(std::size_t, const StateLayout&, const float*);
template void SampleBlock<double>::take_solved(std::size_t, const StateLayout&, const double*);
template void SampleBlock<float>::add_solution_terms();
template void SampleBlock<double>::add_solution_terms();
template void SampleBlock<float>::set_solution_gradients(const Cotangents<float>&);
template void SampleBlock<double>::set_solution_gradients(const Cotangents<double>&);
template void SampleBlock<float>::add_solved_gradients(std::size_t, const StateLayout&, float*) const;
template void SampleBlock<double>::add_solved_gradients(std::size_t, const StateLayout&, double*) const;

}  // namespace greybox
