// Minimisers of a regularizer over θ, each from one start.
#pragma once

#include "analysis/theta/point_estimate.hpp"
#include "analysis/theta/search_range.hpp"

namespace greybox {

// Called after every step or evaluation, with their number so far. What it throws ends the search.
using OnStep = std::function<void(std::size_t n_steps)>;

// Adam on the whole set, gradients clipped by value 1 and then by norm 10, no decay; θ is projected onto its
// bounds after each step, and the rate falls exponentially; of a parameter with logarithmic scale it moves
// the logarithm. Ends early where R is not finite.
template <class T>
PointEstimate minimise_with_adam(ThetaObjective<T>& objective, const ThetaBox& box, std::vector<double> start,
                                 const PointOptions& options, const OnStep& on_step);

// Methods lbfgs, bobyqa and direct, in coordinates in which the range of every parameter has length 1; direct
// keeps to that range. Gives the best θ that was met.
template <class T>
PointEstimate minimise_with_nlopt(ThetaObjective<T>& objective, const SearchRange& range,
                                  const std::vector<double>& start, const PointOptions& options,
                                  const OnStep& on_step);

}  // namespace greybox
