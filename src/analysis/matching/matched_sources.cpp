#include "analysis/matching/matched_sources.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/theta/theta_box.hpp"
#include "analysis/theta/theta_coordinates.hpp"
#include "analysis/theta/theta_scan.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostPoints = 1500, kMostProjectedPoints = 600;
constexpr std::size_t kDrawsForFit = 96, kWindowsForFit = 48;
// A second θ fits about as well when its L is within this factor.
constexpr double kAboutAsWell = 2;

std::vector<std::size_t> within_budget(const OpenedRun& run, const std::vector<std::size_t>& windows) {
  const std::size_t n_points = matching_points(run.loaded, windows).size();
  const std::size_t most = has_constrained_network(*run.loaded.model) ? kMostProjectedPoints : kMostPoints;
  if (n_points <= most) return windows;
  return evenly_spaced(windows, std::max<std::size_t>(windows.size() * most / n_points, 1));
}

double distance(const ThetaCoordinates& coordinates, const std::vector<double>& a,
                const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t p = 0; p < a.size(); ++p)
    sum += std::pow(coordinates.coordinate(p, a[p]) - coordinates.coordinate(p, b[p]), 2);
  return sum;
}

}  // namespace

FittingThetas fitting_thetas(const OpenedRun& run, std::span<const double> weights,
                             const std::vector<std::size_t>& windows, ThreadPool& pool) {
  const std::vector<std::size_t> some = evenly_spaced(windows, kWindowsForFit);
  const ThetaBox box(run.loaded.spec->parameters);
  std::vector<std::vector<double>> draws{box.middle()};
  for (std::size_t d = 1; d < kDrawsForFit; ++d) draws.push_back(box.draw(0, d));
  std::vector<double> theta;
  for (const std::vector<double>& draw : draws) theta.insert(theta.end(), draw.begin(), draw.end());
  const ThetaValues values = ThetaScan<float>(run.loaded, weights, some.size(), pool).evaluate(some, theta);
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < draws.size(); ++d)
    if (std::isfinite(values.losses[d])) order.push_back(d);
  if (order.empty()) return {};
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values.losses[a] < values.losses[b]; });
  FittingThetas found{{draws[order[0]]}};
  const ThetaCoordinates coordinates(run.loaded.spec->parameters);
  double farthest = 0;
  std::size_t second = order[0];
  for (std::size_t d : order) {
    if (values.losses[d] > kAboutAsWell * values.losses[order[0]]) break;
    const double away = distance(coordinates, draws[d], draws[order[0]]);
    if (away > farthest) {
      farthest = away;
      second = d;
    }
  }
  if (second != order[0]) found.theta.push_back(draws[second]);
  return found;
}

MatchedSources make_sources(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                            ThreadPool& pool) {
  MatchedSources made;
  made.obstacle = MatchedProgram::obstacle(*run.loaded.model);
  if (!made.obstacle.empty()) return made;
  made.points = matching_points(run.loaded, within_budget(run, choice.windows));
  if (made.points.n_windows() == 0) made.obstacle = "no window is measured from its start on";
  if (!made.obstacle.empty()) return made;
  const MeasuredStates measured = measure_states(run.loaded, made.points);
  made.obstacle = measured.obstacle;
  if (!made.obstacle.empty()) return made;
  const std::vector<double> middle = ThetaBox(run.loaded.spec->parameters).middle();
  const auto add = [&](std::size_t network, const std::vector<double>& theta, std::size_t basis_rank) {
    MatchedData data =
        match_data(run.loaded, made.points, measured, {networks.weights[network], theta, basis_rank}, pool);
    Projections projections = make_projections(run.loaded, made.points, data, middle);
    made.sources.push_back({network, std::move(data), std::move(projections), theta});
  };
  if (run.loaded.model->is_algebraic()) {
    add(0, middle, 0);
    return made;
  }
  for (std::size_t network = 0; network < networks.size(); ++network) {
    const FittingThetas fitting = fitting_thetas(run, networks.weights[network], choice.windows, pool);
    const std::size_t n_thetas =
        networks.size() == 1 ? fitting.theta.size() : std::min<std::size_t>(fitting.theta.size(), 1);
    for (std::size_t k = 0; k < n_thetas; ++k) add(network, fitting.theta[k], 0);
    if (!fitting.theta.empty() && networks.size() == 1) add(network, fitting.theta[0], 1);
  }
  if (made.sources.empty()) made.obstacle = "no θ gives finite trajectories";
  return made;
}

}  // namespace greybox
