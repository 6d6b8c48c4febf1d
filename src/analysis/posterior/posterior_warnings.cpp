// What a reader must know before trusting the numbers of a distribution.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/posterior/posterior.hpp"
#include "analysis/theta/prior_density.hpp"

namespace greybox {
namespace {

constexpr double kGoodRhat = 1.01, kEnoughDraws = 400;  // as Vehtari et al. (2021) recommend
constexpr double kEndOfPrior = 0.02,
                 kPileFactor = 4;  // a pile: so many times the prior's own share of its end
constexpr double kAsWide = 0.9;    // of the prior's width
constexpr double kFewCells = 8;
constexpr double kFewDraws = 100;  // that a result weighed again must be worth

// "a (1.03), c (1.2)" of the parameters for which `value` is out of order.
template <class Value, class Test>
std::string listed(const Posterior& posterior, Value&& value, Test&& is_bad) {
  std::vector<std::string> names;
  for (const PosteriorParameter& parameter : posterior.parameters)
    if (is_bad(value(parameter)))
      names.push_back(fmt::format("{} ({:.4g})", parameter.name, value(parameter)));
  return fmt::format("{}", fmt::join(names, ", "));
}

void warn_of_chains(const Posterior& posterior, std::vector<std::string>& warnings) {
  const std::string apart = listed(
      posterior, [](const auto& p) { return p.rhat; }, [](double rhat) { return !(rhat <= kGoodRhat); });
  if (!apart.empty())
    warnings.push_back(fmt::format(
        "R-hat is above {} for {}: the chains do not agree, and their numbers are not to be trusted; ask for "
        "more warm-up (option `warmup`) and draws (option `draws`), and look at the traces in posterior.png",
        kGoodRhat, apart));
  const std::string few = listed(
      posterior, [](const auto& p) { return std::fmin(p.ess_bulk, p.ess_tail); },
      [](double ess) { return !(ess >= kEnoughDraws); });
  if (!few.empty())
    warnings.push_back(
        fmt::format("the draws are worth fewer than {} independent ones for {}: quantiles are rough; ask for "
                    "more draws (option `draws`)",
                    kEnoughDraws, few));
  if (posterior.n_divergent > 0)
    warnings.push_back(fmt::format(
        "{} of {} draws came from trajectories that diverged: the sampler may miss narrow parts of the "
        "distribution; raise option `target_acceptance` towards 1, for instance 0.95, which takes smaller "
        "steps",
        posterior.n_divergent, posterior.n_chains * posterior.n_draws));
}

// In the prior's own quantiles every end of every prior looks alike.
void warn_of_ends(const ParameterSpec& spec, const PosteriorParameter& parameter,
                  std::vector<std::string>& warnings) {
  const PriorDensity prior(spec);
  double below = 0, above = 0, sum = 0, squares = 0;
  const auto n = static_cast<double>(parameter.draws.size());
  for (double draw : parameter.draws) {
    const double u = prior.cdf(draw);
    below += u < kEndOfPrior ? 1 / n : 0;
    above += u > 1 - kEndOfPrior ? 1 / n : 0;
    sum += u / n;
    squares += u * u / n;
  }
  const auto piles = [&](double share, double bound) {
    return std::isfinite(bound) && share > kPileFactor * kEndOfPrior;
  };
  const bool at_low = piles(below, spec.low), at_high = piles(above, spec.high);
  if (at_low || at_high)
    warnings.push_back(fmt::format("{} piles up at its {} bound {:.6g}: what R prefers may lie beyond",
                                   spec.name, at_low ? "lower" : "upper", at_low ? spec.low : spec.high));
  const double width = std::sqrt(12 * (squares - sum * sum));  // 1 for the prior itself
  if (width > kAsWide)
    warnings.push_back(fmt::format(
        "{} is spread about as widely as its prior: at this β, R says little about it", spec.name));
}

double cells_of(const PosteriorParameter& parameter) {
  double squares = 0;
  for (std::size_t i = 0; i < parameter.density.size(); ++i) {
    const double mass = parameter.density[i] * (parameter.edges[i + 1] - parameter.edges[i]);
    squares += mass * mass;
  }
  return 1 / squares;
}

}  // namespace

std::vector<std::string> posterior_warnings(const std::vector<ParameterSpec>& parameters,
                                            const Posterior& posterior) {
  std::vector<std::string> warnings;
  const bool is_grid = !posterior.grid.empty();
  if (!is_grid) warn_of_chains(posterior, warnings);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    warn_of_ends(parameters[p], posterior.parameters[p], warnings);
    if (is_grid && cells_of(posterior.parameters[p]) < kFewCells)
      warnings.push_back(fmt::format(
          "the grid is coarse for {}: narrow peaks lie far apart; compare with option `method` nuts",
          parameters[p].name));
  }
  for (const PosteriorAtBeta& at : posterior.sensitivity)
    if (at.ess < kFewDraws)
      warnings.push_back(
          fmt::format("the numbers at β = {:.4g} are worth only {:.0f} independent draws: sample with that "
                      "option `beta` to know them",
                      at.beta, at.ess));
  return warnings;
}

}  // namespace greybox
