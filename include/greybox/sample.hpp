// The distribution of the parameters under a regularizer (equation 7).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "greybox/run.hpp"

namespace greybox {

enum class SampleMethod : std::uint8_t {
  // One or two parameters: the density at every point of a grid.
  grid,
  // Markov chains: the No-U-Turn sampler.
  nuts,
};

struct SampleOptions {
  // A name or an expression.
  std::string regularizer;
  // p(θ | data) ∝ p(θ) exp(-β R(θ)); without it, InputError suggests values.
  std::optional<double> beta{};
  // By default grid for one or two parameters.
  std::optional<SampleMethod> method{};
  // By default the test windows.
  Selection on{};
  // Only so many windows, drawn by `seed`, one from each of as many equal parts of them; 0: all.
  std::size_t n_windows = 0;
  // Other data than the run's own.
  std::optional<Table> data{};
  std::size_t chains = 4;
  // Of each chain.
  std::size_t draws = 1000, warmup = 1000;
  // Acceptance that nuts aims at: larger takes smaller steps.
  double target_acceptance = 0.8;
  std::uint64_t seed = 0;
  // Compute R at every θ that is asked for, even where its means can be interpolated.
  bool exact = false;
  Execution execution{};
};

// All densities stand in bins, `density[i]` between `edges[i]` and `edges[i + 1]`.
struct PosteriorParameter {
  std::string name, unit, about;
  double mean = 0, sd = 0, median = 0, q5 = 0, q95 = 0;
  // Convergence and effective sample sizes of the draws (Vehtari et al. 2021).
  double rhat = 0, ess_bulk = 0, ess_tail = 0;
  // Chain after chain.
  std::vector<double> draws;
  std::vector<double> edges, density, prior;
  // The edges are evenly spaced logarithms.
  bool is_log = false;
};

struct PosteriorPair {
  // Indices of parameters.
  std::size_t across = 0, upward = 0;
  // Bins of `across` × bins of `upward`, the latter running fastest.
  std::vector<double> density;
};

// What the sampler says about each draw of a chain; zeros for draws from a grid.
struct PosteriorChain {
  double step_size = 0;
  // Diagonal, in the unbounded coordinates onto which parameters are mapped.
  std::vector<double> inverse_mass;
  std::vector<double> log_density, acceptance, energy;
  std::vector<std::size_t> depth, n_leapfrog;
  std::vector<std::uint8_t> is_divergent;
};

// The distribution at another β: on a grid anew, of chains by importance weights of their draws.
struct PosteriorAtBeta {
  double beta = 0;
  // Effective sample size; infinite for a grid.
  double ess = 0;
  // Per parameter.
  std::vector<double> mean, sd;
};

// The distribution without regard to fit, where part of it lies at θ that do not fit the data.
struct UnconstrainedPosterior {
  // Share of its draws that fit.
  double fitting_share = 0;
  // Per parameter.
  std::vector<double> mean, sd;
};

struct Posterior {
  std::string model, regularizer, method, on;
  double beta = 0;
  std::size_t n_windows = 0, n_chains = 0, n_draws = 0, n_warmup = 0, n_divergent = 0;
  std::uint64_t seed = 0;
  std::vector<PosteriorParameter> parameters;
  std::vector<PosteriorPair> pairs;
  std::vector<PosteriorChain> chains;
  // R and L of each draw, chain after chain.
  std::vector<double> regularizers, losses;
  std::vector<PosteriorAtBeta> sensitivity;
  // Of a grid: the values of each parameter, and the density at every point, the last parameter fastest.
  std::vector<std::vector<double>> grid;
  std::vector<double> grid_density;
  // Empty where every draw fits: then keeping to θ that fit changes nothing.
  std::optional<UnconstrainedPosterior> unconstrained{};
  std::vector<std::string> warnings;
};

// What a distribution asks for, before it is computed.
struct SampleNeeds {
  // "grid" or "nuts".
  std::string method;
  std::size_t n_windows = 0;
  // Of R over all windows, as many as are usual; of chains with its gradient.
  std::size_t n_evaluations = 0;
  // Of one evaluation, as measured now; and of all with this number of threads.
  double seconds_each = 0, seconds = 0;
};

// Throws InputError as `sample` does.
SampleNeeds sample_needs(const Run& run, const SampleOptions& options);

// θ with an L above the run's `fit.loss_limit` do not fit the data and have no probability. Throws InputError
// for the user's mistakes, and Interruption when cancelled before there are ten draws of every chain; after
// that, cancelled chains give the draws they have, with a warning. The run's ledger remembers what was used,
// and warns of data used twice.
Posterior sample(const Run& run, const SampleOptions& options);

// posterior.json; NaN becomes null.
std::string to_json(const Posterior& posterior);
// Writes posterior.json, .npz, .svg, .png and chain-K.csv (in CmdStan's form) into the folder; returns what
// was written.
std::vector<std::filesystem::path> write_posterior(const Posterior& posterior,
                                                   const std::filesystem::path& folder);

}  // namespace greybox
