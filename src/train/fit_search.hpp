// Where a model fits best: draws of the prior, then rounds of draws around the best of them.
#pragma once

#include <cstdint>

#include "train/fit_errors.hpp"

namespace greybox {

// A θ and what it leaves.
struct FittingTheta {
  MeanSquares errors;
  // No quantiles where θ is given.
  std::vector<double> theta, quantiles;
};

// Draws of the whole prior; the first is its median.
std::vector<FittingTheta> draws_of_prior(const ModelSpec& spec, std::uint64_t stream);

// The errors of each.
void find_errors(FitErrors& errors, std::vector<FittingTheta>& tried);

const FittingTheta& best_of(const FitErrors& errors, const std::vector<FittingTheta>& tried);

// Around a θ with quantiles, over smaller and smaller parts of the prior.
void refine(const ModelSpec& spec, FitErrors& errors, FittingTheta& best);

}  // namespace greybox
