#include <algorithm>
#include <cmath>

#include "analysis/theta/minimise.hpp"
#include "train/adam.hpp"

namespace greybox {
namespace {

constexpr AdamOptions kAdam{.weight_decay = 0, .clip_value = 1, .clip_norm = 10};

}  // namespace

template <class T>
PointEstimate minimise_with_adam(ThetaObjective<T>& objective, const ThetaBox& box, std::vector<double> start,
                                 const PointOptions& options, const OnStep& on_step) {
  const std::size_t n = box.size();
  AlignedBuffer<double> theta(n), gradient(n), first_moments(n), second_moments(n);
  std::copy(start.begin(), start.end(), theta.data());
  const AdamVectors<double> vectors{&theta, &gradient, &first_moments, &second_moments, 0};
  const double decay = options.rate_end / options.rate_start;
  PointEstimate found;
  for (std::size_t step = 0; step < options.n_steps; ++step) {
    const double done = static_cast<double>(step) / static_cast<double>(options.n_steps);
    ++found.n_evaluations;
    if (!std::isfinite(objective.evaluate(theta.span()).regularizer)) break;
    objective.gradient(gradient.span());
    if (!adam_step(kAdam, options.rate_start * std::pow(decay, done), step, vectors)) break;
    box.project(theta.span());
    on_step(step + 1);
  }
  const auto value = objective.evaluate(theta.span());
  found.theta.assign(theta.data(), theta.data() + n);
  found.regularizer = value.regularizer;
  found.loss = value.loss;
  found.total = value.total;
  ++found.n_evaluations;
  return found;
}

template PointEstimate minimise_with_adam(ThetaObjective<float>&, const ThetaBox&, std::vector<double>,
                                          const PointOptions&, const OnStep&);
template PointEstimate minimise_with_adam(ThetaObjective<double>&, const ThetaBox&, std::vector<double>,
                                          const PointOptions&, const OnStep&);

}  // namespace greybox
