#include "train/fit_search.hpp"

#include <algorithm>

#include "core/random.hpp"
#include "train/prior.hpp"

namespace greybox {
namespace {

constexpr std::size_t kFitDraws = 48, kFitDrawsOfFields = 4;
// Rounds of draws around the best θ so far, each over a smaller part of the prior.
constexpr std::size_t kFitRounds = 3;
constexpr double kFitShrink = 0.25;

// Of the prior; with a centre, of the part of it around there (in quantiles).
std::vector<FittingTheta> draw(const ModelSpec& spec, std::uint64_t stream, const std::vector<double>& centre,
                               double part) {
  const Random random(stream, Purpose::analysis);
  std::vector<FittingTheta> draws(spec.grid.is_given ? kFitDrawsOfFields : kFitDraws);
  for (std::size_t d = 0; d < draws.size(); ++d)
    for (std::size_t p = 0; p < spec.parameters.size(); ++p) {
      const Prior prior(spec.parameters[p]);
      double u = d == 0 ? 0.5 : random.uniform(d, p);
      if (!centre.empty()) u = d == 0 ? centre[p] : std::clamp(centre[p] + part * (u - 0.5), 1e-6, 1 - 1e-6);
      draws[d].quantiles.push_back(u);
      draws[d].theta.push_back(prior.draw(prior.start(), u));
    }
  return draws;
}

}  // namespace

std::vector<FittingTheta> draws_of_prior(const ModelSpec& spec, std::uint64_t stream) {
  return draw(spec, stream, {}, 1);
}

void find_errors(FitErrors& errors, std::vector<FittingTheta>& tried) {
  for (FittingTheta& one : tried) one.errors = errors.at(one.theta);
}

const FittingTheta& best_of(const FitErrors& errors, const std::vector<FittingTheta>& tried) {
  return *std::ranges::min_element(tried, {},
                                   [&](const FittingTheta& one) { return errors.scaled(one.errors); });
}

void refine(const ModelSpec& spec, FitErrors& errors, FittingTheta& best) {
  double part = kFitShrink;
  for (std::size_t round = 1; round < kFitRounds; ++round, part *= kFitShrink) {
    std::vector<FittingTheta> around = draw(spec, 1 + round, best.quantiles, part);
    find_errors(errors, around);
    const FittingTheta& found = best_of(errors, around);
    if (errors.scaled(found.errors) < errors.scaled(best.errors)) best = found;
  }
}

}  // namespace greybox
