#include "model/window_regularizer.hpp"

#include <algorithm>

#include "core/require.hpp"

namespace greybox {

template <class T>
WindowRegularizer<T>::WindowRegularizer(std::shared_ptr<const BoundModel> model, std::size_t regularizer,
                                        std::size_t capacity)
    : regularizer_(regularizer),
      regularizers_(model, 1),
      means_(model->terms.size()),
      grad_means_(means_.size()),
      values_(capacity),
      loss_cotangents_(capacity),
      term_cotangents_(means_.size(), std::vector<T>(capacity)) {
  for (const std::vector<T>& term : term_cotangents_) term_pointers_.push_back(term.data());
  cotangents_ = {loss_cotangents_.data(), term_pointers_};
}

template <class T>
std::size_t WindowRegularizer<T>::n_samples(const Engine<T>& engine) const {
  const std::size_t n = engine.outcomes().size();
  require(n <= values_.size(), "the batch has more samples than WindowRegularizer's capacity");
  return n;
}

template <class T>
double WindowRegularizer<T>::value_of(const Engine<T>& engine, std::size_t sample) {
  for (std::size_t m = 0; m < means_.size(); ++m)
    means_[m] = engine.term_sums(m)[sample] / engine.term_weights(m)[sample];
  regularizers_.evaluate(means_.data(), 1, 1);
  return regularizers_.values(regularizer_)[0];
}

template <class T>
std::span<const double> WindowRegularizer<T>::evaluate(const Engine<T>& engine) {
  const std::size_t n = n_samples(engine);
  for (std::size_t i = 0; i < n; ++i) values_[i] = value_of(engine, i);
  return {values_.data(), n};
}

template <class T>
std::span<const double> WindowRegularizer<T>::evaluate_with_cotangents(const Engine<T>& engine) {
  const std::size_t n = n_samples(engine);
  for (std::size_t i = 0; i < n; ++i) {
    values_[i] = value_of(engine, i);
    std::fill(grad_means_.begin(), grad_means_.end(), 0.0);
    regularizers_.gradient(regularizer_, grad_means_);
    for (std::size_t m = 0; m < means_.size(); ++m)
      term_cotangents_[m][i] =
          static_cast<T>(grad_means_[m] / engine.term_weights(m)[i] / static_cast<double>(n));
  }
  return {values_.data(), n};
}

template <class T>
void WindowRegularizer<T>::weigh(std::span<const double> factors) {
  for (std::vector<T>& of_term : term_cotangents_)
    for (std::size_t i = 0; i < factors.size(); ++i)
      of_term[i] = static_cast<T>(factors[i] * static_cast<double>(of_term[i]));
}

template class WindowRegularizer<float>;
template class WindowRegularizer<double>;

}  // namespace greybox
