// Chains of the No-U-Turn sampler from any density on the whole space.
#pragma once

#include <functional>

#include "analysis/posterior/log_density.hpp"

namespace greybox {

struct NutsOptions {
  std::size_t n_warmup = 1000, n_draws = 1000;
  double target_acceptance = 0.8;
  std::size_t max_depth = 10;
  std::uint64_t seed = 0, chain = 0;  // chains of one seed share no random numbers
};

// The density that a chain is to follow where its own is only near to it.
struct ExactDensity {
  double log_density = 0, regularizer = 0, loss = 0;
};
using ExactDensityAt = std::function<ExactDensity(std::span<const double> position)>;

struct NutsDraw {
  std::vector<double> position;
  double log_density = 0, acceptance = 0, step_size = 0, energy = 0;
  std::size_t depth = 0, n_leapfrog = 0;
  bool is_divergent = false;
  // Of an exact density: R and L, and whether the draw before was left.
  double regularizer = 0, loss = 0;
  bool is_accepted = true;
};

struct NutsChain {
  std::vector<NutsDraw> draws;
  double step_size = 0;
  std::vector<double> inverse_mass;
};

// From `start`, where the density must be finite. `on_iteration` is called after each one, also of the
// warm-up; the chain ends early when it returns false,
// and with the steps before when the density throws Interruption. With `exact` the draws are those of the
// exact density: each step, which leaves `density` as it is, is a proposal to it (Liu 2001, section 9.4.3:
// surrogate transitions).
NutsChain run_nuts(const LogDensity& density, std::vector<double> start, const NutsOptions& options,
                   const std::function<bool()>& on_iteration = {}, const ExactDensityAt& exact = {});

}  // namespace greybox
