#include "analysis/matching/smoothers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/run/window_choice.hpp"
#include "analysis/theta/theta_box.hpp"
#include "analysis/theta/theta_coordinates.hpp"
#include "analysis/theta/theta_scan.hpp"
#include "core/random.hpp"
#include "model/network_set.hpp"

namespace greybox {
namespace {

constexpr std::size_t kDrawsForFit = 96, kWindowsForFit = 48;
// Rounds of draws around the best θ so far, each over a smaller part of the prior.
constexpr std::size_t kRoundsForFit = 2, kDrawsAround = 48;
constexpr double kShrinkForFit = 0.25;
// A second θ fits about as well when its L is within this factor, and the theory alone fits clearly better
// when it is below by this factor.
constexpr double kAboutAsWell = 2;

struct TriedTheta {
  std::vector<double> theta;
  double loss;
};

class FitSearch {
 public:
  FitSearch(const OpenedRun& run, const std::vector<double>& weights, const std::vector<std::size_t>& windows,
            ThreadPool& pool)
      : windows_(windows),
        box_(run.loaded.spec->parameters),
        coordinates_(run.loaded.spec->parameters),
        scan_(run.loaded, weights, windows.size(), pool) {}

  FittingModel search(const std::vector<double>& weights) {
    tried_.clear();
    scan_.set_weights(weights);
    std::vector<std::vector<double>> draws{box_.middle()};
    for (std::size_t d = 1; d < kDrawsForFit; ++d) draws.push_back(box_.draw(0, d));
    evaluate(draws);
    double part = kShrinkForFit;
    for (std::size_t round = 0; round < kRoundsForFit && !tried_.empty(); ++round, part *= kShrinkForFit)
      evaluate(around(best().theta, part, round));
    if (tried_.empty()) return {weights, {}, std::numeric_limits<double>::infinity()};
    FittingModel found{weights, {best().theta}, best().loss};
    if (const TriedTheta* second = farthest_that_fits()) found.theta.push_back(second->theta);
    return found;
  }

 private:
  void evaluate(const std::vector<std::vector<double>>& thetas) {
    std::vector<double> rows;
    for (const std::vector<double>& theta : thetas) rows.insert(rows.end(), theta.begin(), theta.end());
    const ThetaValues values = scan_.evaluate(windows_, rows);
    for (std::size_t d = 0; d < thetas.size(); ++d)
      if (std::isfinite(values.losses[d])) tried_.push_back({thetas[d], values.losses[d]});
  }

  const TriedTheta& best() const { return *std::ranges::min_element(tried_, {}, &TriedTheta::loss); }

  std::vector<std::vector<double>> around(const std::vector<double>& centre, double part,
                                          std::size_t round) const {
    const Random random(round + 1, Purpose::analysis);
    std::vector<std::vector<double>> draws;
    for (std::size_t d = 0; d < kDrawsAround; ++d) {
      std::vector<double> u(centre.size());
      for (std::size_t p = 0; p < u.size(); ++p)
        u[p] =
            std::clamp(coordinates_.coordinate(p, centre[p]) + part * (random.uniform(d, p) - 0.5), 0.0, 1.0);
      draws.push_back(coordinates_.theta(u));
    }
    return draws;
  }

  double distance(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t p = 0; p < a.size(); ++p)
      sum += std::pow(coordinates_.coordinate(p, a[p]) - coordinates_.coordinate(p, b[p]), 2);
    return sum;
  }

  const TriedTheta* farthest_that_fits() const {
    const TriedTheta& nearest = best();
    const TriedTheta* found = nullptr;
    double farthest = 0;
    for (const TriedTheta& one : tried_) {
      const double away = distance(one.theta, nearest.theta);
      if (one.loss > kAboutAsWell * nearest.loss || away <= farthest) continue;
      farthest = away;
      found = &one;
    }
    return found;
  }

  const std::vector<std::size_t>& windows_;
  ThetaBox box_;
  ThetaCoordinates coordinates_;
  ThetaScan<float> scan_;
  std::vector<TriedTheta> tried_;
};

}  // namespace

FittingModel find_fitting_model(const OpenedRun& run, const std::vector<double>& weights,
                                const std::vector<std::size_t>& windows, ThreadPool& pool) {
  const std::vector<std::size_t> some = stratified_draw(windows, kWindowsForFit);
  FitSearch search(run, weights, some, pool);
  FittingModel hybrid = search.search(weights);
  std::vector<double> without = weights;
  std::fill_n(without.begin(), NetworkSet<double>(*run.loaded.model).n_network_weights(), 0.0);
  FittingModel theory = search.search(without);
  return !theory.theta.empty() && !(theory.loss * kAboutAsWell >= hybrid.loss) ? theory : hybrid;
}

}  // namespace greybox
