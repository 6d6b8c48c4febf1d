// The way back: gradients of the last batch.
#include "model/engine.hpp"

namespace greybox {

template <class T>
void Engine<T>::backward(const Samples<T>& samples, const Cotangents<T>& cotangents,
                         std::span<T> grad_weights, std::span<T> grad_theta, std::span<T> grad_draws) {
  const std::size_t n_parameters = model().spec->parameters.size(),
                    n_draws = model().has_adapted_draws() && !grad_draws.empty() ? model().draws.size() : 0;
  require(options_.is_differentiable, "Engine::backward needs an engine that is differentiable");
  require(samples.windows.size() == n_samples_, "Engine::backward takes the samples of the last forward");
  require(grad_weights.empty() || grad_weights.size() == n_weights(),
          "Engine::backward writes one number per weight, or none");
  require(grad_theta.size() >= n_samples_ * n_parameters,
          "Engine::backward writes samples × parameters gradients of θ");
  require(grad_draws.size() >= n_samples_ * n_draws,
          "Engine::backward writes samples × draws gradients of what adapts");
  require(cotangents.terms.size() == model().terms.size(),
          "Engine::backward takes cotangents for every term of the model");
  const bool needs_weights = !grad_weights.empty();
  const auto piece = [&](std::size_t g) { groups_[g]->backward(samples, cotangents, needs_weights); };
  for_groups(piece);
  if (needs_weights) add_weight_gradients(grad_weights);
  for_own_blocks([&](const SampleBlock<T>& block, std::size_t which) {
    for (std::size_t i = 0; i < block.n_samples(); ++i) {
      for (std::size_t p = 0; p < n_parameters; ++p)
        grad_theta[(block.first_sample() + i) * n_parameters + p] = block.parameter_gradient(p)[i];
      for (std::size_t d = 0; d < n_draws; ++d)
        grad_draws[(block.first_sample() + i) * n_draws + d] = block.draw_gradient(d)[i];
    }
    for (std::size_t o = 0; o < spreads_->size(); ++o)
      block_spreads_[which * spreads_->size() + o] = block.spread_gradient(o);
  });
  if (is_shared_)
    exchange_gradients(grad_theta.first(n_samples_ * n_parameters), grad_draws.first(n_samples_ * n_draws));
}

// Sums over blocks in block order: the same bits whoever computed them.
template <class T>
void Engine<T>::add_weight_gradients(std::span<T> grad_weights) {
  if (adds_once_ && !is_shared_)
    return for_own_blocks(
        [&](const SampleBlock<T>& block, std::size_t) { block.add_weight_gradients(grad_weights.data()); });
  sums_.begin(grad_weights, n_blocks_);
  for_own_blocks([&](const SampleBlock<T>& block, std::size_t) {
    block.add_weight_gradients(sums_.addends().data());
    sums_.put();
  });
  sums_.finish();
}

// In the order of blocks, like the gradients of weights.
template <class T>
double Engine<T>::noise_gradient(std::size_t observed) const {
  double gradient = 0;
  for (std::size_t b = 0; b < n_blocks_; ++b) gradient += block_spreads_[b * spreads_->size() + observed];
  return gradient;
}

template <class T>
const T* Engine<T>::initial_gradient(std::size_t state, std::size_t sample) const {
  require(sample < n_samples_ && state < model().states.size(),
          "Engine::initial_gradient is asked for a sample or state that is not there");
  for (std::size_t g = 0; g < n_active_; ++g)
    if (const BatchPart part = part_of(g);
        sample >= part.first_sample(n_samples_) && sample < part.end_sample(n_samples_))
      return groups_[g]->initial_gradient(state, sample - part.first_sample(n_samples_));
  fail_requirement("Engine::initial_gradient is asked for a sample of another process");
}

template void Engine<float>::add_weight_gradients(std::span<float>);
template void Engine<double>::add_weight_gradients(std::span<double>);
template void Engine<float>::backward(const Samples<float>&, const Cotangents<float>&, std::span<float>,
                                      std::span<float>, std::span<float>);
template double Engine<float>::noise_gradient(std::size_t) const;
template const float* Engine<float>::initial_gradient(std::size_t, std::size_t) const;
template void Engine<double>::backward(const Samples<double>&, const Cotangents<double>&, std::span<double>,
                                       std::span<double>, std::span<double>);
template double Engine<double>::noise_gradient(std::size_t) const;
template const double* Engine<double>::initial_gradient(std::size_t, std::size_t) const;

}  // namespace greybox
