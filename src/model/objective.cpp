#include "model/objective.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace greybox {
namespace {

double sum(std::span<const double> values, std::size_t n) {
  return std::accumulate(values.begin(), values.begin() + n, 0.0);
}

}  // namespace

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
  const double squared_error = sum(engine.squared_errors(), ranges.n_loss);
  n_compared_ = sum(engine.n_compared(), ranges.n_loss);
  values.loss = n_compared_ > 0 ? squared_error / n_compared_ : 0;
  for (std::size_t m = 0; m < means_.size(); ++m) {
    weights_[m] = sum(engine.term_weights(m), ranges.n_regularizer);
    means_[m] = sum(engine.term_sums(m), ranges.n_regularizer) / weights_[m];
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
  std::fill_n(loss_seeds_.begin(), ranges.n_loss, static_cast<T>(loss_seed));
  std::fill(loss_seeds_.begin() + ranges.n_loss, loss_seeds_.begin() + n, T{0});
  std::fill(grad_means_.begin(), grad_means_.end(), 0.0);
  if (options_.regularizer && options_.lambda != 0)
    regularizers_.gradient(*options_.regularizer, grad_means_);
  for (std::size_t m = 0; m < means_.size(); ++m) {
    const T seed = static_cast<T>(options_.lambda * grad_means_[m] / weights_[m]);
    std::fill_n(term_seeds_[m].begin(), ranges.n_regularizer, seed);
    std::fill(term_seeds_[m].begin() + ranges.n_regularizer, term_seeds_[m].begin() + n, T{0});
  }
  return seeds_;
}

template class Objective<float>;
template class Objective<double>;

}  // namespace greybox
