// The distribution on a grid: its numbers are exact up to the spacing, its draws independent.
#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/posterior/grid_values.hpp"
#include "analysis/posterior/nuts_transition.hpp"
#include "analysis/posterior/posterior.hpp"
#include "analysis/theta/prior_density.hpp"

namespace greybox {
namespace {

// With the price of θ that do not fit; NaN where none does.
GridFunction fitting_values(const PosteriorRequest& request, double beta) {
  return [&request, beta](const GridAxes& axes) {
    RegularizerValues values = request.grid_values->over(axes, beta);
    const auto fits = [&](double loss) { return loss <= request.loss_limit; };
    const double price = std::ranges::any_of(values.losses, fits) ? 1 : std::nan("");
    for (std::size_t i = 0; i < values.losses.size(); ++i)
      values.regularizers[i] += price * price_of_misfit(values.losses[i], request.loss_limit) / beta;
    return std::move(values.regularizers);
  };
}

void fill_parameter(const ParameterSpec& spec, const std::vector<double>& axis,
                    const std::vector<double>& mass, PosteriorParameter& parameter) {
  const PriorDensity prior(spec);
  parameter.is_log = spec.is_log;
  parameter.edges = cell_edges(axis);
  const BinnedMoments moments = binned_moments(parameter.edges, mass);
  parameter.mean = moments.mean;
  parameter.sd = moments.sd;
  parameter.median = binned_quantile(parameter.edges, mass, 0.5);
  parameter.q5 = binned_quantile(parameter.edges, mass, 0.05);
  parameter.q95 = binned_quantile(parameter.edges, mass, 0.95);
  for (std::size_t i = 0; i < mass.size(); ++i) {
    parameter.density.push_back(mass[i] / (parameter.edges[i + 1] - parameter.edges[i]));
    parameter.prior.push_back(std::exp(prior.log_density(axis[i])));
  }
}

std::vector<double> density_of(const PosteriorGrid& grid) {
  std::vector<double> density = grid.mass;
  std::size_t stride = density.size();
  for (const std::vector<double>& axis : grid.axes) {
    stride /= axis.size();
    const std::vector<double> edges = cell_edges(axis);
    for (std::size_t i = 0; i < density.size(); ++i) {
      const std::size_t j = i / stride % axis.size();
      density[i] /= edges[j + 1] - edges[j];
    }
  }
  return density;
}

PosteriorAtBeta summary_at(const PosteriorGrid& grid, double beta) {
  PosteriorAtBeta at{.beta = beta, .ess = std::numeric_limits<double>::infinity(), .mean = {}, .sd = {}};
  for (std::size_t k = 0; k < grid.axes.size(); ++k) {
    const BinnedMoments moments = binned_moments(cell_edges(grid.axes[k]), marginal(grid, k));
    at.mean.push_back(moments.mean);
    at.sd.push_back(moments.sd);
  }
  return at;
}

void draw_chains(const PosteriorGrid& grid, const SampleOptions& options, Posterior& posterior) {
  for (std::size_t chain = 0; chain < options.chains; ++chain) {
    RandomStream random(options.seed, chain);
    const std::vector<double> draws = draw_from(grid, options.draws, [&] { return random.uniform(); });
    for (std::size_t i = 0; i < draws.size(); ++i)
      posterior.parameters[i % grid.axes.size()].draws.push_back(draws[i]);
    const std::size_t n = options.draws;
    posterior.chains.push_back({.step_size = 0,
                                .inverse_mass = {},
                                .log_density = std::vector<double>(n),
                                .acceptance = std::vector<double>(n, 1),
                                .energy = std::vector<double>(n),
                                .depth = std::vector<std::size_t>(n),
                                .n_leapfrog = std::vector<std::size_t>(n),
                                .is_divergent = std::vector<std::uint8_t>(n)});
  }
}

}  // namespace

void sample_grid(const PosteriorRequest& request, Posterior& posterior) {
  const std::vector<ParameterSpec>& parameters = request.parameters();
  const auto at_beta = [&](double beta) { return close_in(fitting_values(request, beta), parameters, beta); };
  const PosteriorGrid grid = at_beta(request.beta);
  if (grid.mass.empty())
    throw InputError(Diagnostic{.option = "regularizer",
                                .message = std::isinf(request.loss_limit)
                                               ? "R is a finite number nowhere on the grid"
                                               : "no θ of the grid fits the data",
                                .help = "look at its landscape with `greybox landscape`"});
  if (grid.is_cut)
    throw InputError(Diagnostic{.option = "beta",
                                .message = "p(θ) exp(-β R) does not fall off towards large θ: there is no "
                                           "such distribution",
                                .help = "give the parameters bounds, or choose a smaller β"});
  for (std::size_t k = 0; k < parameters.size(); ++k)
    fill_parameter(parameters[k], grid.axes[k], marginal(grid, k), posterior.parameters[k]);
  posterior.grid = grid.axes;
  posterior.grid_density = density_of(grid);
  if (parameters.size() == 2) posterior.pairs.push_back({0, 1, posterior.grid_density});
  draw_chains(grid, request.options, posterior);
  for (double factor : kBetaFactors)
    posterior.sensitivity.push_back(factor == 1
                                        ? summary_at(grid, request.beta)
                                        : summary_at(at_beta(factor * request.beta), factor * request.beta));
}

}  // namespace greybox
