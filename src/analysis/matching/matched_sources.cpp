#include "analysis/matching/matched_sources.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/matching/smoothers.hpp"
#include "analysis/theta/theta_box.hpp"
#include "analysis/theta/theta_coordinates.hpp"
#include "core/random.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostPoints = 1500, kMostProjectedPoints = 600;
// Hidden states may lack as much, as a part of what they have, as measured ones are found to; times this.
constexpr double kLackOfHidden = 2, kMostLack = 1;
constexpr std::size_t kRoundsForLack = 3, kDrawsForLack = 48;
constexpr double kShrinkForLack = 0.3;

std::vector<std::size_t> within_budget(const OpenedRun& run, const std::vector<std::size_t>& windows) {
  const std::size_t n_points = matching_points(run.loaded, windows).size();
  const std::size_t most = needs_projection(*run.loaded.model) ? kMostProjectedPoints : kMostPoints;
  if (n_points <= most) return windows;
  return stratified_draw(windows, std::max<std::size_t>(windows.size() * most / n_points, 1));
}

// The least that the data ask for beyond the theory at any θ of the prior: what the measured states lack.
double least_demand(const OpenedRun& run, const MatchingPoints& points, const MatchedData& data,
                    const std::vector<double>& first) {
  std::vector<NodeId> roots;
  for (const BoundState& state : run.loaded.model->states) roots.push_back(state.derivative);
  MatchedProgram program(run.loaded, points, data, roots);
  HiddenStates hidden(run.loaded, points, data, data.weights, data.hidden);
  Demand demand(points, data, hidden, program);
  const ThetaCoordinates coordinates(run.loaded.spec->parameters);
  const Random random(0, Purpose::analysis);
  std::vector<double> centre(first.size());
  for (std::size_t p = 0; p < first.size(); ++p) centre[p] = coordinates.coordinate(p, first[p]);
  double least = demand.size(first), width = 1;
  for (std::size_t round = 0; round < kRoundsForLack; ++round, width *= kShrinkForLack) {
    std::vector<double> best = centre;
    for (std::size_t d = 0; d < kDrawsForLack; ++d) {
      std::vector<double> u = centre;
      for (std::size_t p = 0; p < u.size(); ++p)
        u[p] = std::clamp(centre[p] + width * (random.uniform(round * kDrawsForLack + d, p) - 0.5), 0.0, 1.0);
      const double size = demand.size(coordinates.theta(u));
      if (!(size < least)) continue;
      least = size;
      best = u;
    }
    centre = best;
  }
  return least;
}

// No network stands in for what the equations of hidden states lack, and where they start is known from a
// prior alone: what the data ask for must hold with starts that ask for least, and with a loss or gain that
// the theory does not know.
void add_hidden_variants(const OpenedRun& run, const std::vector<std::size_t>& hidden, MatchedSources& made) {
  if (has_learned_start(*run.loaded.model, hidden)) {
    made.sources.push_back(made.sources.front());
    made.sources.back().data.starts = HiddenStarts::like_prior;
    made.sources.push_back(made.sources.front());
    made.sources.back().data.starts = HiddenStarts::least;
  }
  const MatchedSource last = made.sources.back();
  const double lack = least_demand(run, made.points, last.data, last.theta);
  made.lack = std::min(kLackOfHidden * lack, kMostLack);
  const std::vector<double> paces =
      HiddenStates(run.loaded, made.points, last.data, last.data.weights, hidden).paces(last.theta);
  for (const double side : {1.0, -1.0}) {
    made.sources.push_back(last);
    for (double pace : paces) made.sources.back().data.drifts.push_back(side * made.lack * pace);
  }
}

void describe_hidden(const BoundModel& model, const std::vector<std::size_t>& hidden, MatchedSources& made) {
  std::vector<std::string> names;
  for (std::size_t s : hidden) names.push_back(fmt::format("`{}`", model.states[s].name));
  const std::string all = fmt::format("{}", fmt::join(names, ", "));
  made.note = fmt::format(
      "{} {} not measured, and integrated along the measured states at each θ{}, with the theory's rate and "
      "with a loss or gain of up to {:.0f} % of it",
      all, hidden.size() == 1 ? "is" : "are",
      has_learned_start(model, hidden)
          ? ", from learned starts, from these brought to their prior, and from those that ask for the least "
            "correction"
          : "",
      100 * made.lack);
  made.advice = fmt::format(
      "No network corrects the equation{} of {}, which no column measures: this holds as long as {} lack{} "
      "no more "
      "than some {:.0f} % of {} rate{}.",
      hidden.size() == 1 ? "" : "s", all, hidden.size() == 1 ? "it" : "they", hidden.size() == 1 ? "s" : "",
      100 * made.lack, hidden.size() == 1 ? "its" : "their", hidden.size() == 1 ? "" : "s");
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
  const std::vector<double> middle = ThetaBox(run.loaded.spec->parameters).middle();
  const auto add = [&](std::size_t network, const std::vector<double>& weights,
                       const std::vector<double>& theta, std::size_t basis_rank) {
    MatchedData data = match_data(run.loaded, made.points, measured, {weights, theta, basis_rank}, pool);
    Projections projections = make_projections(run.loaded, made.points, data, middle);
    made.sources.push_back({network, std::move(data), std::move(projections), theta});
  };
  if (run.loaded.model->is_algebraic()) {
    add(0, networks.weights[0], middle, 0);
    return made;
  }
  for (std::size_t network = 0; network < networks.size(); ++network) {
    const FittingModel fitting = find_fitting_model(run, networks.weights[network], choice.windows, pool);
    const std::size_t n_thetas =
        networks.size() == 1 ? fitting.theta.size() : std::min<std::size_t>(fitting.theta.size(), 1);
    for (std::size_t k = 0; k < n_thetas; ++k) add(network, fitting.weights, fitting.theta[k], 0);
    if (!fitting.theta.empty() && networks.size() == 1) add(network, fitting.weights, fitting.theta[0], 1);
  }
  if (made.sources.empty()) {
    made.obstacle = "no θ gives finite trajectories";
  } else if (!hidden.empty()) {
    add_hidden_variants(run, hidden, made);
    describe_hidden(*run.loaded.model, hidden, made);
  }
  return made;
}

void add_opposite_starts(MatchedSources& made) {
  const auto least = std::ranges::find_if(
      made.sources, [](const MatchedSource& source) { return source.data.starts == HiddenStarts::least; });
  if (least == made.sources.end()) return;
  MatchedSource opposite = *least;
  opposite.data.starts = HiddenStarts::opposite;
  made.sources.push_back(std::move(opposite));
}

}  // namespace greybox
