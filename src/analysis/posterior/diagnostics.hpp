// Convergence of a set of chains, and its effective sample size.
//
// Vehtari, Gelman, Simpson, Carpenter & Bürkner (2021), "Rank-Normalization, Folding, and Localization: An
// Improved R̂ for Assessing Convergence of MCMC", Bayesian Analysis 16(2).
#pragma once

#include <span>
#include <vector>

namespace greybox {

using Chains = std::vector<std::vector<double>>;  // [chain][draw], all of the same length

// Halves of all chains; the middle draw of an odd number is left out.
Chains split_chains(const Chains& chains);
// Φ⁻¹((rank - 3/8) / (S + 1/4)) of every draw among all S; ties share their mean rank.
Chains rank_normalised(const Chains& chains);

// √(var⁺ / W) of the chains as they are (equations 1 to 4 there); NaN where all draws are the same.
double basic_rhat(const Chains& chains);
// S / τ̂ of the chains as they are, with Geyer's initial monotone sequence (equations 10 to 13).
double basic_ess(const Chains& chains);

// Of one parameter; its members are what the functions below give, at a third of their price.
struct Convergence {
  double rhat = 0, ess_bulk = 0, ess_tail = 0;
};
Convergence convergence_of(const Chains& chains);

// The larger of rank-normalised split R̂ of the draws and of their distances from the median.
double rank_rhat(const Chains& chains);
double bulk_ess(const Chains& chains);
// The smaller of the effective numbers of draws for the 5 % and the 95 % quantile.
double tail_ess(const Chains& chains);

// Linear between order statistics, as R and NumPy do by default.
double quantile_of(std::span<const double> sorted, double p);

}  // namespace greybox
