// Numbers and densities from draws.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/posterior/diagnostics.hpp"
#include "analysis/posterior/posterior.hpp"
#include "analysis/theta/prior_density.hpp"
#include "analysis/theta/theta_box.hpp"

namespace greybox {
namespace {

constexpr double kFewestBins = 10, kMostBins = 40;

Chains chains_of(const Posterior& posterior, const std::vector<double>& draws) {
  Chains chains;
  for (auto begin = draws.begin(); begin != draws.end();) {
    const auto end = begin + static_cast<std::ptrdiff_t>(posterior.n_draws);
    chains.emplace_back(begin, end);
    begin = end;
  }
  return chains;
}

struct Moments {
  double mean = 0, sd = 0;
};

Moments weighted_moments(const std::vector<double>& values, const std::vector<double>& weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  double mean = 0, variance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) mean += weights[i] / total * values[i];
  for (std::size_t i = 0; i < values.size(); ++i)
    variance += weights[i] / total * (values[i] - mean) * (values[i] - mean);
  return {mean, std::sqrt(variance)};
}

// Rice's rule: enough draws in each bin to tell its height.
std::size_t n_bins(std::size_t n_draws) {
  return static_cast<std::size_t>(
      std::clamp(2 * std::cbrt(static_cast<double>(n_draws)), kFewestBins, kMostBins));
}

// The prior's likely range where the draws fill half of it, else their own.
std::vector<double> bin_edges(std::size_t n, double likely_low, double likely_high, double lowest,
                              double highest) {
  const bool is_wide = 2 * (highest - lowest) > likely_high - likely_low;
  const double low = is_wide ? std::min(lowest, likely_low) : lowest;
  double high = is_wide ? std::max(highest, likely_high) : highest;
  if (!(high > low)) high = low + std::max(std::abs(low), 1.0) * 1e-12;  // a chain that never moved
  std::vector<double> edges;
  for (std::size_t i = 0; i <= n; ++i)
    edges.push_back(low + (high - low) * static_cast<double>(i) / static_cast<double>(n));
  return edges;
}

std::size_t bin_of(const std::vector<double>& edges, double value) {
  const double share = (value - edges.front()) / (edges.back() - edges.front());
  const auto n = static_cast<double>(edges.size() - 1);
  return static_cast<std::size_t>(std::clamp(share * n, 0.0, n - 1));
}

void fill_numbers(PosteriorParameter& parameter) {
  const Moments moments = weighted_moments(parameter.draws, std::vector<double>(parameter.draws.size(), 1.0));
  std::vector<double> sorted = parameter.draws;
  std::sort(sorted.begin(), sorted.end());
  parameter.mean = moments.mean;
  parameter.sd = moments.sd;
  parameter.median = quantile_of(sorted, 0.5);
  parameter.q5 = quantile_of(sorted, 0.05);
  parameter.q95 = quantile_of(sorted, 0.95);
}

void fill_bins(const ParameterSpec& spec, double likely_low, double likely_high,
               PosteriorParameter& parameter) {
  const PriorDensity prior(spec);
  const auto [lowest, highest] = std::minmax_element(parameter.draws.begin(), parameter.draws.end());
  const std::size_t n = n_bins(parameter.draws.size());
  parameter.edges = bin_edges(n, likely_low, likely_high, *lowest, *highest);
  const double width = parameter.edges[1] - parameter.edges[0];
  const double share = 1 / (static_cast<double>(parameter.draws.size()) * width);
  parameter.density.assign(n, 0);
  for (double draw : parameter.draws) parameter.density[bin_of(parameter.edges, draw)] += share;
  for (std::size_t i = 0; i < n; ++i)
    parameter.prior.push_back(std::exp(prior.log_density(parameter.edges[i] + width / 2)));
}

PosteriorPair pair_of(const Posterior& posterior, std::size_t across, std::size_t upward) {
  const PosteriorParameter &x = posterior.parameters[across], &y = posterior.parameters[upward];
  const double area = (x.edges[1] - x.edges[0]) * (y.edges[1] - y.edges[0]);
  const std::size_t n = x.density.size();
  PosteriorPair pair{across, upward, std::vector<double>(n * n)};
  for (std::size_t i = 0; i < x.draws.size(); ++i)
    pair.density[bin_of(x.edges, x.draws[i]) * n + bin_of(y.edges, y.draws[i])] +=
        1 / (static_cast<double>(x.draws.size()) * area);
  return pair;
}

}  // namespace

void diagnose(Posterior& posterior) {
  for (PosteriorParameter& parameter : posterior.parameters) {
    const Convergence found = convergence_of(chains_of(posterior, parameter.draws));
    parameter.rhat = found.rhat;
    parameter.ess_bulk = found.ess_bulk;
    parameter.ess_tail = found.ess_tail;
  }
}

void summarise_draws(const std::vector<ParameterSpec>& parameters, Posterior& posterior) {
  const ThetaBox box(parameters);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    fill_numbers(posterior.parameters[p]);
    fill_bins(parameters[p], box.likely_low()[p], box.likely_high()[p], posterior.parameters[p]);
  }
  for (std::size_t y = 1; y < parameters.size(); ++y)
    for (std::size_t x = 0; x < y; ++x) posterior.pairs.push_back(pair_of(posterior, x, y));
}

void weigh_again(Posterior& posterior) {
  const std::vector<double>& values = posterior.regularizers;
  const double lowest = *std::min_element(values.begin(), values.end());
  double efficiency = 1;  // draws of a chain repeat each other
  for (const PosteriorParameter& parameter : posterior.parameters)
    efficiency = std::fmin(efficiency, parameter.ess_bulk / static_cast<double>(values.size()));
  for (double factor : kBetaFactors) {
    const double change = (factor - 1) * posterior.beta;
    // The largest exponent is 0, whichever end of the values has it.
    const double reference = change > 0 ? lowest : *std::max_element(values.begin(), values.end());
    std::vector<double> weights;
    double sum = 0, squares = 0;
    for (double value : values) {
      weights.push_back(std::exp(-change * (value - reference)));
      sum += weights.back();
      squares += weights.back() * weights.back();
    }
    PosteriorAtBeta at{
        .beta = factor * posterior.beta, .ess = efficiency * sum * sum / squares, .mean = {}, .sd = {}};
    for (const PosteriorParameter& parameter : posterior.parameters) {
      const Moments moments = weighted_moments(parameter.draws, weights);
      at.mean.push_back(moments.mean);
      at.sd.push_back(moments.sd);
    }
    posterior.sensitivity.push_back(std::move(at));
  }
}

}  // namespace greybox
