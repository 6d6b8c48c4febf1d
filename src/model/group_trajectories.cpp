// What a prediction keeps of the values at its output times, block by block.
#include <algorithm>

#include "model/group.hpp"

namespace greybox {

template <class T>
void Group<T>::keep_observed(Trajectories<T>& trajectories, SampleBlock<T>& block, std::size_t output) {
  const Stage& stage = plan_->output();
  const auto sample = [&](std::size_t i) { return trajectories.first + block.first_sample() + i; };
  for (std::size_t o = 0; o < trajectories.observed.size(); ++o) {
    const std::size_t points = plan_->model().points(stage.program().shape(stage.root(o)));
    for (std::size_t i = 0; i < block.n_samples(); ++i)
      std::copy_n(block.observed(o) + i * points, points,
                  trajectories.observed[o].data() + (sample(i) * n_outputs_ + output) * points);
  }
}

template <class T>
void Group<T>::keep_parts(Trajectories<T>& trajectories, SampleBlock<T>& block, std::size_t output) {
  const auto keep = [&](const T* values, std::size_t points, std::vector<T>& kept) {
    for (std::size_t i = 0; i < block.n_samples(); ++i)
      std::copy_n(
          values + i * points, points,
          kept.data() + ((trajectories.first + block.first_sample() + i) * n_outputs_ + output) * points);
  };
  for (std::size_t s = 0; s < trajectories.theory.size(); ++s) {
    keep(block.evaluation().value(plan_->theory(s)), layout_.width(s), trajectories.theory[s]);
    keep(block.evaluation().value(plan_->network(s)), layout_.width(s), trajectories.network[s]);
  }
}

template void Group<float>::keep_observed(Trajectories<float>&, SampleBlock<float>&, std::size_t);
template void Group<double>::keep_observed(Trajectories<double>&, SampleBlock<double>&, std::size_t);
template void Group<float>::keep_parts(Trajectories<float>&, SampleBlock<float>&, std::size_t);
template void Group<double>::keep_parts(Trajectories<double>&, SampleBlock<double>&, std::size_t);

}  // namespace greybox
