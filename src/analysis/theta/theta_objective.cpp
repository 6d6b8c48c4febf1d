#include "analysis/theta/theta_objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace greybox {

template <class T>
ThetaObjective<T>::ThetaObjective(const LoadedModel& loaded, std::span<const double> weights,
                                  std::size_t regularizer, std::size_t n_windows, ThreadPool& pool)
    : loaded_(loaded),
      engine_(loaded.plan, loaded.data->windows(), pool, {.capacity = n_windows, .is_differentiable = true}),
      objective_(loaded.model, {.loss_weight = 0, .lambda = 1, .regularizer = regularizer}, n_windows),
      theta_(n_windows * n_parameters()),
      grad_theta_(theta_.size()) {
  const std::vector<T> own(weights.begin(), weights.end());
  engine_.set_weights(own);
}

template <class T>
Samples<T> ThetaObjective<T>::samples() const {
  return {&loaded_.data->windows(), windows_,
          std::span<const T>(theta_).first(windows_.size() * n_parameters()), draws_};
}

template <class T>
typename ThetaObjective<T>::Value ThetaObjective<T>::evaluate(std::span<const double> theta,
                                                              std::span<const double> draws) {
  const std::size_t n = windows_.size() * n_parameters();
  for (std::size_t i = 0; i < n; ++i) theta_[i] = static_cast<T>(theta[i % theta.size()]);
  draws_.assign(draws.begin(), draws.end());
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  engine_.forward(samples());
  const auto has_failed = [](Outcome outcome) { return outcome != Outcome::finished; };
  if (std::any_of(engine_.outcomes().begin(), engine_.outcomes().end(), has_failed)) return {nan, nan, nan};
  const auto values = objective_.evaluate(engine_, {windows_.size(), windows_.size()});
  // An R of minus infinity is no minimum either.
  if (!std::isfinite(values.regularizer)) return {nan, values.loss, nan};
  excess_ = values.loss > loss_limit_ ? values.loss / loss_limit_ - 1 : 0;
  return {values.regularizer, values.loss, values.regularizer + price_ * excess_ * excess_};
}

template <class T>
void ThetaObjective<T>::gradient(std::span<double> grad_theta) {
  const bool has_excess = excess_ > 0 && price_ > 0;
  objective_.weigh({.loss = has_excess ? 2 * price_ * excess_ / loss_limit_ : 0, .regularizer = 1});
  const Cotangents<T>& cotangents = objective_.cotangents(engine_, {windows_.size(), windows_.size()});
  engine_.backward(samples(), cotangents, {}, grad_theta_);
  std::fill(grad_theta.begin(), grad_theta.end(), 0.0);
  for (std::size_t i = 0; i < windows_.size(); ++i)
    for (std::size_t p = 0; p < grad_theta.size(); ++p)
      grad_theta[p] += static_cast<double>(grad_theta_[i * grad_theta.size() + p]);
}

template class ThetaObjective<float>;
template class ThetaObjective<double>;

}  // namespace greybox
