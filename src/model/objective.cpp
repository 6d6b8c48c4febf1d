#include "model/objective.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/require.hpp"

namespace greybox {
namespace {

double sum(std::span<const double> values, std::size_t n) {
  return std::accumulate(values.begin(), values.begin() + n, 0.0);
}

void check_ranges(const ObjectiveRanges& ranges, std::size_t n_samples, std::size_t capacity) {
  require(n_samples <= capacity, "the batch has more samples than Objective's capacity");
  require(ranges.n_loss <= n_samples && ranges.n_regularizer <= n_samples,
          "L or R is to run over more samples than the batch has");
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
  grad_loss_weight_.resize(n_terms);
  loss_cotangents_.resize(capacity);
  term_cotangents_.assign(n_terms, std::vector<T>(capacity));
  for (const std::vector<T>& term : term_cotangents_) term_pointers_.push_back(term.data());
  cotangents_ = {loss_cotangents_.data(), term_pointers_};
}

template <class T>
bool Objective<T>::Values::is_finite() const {
  return std::isfinite(total);
}

template <class T>
typename Objective<T>::Values Objective<T>::evaluate(const Engine<T>& engine, const ObjectiveRanges& ranges) {
  check_ranges(ranges, engine.losses().size(), loss_cotangents_.size());
  Values values;
  const double loss = sum(engine.losses(), ranges.n_loss);
  loss_weight_ = sum(engine.loss_weights(), ranges.n_loss);
  values.loss = loss_weight_ > 0 ? loss / loss_weight_ : 0;
  for (std::size_t m = 0; m < means_.size(); ++m) {
    weights_[m] = sum(engine.term_weights(m), ranges.n_regularizer);
    means_[m] = sum(engine.term_sums(m), ranges.n_regularizer) / weights_[m];
  }
  if (options_.regularizer || model_->loss_weight)
    regularizers_.evaluate(means_.data(), 1, 1, {{&values.loss, 1}, options_.range});
  loss_ = values.loss;
  weight_of_loss_ = regularizers_.loss_weight();
  values.total = options_.loss_weight * weight_of_loss_ * values.loss;
  if (options_.regularizer) {
    values.regularizer = regularizers_.values(*options_.regularizer)[0];
    if (options_.lambda != 0) values.total += options_.lambda * values.regularizer;
  }
  return values;
}

template <class T>
const Cotangents<T>& Objective<T>::cotangents(const Engine<T>& engine, const ObjectiveRanges& ranges) {
  const std::size_t n = engine.losses().size();
  check_ranges(ranges, n, loss_cotangents_.size());
  std::fill(grad_means_.begin(), grad_means_.end(), 0.0);
  double loss_weight = options_.loss_weight * weight_of_loss_;
  if (options_.regularizer && options_.lambda != 0) {
    regularizers_.gradient(*options_.regularizer, grad_means_);
    if (model_->uses_errors) loss_weight += options_.lambda * regularizers_.loss_gradient();
  }
  const double loss_cotangent = loss_weight_ > 0 ? loss_weight / loss_weight_ : 0;
  std::fill_n(loss_cotangents_.begin(), ranges.n_loss, static_cast<T>(loss_cotangent));
  std::fill(loss_cotangents_.begin() + ranges.n_loss, loss_cotangents_.begin() + n, T{0});
  for (double& gradient : grad_means_) gradient *= options_.lambda;
  if (model_->loss_weight) add_loss_weight_gradient();
  for (std::size_t m = 0; m < means_.size(); ++m) {
    const T cotangent = static_cast<T>(grad_means_[m] / weights_[m]);
    std::fill_n(term_cotangents_[m].begin(), ranges.n_regularizer, cotangent);
    std::fill(term_cotangents_[m].begin() + ranges.n_regularizer, term_cotangents_[m].begin() + n, T{0});
  }
  return cotangents_;
}

template <class T>
void Objective<T>::add_loss_weight_gradient() {
  regularizers_.loss_weight_gradient(grad_loss_weight_);
  for (std::size_t m = 0; m < means_.size(); ++m)
    grad_means_[m] += options_.loss_weight * loss_ * grad_loss_weight_[m];
}

template class Objective<float>;
template class Objective<double>;

}  // namespace greybox
