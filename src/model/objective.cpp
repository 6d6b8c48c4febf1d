#include "model/objective.hpp"

#include <algorithm>
#include <cmath>

namespace greybox {

template <class T>
Objective<T>::Objective(std::shared_ptr<const BoundModel> model, const ObjectiveOptions& options,
                        std::size_t capacity)
    : model_(std::move(model)), options_(options), regularizers_(model_, 1) {
  const std::size_t n_terms = model_->terms.size();
  means_.resize(n_terms);
  weights_.resize(n_terms);
  grad_means_.resize(n_terms);
  loss_seeds_.resize(capacity);
  term_seeds_.assign(n_terms, std::vector<T>(capacity));
  for (const std::vector<T>& term : term_seeds_) term_pointers_.push_back(term.data());
  seeds_ = {loss_seeds_.data(), term_pointers_};
}

template <class T>
bool Objective<T>::Values::is_finite() const {
  return std::isfinite(total);
}

template <class T>
typename Objective<T>::Values Objective<T>::evaluate(const Engine<T>& engine, const ObjectiveRanges& ranges) {
  Values values;
  double squared_error = 0;
  n_compared_ = 0;
  for (std::size_t i = 0; i < ranges.n_loss; ++i) {
    squared_error += engine.squared_errors()[i];
    n_compared_ += engine.n_compared()[i];
  }
  values.loss = n_compared_ > 0 ? squared_error / n_compared_ : 0;
  for (std::size_t m = 0; m < means_.size(); ++m) {
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < ranges.n_regularizer; ++i) {
      sum += engine.term_sums(m)[i];
      weight += engine.term_weights(m)[i];
    }
    means_[m] = sum / weight;
    weights_[m] = weight;
  }
  values.total = options_.loss_weight * values.loss;
  if (options_.regularizer) {
    regularizers_.evaluate(means_.data(), 1, 1);
    values.regularizer = regularizers_.values(*options_.regularizer)[0];
    if (options_.lambda != 0) values.total += options_.lambda * values.regularizer;
  }
  return values;
}

template <class T>
const Seeds<T>& Objective<T>::seeds(const Engine<T>& engine, const ObjectiveRanges& ranges) {
  const std::size_t n = engine.squared_errors().size();
  const double loss_seed = n_compared_ > 0 ? options_.loss_weight / n_compared_ : 0;
  for (std::size_t i = 0; i < n; ++i) loss_seeds_[i] = i < ranges.n_loss ? static_cast<T>(loss_seed) : T{0};
  std::fill(grad_means_.begin(), grad_means_.end(), 0.0);
  if (options_.regularizer && options_.lambda != 0)
    regularizers_.gradient(*options_.regularizer, grad_means_);
  for (std::size_t m = 0; m < means_.size(); ++m) {
    const T seed = static_cast<T>(options_.lambda * grad_means_[m] / weights_[m]);
    for (std::size_t i = 0; i < n; ++i) term_seeds_[m][i] = i < ranges.n_regularizer ? seed : T{0};
  }
  return seeds_;
}

template class Objective<float>;
template class Objective<double>;

}  // namespace greybox
