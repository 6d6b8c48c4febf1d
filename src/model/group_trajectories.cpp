// What a prediction keeps of the values at its output times, block by block.
#include <algorithm>

#include "model/group.hpp"

namespace greybox {

namespace {

// Values of a block's samples at one output time, at their places among all windows.
template <class T>
struct KeptOutput {
  const SampleBlock<T>& block;
  std::size_t first_window, n_outputs, output;

  void keep(const T* values, std::size_t points, std::vector<T>& kept) const {
    for (std::size_t i = 0; i < block.n_samples(); ++i) {
      const std::size_t sample = first_window + block.first_sample() + i;
      std::copy_n(values + i * points, points, kept.data() + (sample * n_outputs + output) * points);
    }
  }
};

}  // namespace

template <class T>
void Group<T>::keep_observed(Trajectories<T>& trajectories, SampleBlock<T>& block, std::size_t output) {
  const Stage& stage = plan_->output();
  const KeptOutput<T> at{block, trajectories.first, n_outputs_, output};
  for (std::size_t o = 0; o < trajectories.observed.size(); ++o) {
    const std::size_t points = plan_->model().points(stage.program().shape(stage.root(o)));
    at.keep(block.observed(o), points, trajectories.observed[o]);
    if (!trajectories.spreads.empty() && plan_->spread(o))
      at.keep(block.spread(o), points, trajectories.spreads[o]);
  }
}

template <class T>
void Group<T>::keep_parts(Trajectories<T>& trajectories, SampleBlock<T>& block, std::size_t output) {
  StageBlock<T>& stage = block.evaluation();
  const KeptOutput<T> at{block, trajectories.first, n_outputs_, output};
  for (std::size_t s = 0; s < plan_->model().states.size(); ++s) {
    const std::size_t points = layout_.width(s);
    if (!trajectories.theory.empty()) at.keep(stage.value(plan_->theory(s)), points, trajectories.theory[s]);
    if (!trajectories.network.empty())
      at.keep(stage.value(plan_->network(s)), points, trajectories.network[s]);
    if (!trajectories.derivative.empty())
      at.keep(stage.value(plan_->derivative(s)), points, trajectories.derivative[s]);
    if (!trajectories.state.empty())
      at.keep(block.state(layout_, s, output_state(output)), points, trajectories.state[s]);
  }
}

template <class T>
void Group<T>::keep_latents(Trajectories<T>& trajectories, SampleBlock<T>& block) {
  for (std::size_t l = 0; l < trajectories.latents.size(); ++l) {
    const std::size_t n = plan_->model().latents[l].value.size();
    for (std::size_t c = 0; c < n; ++c) {
      const KeptOutput<T> at{block, trajectories.first, n, c};
      at.keep(block.sample().value(plan_->latent(l, c)), 1, trajectories.latents[l]);
    }
  }
}

template <class T>
void Group<T>::keep_initial(Trajectories<T>& trajectories, SampleBlock<T>& block) {
  const KeptOutput<T> at{block, trajectories.first, 1, 0};
  for (std::size_t s = 0; s < trajectories.initial.size(); ++s)
    at.keep(block.state(layout_, s, initial_.data()), layout_.width(s), trajectories.initial[s]);
  for (std::size_t s = 0; s < trajectories.initial_derivative.size(); ++s)
    at.keep(block.evaluation().value(plan_->derivative(s)), layout_.width(s),
            trajectories.initial_derivative[s]);
}

template void Group<float>::keep_observed(Trajectories<float>&, SampleBlock<float>&, std::size_t);
template void Group<double>::keep_observed(Trajectories<double>&, SampleBlock<double>&, std::size_t);
template void Group<float>::keep_latents(Trajectories<float>&, SampleBlock<float>&);
template void Group<double>::keep_latents(Trajectories<double>&, SampleBlock<double>&);
template void Group<float>::keep_initial(Trajectories<float>&, SampleBlock<float>&);
template void Group<double>::keep_initial(Trajectories<double>&, SampleBlock<double>&);
template void Group<float>::keep_parts(Trajectories<float>&, SampleBlock<float>&, std::size_t);
template void Group<double>::keep_parts(Trajectories<double>&, SampleBlock<double>&, std::size_t);

}  // namespace greybox
