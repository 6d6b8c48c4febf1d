// What a prediction keeps of the values at its output times, block by block.
#include <algorithm>

#include "model/group.hpp"

namespace greybox {

template <class T>
void Group<T>::keep(const SampleBlock<T>& block, const T* values, std::size_t points, std::size_t output,
                    std::size_t first, std::vector<T>& kept) const {
  for (std::size_t i = 0; i < block.n_samples(); ++i) {
    const std::size_t sample = first + block.first_sample() + i;
    std::copy_n(values + i * points, points, kept.data() + (sample * n_outputs_ + output) * points);
  }
}

template <class T>
void Group<T>::keep_observed(Trajectories<T>& trajectories, SampleBlock<T>& block, std::size_t output) {
  const Stage& stage = plan_->output();
  for (std::size_t o = 0; o < trajectories.observed.size(); ++o) {
    const std::size_t points = plan_->model().points(stage.program().shape(stage.root(o)));
    keep(block, block.observed(o), points, output, trajectories.first, trajectories.observed[o]);
  }
}

template <class T>
void Group<T>::keep_parts(Trajectories<T>& trajectories, SampleBlock<T>& block, std::size_t output) {
  StageBlock<T>& stage = block.evaluation();
  for (std::size_t s = 0; s < trajectories.theory.size(); ++s) {
    const std::size_t points = layout_.width(s), first = trajectories.first;
    keep(block, stage.value(plan_->theory(s)), points, output, first, trajectories.theory[s]);
    keep(block, stage.value(plan_->network(s)), points, output, first, trajectories.network[s]);
  }
}

template void Group<float>::keep_observed(Trajectories<float>&, SampleBlock<float>&, std::size_t);
template void Group<double>::keep_observed(Trajectories<double>&, SampleBlock<double>&, std::size_t);
template void Group<float>::keep_parts(Trajectories<float>&, SampleBlock<float>&, std::size_t);
template void Group<double>::keep_parts(Trajectories<double>&, SampleBlock<double>&, std::size_t);

}  // namespace greybox
