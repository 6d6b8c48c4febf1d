#include "analysis/matching/matched_sources.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/theta/theta_box.hpp"
#include "analysis/theta/theta_coordinates.hpp"
#include "analysis/theta/theta_scan.hpp"
#include "model/start_slots.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostPoints = 1500, kMostProjectedPoints = 600;
constexpr std::size_t kDrawsForFit = 96, kWindowsForFit = 48;
// A second θ fits about as well when its L is within this factor.
constexpr double kAboutAsWell = 2;
// Of a start between bounds, which is between 0.16 and 0.84 of the way then.
constexpr double kBoundedShift = 1.7;

std::vector<std::size_t> within_budget(const OpenedRun& run, const std::vector<std::size_t>& windows) {
  const std::size_t n_points = matching_points(run.loaded, windows).size();
  const std::size_t most = needs_projection(*run.loaded.model) ? kMostProjectedPoints : kMostPoints;
  if (n_points <= most) return windows;
  return stratified_draw(windows, std::max<std::size_t>(windows.size() * most / n_points, 1));
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
  const std::vector<std::size_t> some = stratified_draw(windows, kWindowsForFit);
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

namespace {

// What is known of a learned start is its prior: what the data ask for must hold for higher and lower ones.
void add_shifted_starts(const OpenedRun& run, const std::vector<std::size_t>& hidden, MatchedSources& made) {
  const BoundModel& model = *run.loaded.model;
  const NetworkSet<double> places(model);
  const MatchedSource& first = made.sources.front();
  std::vector<MatchedSource> shifted;
  for (const double shift : {1.0, -1.0}) {
    MatchedSource source = first;
    for (std::size_t k = 0; k < model.starts.size(); ++k) {
      if (std::ranges::find(hidden, model.starts[k].state) == hidden.end()) continue;
      const double standard = shift * (model.starts[k].has_penalty ? 1 : kBoundedShift);
      for (std::size_t slot = 0; slot < model.starts[k].n_slots; ++slot)
        source.data.weights[places.start_offset(k, slot)] += standard / kStartPace;
    }
    shifted.push_back(std::move(source));
  }
  for (MatchedSource& source : shifted) made.sources.push_back(std::move(source));
}

std::string note_on(const BoundModel& model, const std::vector<std::size_t>& hidden) {
  if (hidden.empty()) return "";
  std::vector<std::string> names;
  for (std::size_t s : hidden) names.push_back(fmt::format("`{}`", model.states[s].name));
  return fmt::format("{} {} not measured, and integrated along the measured states at each θ{}",
                     fmt::join(names, ", "), hidden.size() == 1 ? "is" : "are",
                     has_learned_start(model, hidden)
                         ? ", from learned starts and from starts one sd of their priors higher and lower"
                         : "");
}

}  // namespace

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
  const std::vector<std::size_t> hidden = hidden_states(*run.loaded.model, measured);
  if (made.obstacle.empty() && !hidden.empty()) made.obstacle = obstacle_of_hidden(*run.loaded.model, hidden);
  if (made.obstacle.empty() && !hidden.empty() && needs_projection(*run.loaded.model))
    made.obstacle =
        "a state is not measured, and what a network may give is restricted by its inputs or constraints";
  if (!made.obstacle.empty()) return made;
  made.note = note_on(*run.loaded.model, hidden);
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
  if (made.sources.empty())
    made.obstacle = "no θ gives finite trajectories";
  else if (has_learned_start(*run.loaded.model, hidden))
    add_shifted_starts(run, hidden, made);
  return made;
}

}  // namespace greybox
