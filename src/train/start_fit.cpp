#include "train/start_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/start_slots.hpp"

namespace greybox {
namespace {

constexpr std::size_t kKnown = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kMostFitSteps = 12;
// In standard deviations of the prior: of the difference quotients, of a step, and of one that no longer
// matters.
constexpr double kStartShift = 1e-3, kLongestStartStep = 2, kSmallStartStep = 1e-4;
// Bounds alone do not say where a start is that nothing observed depends on: it stays in their middle.
constexpr double kWeakPenalty = 1e-4;
constexpr double kLeastVariance = 1e-8;
// Of a parameter's range to either side, where slopes are taken.
constexpr double kSlopeReach = 0.7;

WindowData cut_windows(const WindowData& data, std::size_t n_rows) {
  WindowData cut = data;
  for (Window& window : cut.windows)
    window.n_rows = std::min(window.n_rows, std::max<std::size_t>(n_rows, 2));
  return cut;
}

double penalty(bool has_penalty) {
  return has_penalty ? 1 : kWeakPenalty;
}

}  // namespace

StartFit::StartFit(const LoadedModel& loaded, std::vector<std::size_t> windows,
                   const std::vector<std::size_t>& trained, ThreadPool& pool)
    : loaded_(loaded),
      windows_(std::move(windows)),
      cut_(cut_windows(loaded.data->windows(), loaded.spec->data.window.observed)),
      places_(*loaded.model),
      engine_(loaded.plan, cut_, pool, {.capacity = std::max<std::size_t>(windows_.size(), 1)}) {
  find_unknowns(trained);
  const std::size_t n = windows_.size() * engine_.n_outputs();
  for (const Observed& observed : loaded.model->observed) {
    const std::size_t points = loaded.model->points(loaded.model->graph[observed.value].shape);
    kept_.observed.emplace_back(n * points);
    kept_.spreads.emplace_back(observed.noise && observed.noise->node ? n * points : 0);
  }
}

// Starts that windows share tie these together; else each window is a group of its own.
void StartFit::find_unknowns(const std::vector<std::size_t>& trained) {
  const BoundModel& model = *loaded_.model;
  const bool has_shared = std::ranges::any_of(
      model.starts, [](const LearnedStart& start) { return start.per == StartOwner::series; });
  std::map<std::size_t, std::size_t> group_of;
  unknown_of_.assign(model.starts.size(), std::vector<std::size_t>(windows_.size(), kKnown));
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const std::size_t key = has_shared ? cut_.windows[windows_[i]].series : windows_[i];
    const std::size_t group = group_of.try_emplace(key, groups_.size()).first->second;
    if (group == groups_.size()) groups_.emplace_back();
    groups_[group].windows.push_back(i);
  }
  for (std::size_t k = 0; k < model.starts.size(); ++k) {
    const std::vector<std::size_t>& slots = cut_.start_slots[k];
    std::map<std::size_t, std::size_t> found;
    for (std::size_t w : trained) found[slots[w]] = kKnown;
    for (std::size_t i = 0; i < windows_.size(); ++i) {
      if (model.starts[k].per == StartOwner::run) continue;
      const std::size_t slot = slots[windows_[i]];
      const auto [at, is_new] = found.try_emplace(slot, unknowns_.size());
      unknown_of_[k][i] = at->second;
      if (!is_new) continue;
      const std::size_t key = has_shared ? cut_.windows[windows_[i]].series : windows_[i];
      Group& group = groups_[group_of[key]];
      unknowns_.push_back({k, places_.start_offset(k, slot), group_of[key], group.unknowns.size(),
                           model.starts[k].has_penalty});
      group.unknowns.push_back(unknowns_.size() - 1);
    }
  }
}

bool StartFit::is_possible() const {
  return !unknowns_.empty() && loaded_.spec->data.window.observed > 1;
}

std::vector<std::size_t> StartFit::positions() const {
  std::vector<std::size_t> positions;
  for (const Unknown& unknown : unknowns_) positions.push_back(unknown.position);
  return positions;
}

std::vector<std::vector<double>> StartFit::residuals(const StartFitAt& at, std::span<const double> weights) {
  const BoundModel& model = *loaded_.model;
  engine_.set_weights(weights);
  if (!at.noise.empty()) engine_.set_noise(at.noise);
  engine_.forward({&cut_, windows_, at.theta}, &kept_);
  std::vector<std::vector<double>> residuals(windows_.size());
  for (std::size_t o = 0; o < model.observed.size(); ++o) {
    const Observed& observed = model.observed[o];
    const Column& column = *cut_.columns[observed.column];
    const std::size_t points = column.points(), n_outputs = engine_.n_outputs();
    for (std::size_t i = 0; i < windows_.size(); ++i) {
      const Window& window = cut_.windows[windows_[i]];
      for (std::size_t place = 0; place < (window.n_rows - 1) * points; ++place) {
        const double measured = column.at(window.first_row + 1 + place / points, place % points);
        if (std::isnan(measured)) continue;
        const std::size_t at_place = i * n_outputs * points + place;
        const double predicted = kept_.observed[o][at_place];
        residuals[i].push_back(
            observed.noise ? observed.noise->family->standardised(
                                 {predicted, measured,
                                  observed.noise->node ? kept_.spreads[o][at_place] : engine_.noise()[o],
                                  observed.noise->df})
                           : (predicted - measured) /
                                 (observed.scale * std::sqrt(std::max(at.variance, kLeastVariance))));
      }
    }
  }
  for (std::size_t i = 0; i < windows_.size(); ++i)
    if (engine_.outcomes()[i] != Outcome::finished) residuals[i].assign(residuals[i].size(), std::nan(""));
  return residuals;
}

double StartFit::cost(const Group& group, const std::vector<std::vector<double>>& residuals,
                      std::span<const double> weights) const {
  double sum = 0;
  for (std::size_t i : group.windows)
    for (double residual : residuals[i]) sum += residual * residual / 2;
  for (std::size_t u : group.unknowns) {
    const double standard = kStartPace * weights[unknowns_[u].position];
    sum += penalty(unknowns_[u].has_penalty) * standard * standard / 2;
  }
  return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
}

// `shifted`: residuals with each learned start a little larger, [start][window].
void StartFit::set_steps(Group& group, const std::vector<std::vector<double>>& residuals,
                         const std::vector<std::vector<std::vector<double>>>& shifted,
                         std::span<const double> weights, std::vector<double>& steps) const {
  const auto n = static_cast<Eigen::Index>(group.unknowns.size());
  Eigen::MatrixXd curvature = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd slope = Eigen::VectorXd::Zero(n);
  for (std::size_t i : group.windows)
    for (std::size_t k = 0; k < shifted.size(); ++k) {
      const std::size_t u = unknown_of_[k][i];
      if (u == kKnown) continue;
      const auto row = static_cast<Eigen::Index>(unknowns_[u].index);
      for (std::size_t r = 0; r < residuals[i].size(); ++r) {
        const double by_row = (shifted[k][i][r] - residuals[i][r]) / kStartShift;
        slope[row] += by_row * residuals[i][r];
        for (std::size_t other = 0; other < shifted.size(); ++other)
          if (const std::size_t v = unknown_of_[other][i]; v != kKnown)
            curvature(row, static_cast<Eigen::Index>(unknowns_[v].index)) +=
                by_row * (shifted[other][i][r] - residuals[i][r]) / kStartShift;
      }
    }
  for (std::size_t u : group.unknowns) {
    const auto row = static_cast<Eigen::Index>(unknowns_[u].index);
    const double weight = penalty(unknowns_[u].has_penalty);
    slope[row] += weight * kStartPace * weights[unknowns_[u].position];
    curvature(row, row) = (curvature(row, row) + weight) * (1 + group.damping);
  }
  const Eigen::VectorXd step = -curvature.ldlt().solve(slope);
  for (std::size_t u : group.unknowns) {
    const double found = step[static_cast<Eigen::Index>(unknowns_[u].index)];
    steps[u] = std::isfinite(found) ? std::clamp(found, -kLongestStartStep, kLongestStartStep) : 0;
  }
}

void StartFit::fit(const StartFitAt& at, std::span<double> weights) {
  const std::size_t width = loaded_.model->start_width();
  for (const Unknown& unknown : unknowns_) std::fill_n(&weights[unknown.position], width, 0.0);
  if (!is_possible()) return;
  std::vector<std::vector<double>> here = residuals(at, weights);
  for (Group& group : groups_) {
    group.cost = cost(group, here, weights);
    group.damping = 1e-3;
    group.is_done = group.unknowns.empty();
  }
  std::vector<double> steps(unknowns_.size()), moved;
  for (std::size_t round = 0; round < kMostFitSteps; ++round) {
    std::vector<std::vector<std::vector<double>>> shifted;
    for (std::size_t k = 0; k < unknown_of_.size(); ++k) {
      moved.assign(weights.begin(), weights.end());
      for (const Unknown& unknown : unknowns_)
        if (unknown.start == k) moved[unknown.position] += kStartShift / kStartPace;
      shifted.push_back(residuals(at, moved));
    }
    moved.assign(weights.begin(), weights.end());
    std::ranges::fill(steps, 0.0);
    for (Group& group : groups_)
      if (!group.is_done) set_steps(group, here, shifted, weights, steps);
    for (std::size_t u = 0; u < unknowns_.size(); ++u) moved[unknowns_[u].position] += steps[u] / kStartPace;
    const std::vector<std::vector<double>> there = residuals(at, moved);
    bool is_done = true;
    for (Group& group : groups_) {
      if (group.is_done) continue;
      const double reached = cost(group, there, moved);
      double longest = 0;
      for (std::size_t u : group.unknowns) longest = std::max(longest, std::abs(steps[u]));
      const bool is_better = reached < group.cost;
      group.is_done = longest < kSmallStartStep || (!is_better && group.damping > 1e6);
      group.damping *= is_better ? 0.2 : 10;
      is_done = is_done && group.is_done;
      if (!is_better) continue;
      group.cost = reached;
      for (std::size_t u : group.unknowns) weights[unknowns_[u].position] = moved[unknowns_[u].position];
      for (std::size_t i : group.windows) here[i] = there[i];
    }
    if (is_done) break;
  }
}

namespace {

std::vector<double> rows_of_theta(const std::vector<double>& theta, std::size_t n) {
  std::vector<double> rows;
  for (std::size_t i = 0; i < n; ++i) rows.insert(rows.end(), theta.begin(), theta.end());
  return rows;
}

std::vector<double> spreads_of(const BoundModel& model, const std::map<std::string, double>& noise) {
  std::vector<double> spreads;
  for (const Observed& observed : model.observed) {
    const auto found = noise.find(observed.name);
    spreads.push_back(found != noise.end() ? found->second : observed.noise ? observed.noise->spread : 1);
  }
  return spreads;
}

}  // namespace

std::vector<double> complete_starts(const LoadedModel& loaded, std::vector<double> weights,
                                    const StartKnowledge& known, ThreadPool& pool) {
  if (loaded.model->starts.empty()) return weights;
  StartFit fit(loaded, loaded.data->all(), known.trained, pool);
  const std::vector<double> noise = spreads_of(*loaded.model, known.noise);
  const auto fit_at = [&](const std::vector<double>& theta) {
    const std::vector<double> rows = rows_of_theta(theta, fit.windows().size());
    fit.fit({rows, noise, known.variance}, weights);
    std::vector<double> found;
    for (std::size_t position : fit.positions()) found.push_back(weights[position]);
    return found;
  };
  const std::vector<ParameterSpec>& parameters = loaded.spec->parameters;
  const bool is_adaptive = known.theta.empty() && !parameters.empty();
  if (!is_adaptive || !fit.is_possible()) {
    fit_at(known.theta.empty() ? std::vector<double>(parameters.size()) : known.theta);
    return weights;
  }
  std::vector<double> middle;
  for (const ParameterSpec& parameter : parameters) middle.push_back(standard_of(parameter).theta_at(0));
  std::vector<std::vector<double>> slopes;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    std::vector<double> low = middle, high = middle;
    low[p] = standard_of(parameters[p]).theta_at(-kSlopeReach);
    high[p] = standard_of(parameters[p]).theta_at(kSlopeReach);
    const std::vector<double> at_low = fit_at(low), at_high = fit_at(high);
    std::vector<double>& slope = slopes.emplace_back();
    for (std::size_t u = 0; u < at_low.size(); ++u)
      slope.push_back((at_high[u] - at_low[u]) / (2 * kSlopeReach));
  }
  fit_at(middle);
  const std::vector<std::size_t> positions = fit.positions();
  for (std::size_t p = 0; p < slopes.size(); ++p)
    for (std::size_t u = 0; u < positions.size(); ++u) weights[positions[u] + 1 + p] = slopes[p][u];
  return weights;
}

std::vector<double> weights_on(const LoadedModel& loaded, const BoundModel& trained,
                               const std::vector<double>& weights, const StartKnowledge& known,
                               ThreadPool& pool) {
  const NetworkSet<double> from(trained), to(*loaded.model);
  if (trained.starts.empty()) return weights;
  std::vector<double> carried(to.n_weights());
  std::copy_n(weights.begin(), from.n_network_weights(), carried.begin());
  for (std::size_t k = 0; k < loaded.model->starts.size(); ++k) {
    const LearnedStart& start = loaded.model->starts[k];
    if (start.per != StartOwner::run) continue;
    // A simulation may have fewer learned states than the model.
    for (std::size_t j = 0; j < trained.starts.size(); ++j)
      if (trained.states[trained.starts[j].state].name == loaded.model->states[start.state].name)
        std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(from.start_offset(j, 0)),
                    loaded.model->start_width(),
                    carried.begin() + static_cast<std::ptrdiff_t>(to.start_offset(k, 0)));
  }
  return complete_starts(loaded, std::move(carried), known, pool);
}

}  // namespace greybox
