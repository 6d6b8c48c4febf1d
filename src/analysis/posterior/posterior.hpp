// The parts of `sample`: a distribution of θ by one of two methods, in the same form.
#pragma once

#include <limits>
#include <memory>

#include "analysis/posterior/posterior_grid.hpp"
#include "analysis/run/opened_run.hpp"
#include "analysis/run/window_choice.hpp"
#include "greybox/error.hpp"
#include "greybox/sample.hpp"

namespace greybox {

class GridValues;

// What θ costs whose L exceeds the request's limit, in the logarithm of the density, at twice the limit.
inline constexpr double kLogPriceOfMisfit = 1000;

// It grows with the square of what L has too much, so that grids and chains have the same soft edge.
inline double price_of_misfit(double loss, double limit) {
  const double excess = loss > limit ? loss / limit - 1 : 0;
  return kLogPriceOfMisfit * excess * excess;
}

struct PosteriorRequest {
  const OpenedRun& run;
  const WindowChoice& choice;
  std::size_t regularizer;  // index among the model's
  const SampleOptions& options;
  double beta;
  // L above which a θ hardly has probability; infinite: all have.
  double loss_limit = std::numeric_limits<double>::infinity();
  // Of a grid: shared by all that is asked about one distribution.
  std::shared_ptr<GridValues> grid_values{};

  const std::vector<ParameterSpec>& parameters() const { return run.loaded.spec->parameters; }
};

// R and L at many θ (values × parameters). Throws Interruption when cancelled.
struct RegularizerValues {
  std::vector<double> regularizers, losses;
};
RegularizerValues evaluate_at(const PosteriorRequest& request, std::span<const double> theta);

// Both fill in all but diagnostics, the chains' R and L of the draws, and header. They throw Interruption,
// and InputError where R is finite nowhere.
void sample_grid(const PosteriorRequest& request, Posterior& posterior);
void sample_chains(const PosteriorRequest& request, Posterior& posterior);

// R̂ and effective numbers of draws of every parameter.
void diagnose(Posterior& posterior);
// Means, standard deviations, quantiles and densities from the draws.
void summarise_draws(const std::vector<ParameterSpec>& parameters, Posterior& posterior);
// The distribution at other β, the draws weighed again by exp(-(β' - β) R).
void weigh_again(Posterior& posterior);
inline constexpr double kBetaFactors[] = {0.25, 0.5, 1, 2, 4};

// What a reader must know before trusting the numbers.
std::vector<std::string> posterior_warnings(const std::vector<ParameterSpec>& parameters,
                                            const Posterior& posterior);

// Measures one evaluation of R over all windows, with its gradient for chains.
SampleNeeds needs_of(const PosteriorRequest& request, SampleMethod method);

// When β was left out: what its values would mean for this regularizer.
[[noreturn]] void suggest_beta(const PosteriorRequest& request);

}  // namespace greybox
