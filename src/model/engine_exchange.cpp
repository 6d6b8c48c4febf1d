// What processes that share a batch tell each other: results and gradients of their own samples.
#include <algorithm>
#include <array>

#include "model/engine.hpp"

namespace greybox {

template <class T>
std::span<const std::size_t> Engine<T>::begins_of_samples(std::size_t n_bytes) {
  const std::size_t n_ranks = others_->size();
  for (std::size_t r = 0; r <= n_ranks; ++r) {
    const BatchPart from_rank{
        std::max<std::size_t>(n_blocks_, 1), {share_of(r, n_ranks, n_blocks_).first, 0}, nullptr};
    begins_[r] = from_rank.first_sample(n_samples_) * n_bytes;
  }
  return begins_;
}

// Sample by sample, so that those of a process lie together.
template <class T>
void Engine<T>::exchange_results(bool estimates_theta) {
  const std::array results = {&losses_,       &loss_weights_,       &squared_errors_, &n_compared_,
                              &data_weights_, &evaluation_weights_, &stopped_at_};
  const std::size_t n_terms = model().terms.size(),
                    n_theta = estimates_theta ? model().spec->parameters.size() : 0,
                    stride = results.size() + n_terms + 1 + n_theta;
  if (exchanged_.size() < options_.capacity * stride) exchanged_.resize(options_.capacity * stride);
  // f(number that travels, where it belongs)
  const auto for_numbers = [&](std::size_t i, auto&& f) {
    double* number = exchanged_.data() + i * stride;
    for (std::vector<double>* of_all : results) f(*number++, (*of_all)[i]);
    for (std::size_t m = 0; m < n_terms; ++m) f(*number++, term_sums_[m * options_.capacity + i]);
    f(*number++, outcomes_[i]);
    for (std::size_t p = 0; p < n_theta; ++p) f(*number++, theta_[i * n_theta + p]);
  };
  const std::span<const std::size_t> begins = begins_of_samples(stride * sizeof(double));
  const std::size_t rank = others_->rank(), first = begins[rank] / (stride * sizeof(double)),
                    end = begins[rank + 1] / (stride * sizeof(double));
  for (std::size_t i = first; i < end; ++i)
    for_numbers(i, [](double& number, const auto& value) { number = static_cast<double>(value); });
  others_->exchange(std::as_writable_bytes(std::span(exchanged_).first(n_samples_ * stride)), begins);
  for (std::size_t i = 0; i < n_samples_; ++i)
    if (i < first || i >= end)
      for_numbers(i, []<class V>(double number, V& value) {
        if constexpr (std::is_enum_v<V>)
          value = static_cast<V>(static_cast<int>(number));
        else
          value = static_cast<V>(number);
      });
}

template <class T>
void Engine<T>::exchange_gradients(std::span<T> grad_theta, std::span<T> grad_draws) {
  const std::size_t n_parameters = model().spec->parameters.size();
  if (n_parameters > 0)
    others_->exchange(std::as_writable_bytes(grad_theta), begins_of_samples(n_parameters * sizeof(T)));
  if (!grad_draws.empty())
    others_->exchange(std::as_writable_bytes(grad_draws),
                      begins_of_samples(model().draws.size() * sizeof(T)));
  if (!model().has_noise()) return;
  for (std::size_t r = 0; r <= others_->size(); ++r)
    begins_[r] = share_of(r, others_->size(), n_blocks_).first * spreads_->size() * sizeof(double);
  others_->exchange(std::as_writable_bytes(std::span(block_spreads_).first(n_blocks_ * spreads_->size())),
                    begins_);
}

template std::span<const std::size_t> Engine<float>::begins_of_samples(std::size_t);
template std::span<const std::size_t> Engine<double>::begins_of_samples(std::size_t);
template void Engine<float>::exchange_results(bool);
template void Engine<double>::exchange_results(bool);
template void Engine<float>::exchange_gradients(std::span<float>, std::span<float>);
template void Engine<double>::exchange_gradients(std::span<double>, std::span<double>);

}  // namespace greybox
