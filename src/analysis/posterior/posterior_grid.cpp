#include "analysis/posterior/posterior_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/theta/prior_density.hpp"
#include "analysis/theta/theta_grid.hpp"
#include "core/limits.hpp"
#include "train/prior.hpp"

namespace greybox {
namespace {

constexpr std::size_t kDensityPointsOfOne = 801, kDensityPointsOfTwo = 121;
constexpr double kPriorTail = 1e-6;   // where a prior has no bound, the grid leaves out so much of it
constexpr double kNegligible = 1e-8;  // of the highest marginal mass
constexpr double kCutOff = 1e-4;      // more than this part of it at an end: the grid is too narrow
constexpr std::size_t kMostRounds = 12, kMostWidenings = 40;

GridAxes whole_prior(const std::vector<ParameterSpec>& parameters) {
  GridAxes axes;
  for (const ParameterSpec& parameter : parameters) {
    const Prior prior(parameter);
    const auto end = [&](double bound, double u) {
      return std::isfinite(bound) && !(parameter.prior == PriorKind::lognormal && bound == 0)
                 ? bound
                 : prior.draw(prior.start(), u);
    };
    axes.push_back(axis_values(end(parameter.low, kPriorTail), end(parameter.high, 1 - kPriorTail),
                               parameters.size() == 1 ? kDensityPointsOfOne : kDensityPointsOfTwo,
                               parameter.is_log));
  }
  return axes;
}

// log p(θ) + log width of the cell, along one axis.
std::vector<double> prior_logs(const std::vector<double>& axis, const ParameterSpec& parameter) {
  const PriorDensity prior(parameter);
  const std::vector<double> edges = cell_edges(axis);
  std::vector<double> logs;
  for (std::size_t i = 0; i < axis.size(); ++i) {
    const double log = prior.log_density(axis[i]) + std::log(edges[i + 1] - edges[i]);
    logs.push_back(std::isnan(log) ? -kInfinity : log);  // a lognormal one at 0
  }
  return logs;
}

PosteriorGrid weigh(GridAxes axes, const std::vector<double>& regularizer,
                    const std::vector<ParameterSpec>& parameters, double beta) {
  std::vector<double> logs = prior_logs(axes[0], parameters[0]);
  if (axes.size() == 2) {
    std::vector<double> both;
    for (double first : logs)
      for (double second : prior_logs(axes[1], parameters[1])) both.push_back(first + second);
    logs = std::move(both);
  }
  double highest = -kInfinity;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    logs[i] = std::isfinite(regularizer[i]) ? logs[i] - beta * regularizer[i] : -kInfinity;
    highest = std::max(highest, logs[i]);
  }
  if (highest == -kInfinity) return {std::move(axes), {}};
  for (double& value : logs) value = std::exp(value - highest);
  const double sum = std::accumulate(logs.begin(), logs.end(), 0.0);
  for (double& value : logs) value /= sum;
  return {std::move(axes), std::move(logs)};
}

// The part of an axis that matters, one cell wider on each side; the same axis when that is more than half of
// it.
std::vector<double> closed_in(const std::vector<double>& axis, const std::vector<double>& mass, bool is_log) {
  const double limit = kNegligible * *std::max_element(mass.begin(), mass.end());
  const auto matters = [&](double m) { return m > limit; };
  const auto first = static_cast<std::size_t>(std::find_if(mass.begin(), mass.end(), matters) - mass.begin());
  const auto after = mass.size() - static_cast<std::size_t>(
                                       std::find_if(mass.rbegin(), mass.rend(), matters) - mass.rbegin());
  const std::size_t from = first > 0 ? first - 1 : 0, to = std::min(after, axis.size() - 1);
  if (2 * (to - from) > axis.size()) return axis;
  return axis_values(axis[from], axis[to], axis.size(), is_log);
}

// Twice as long beyond each end that is no bound and holds mass; the same axis where there is none.
std::vector<double> widened(const std::vector<double>& axis, const std::vector<double>& mass,
                            const ParameterSpec& parameter) {
  const double limit = kCutOff * *std::max_element(mass.begin(), mass.end());
  const bool is_log = parameter.is_log;
  const double length = is_log ? std::log(axis.back() / axis.front()) : axis.back() - axis.front();
  const auto beyond = [&](double end, double by) { return is_log ? end * std::exp(by) : end + by; };
  double low = axis.front(), high = axis.back();
  // Half a cell at an end weighs as much as a whole one of half the density.
  if (2 * mass.front() > limit) low = std::max(beyond(low, -length), parameter.low);
  if (2 * mass.back() > limit) high = std::min(beyond(high, length), parameter.high);
  if (low == axis.front() && high == axis.back()) return axis;
  return std::isfinite(high - low) && (!is_log || low > 0) ? axis_values(low, high, axis.size(), is_log)
                                                           : axis;
}

}  // namespace

PosteriorGrid close_in(const GridFunction& regularizer, const std::vector<ParameterSpec>& parameters,
                       double beta) {
  GridAxes axes = whole_prior(parameters);
  PosteriorGrid grid = weigh(axes, regularizer(axes), parameters, beta);
  const auto changed = [&](auto&& change) {
    GridAxes next;
    for (std::size_t k = 0; k < axes.size(); ++k)
      next.push_back(change(axes[k], marginal(grid, k), parameters[k]));
    if (next == axes) return false;
    axes = std::move(next);
    grid = weigh(axes, regularizer(axes), parameters, beta);
    return true;
  };
  const auto closer = [](const auto& axis, const auto& mass, const ParameterSpec& parameter) {
    return closed_in(axis, mass, parameter.is_log);
  };
  std::size_t n_closer = 0, n_wider = 0;
  while (!grid.mass.empty()) {
    if (n_wider < kMostWidenings && changed(widened)) {
      ++n_wider;
      continue;
    }
    if (n_closer == kMostRounds || !changed(closer)) break;
    ++n_closer;
  }
  grid.is_cut = !grid.mass.empty() && n_wider == kMostWidenings;
  return grid;
}

std::vector<double> cell_edges(const std::vector<double>& axis) {
  std::vector<double> edges = {axis.front()};
  for (std::size_t i = 0; i + 1 < axis.size(); ++i) edges.push_back((axis[i] + axis[i + 1]) / 2);
  edges.push_back(axis.back());
  return edges;
}

std::vector<double> marginal(const PosteriorGrid& grid, std::size_t axis) {
  if (grid.axes.size() == 1) return grid.mass;
  const std::size_t n_last = grid.axes[1].size();
  std::vector<double> sums(grid.axes[axis].size());
  for (std::size_t i = 0; i < grid.mass.size(); ++i)
    sums[axis == 0 ? i / n_last : i % n_last] += grid.mass[i];
  return sums;
}

BinnedMoments binned_moments(const std::vector<double>& edges, const std::vector<double>& mass) {
  double mean = 0, variance = 0;
  for (std::size_t i = 0; i < mass.size(); ++i) mean += mass[i] * (edges[i] + edges[i + 1]) / 2;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    const double off = (edges[i] + edges[i + 1]) / 2 - mean, width = edges[i + 1] - edges[i];
    variance += mass[i] * (off * off + width * width / 12);
  }
  return {mean, std::sqrt(variance)};
}

double binned_quantile(const std::vector<double>& edges, const std::vector<double>& mass, double p) {
  double below = 0;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    if (mass[i] > 0 && below + mass[i] >= p)
      return edges[i] + (p - below) / mass[i] * (edges[i + 1] - edges[i]);
    below += mass[i];
  }
  return edges.back();
}

std::vector<double> draw_from(const PosteriorGrid& grid, std::size_t n,
                              const std::function<double()>& uniform) {
  std::vector<double> sums(grid.mass.size());
  std::partial_sum(grid.mass.begin(), grid.mass.end(), sums.begin());
  std::vector<std::vector<double>> edges;
  for (const std::vector<double>& axis : grid.axes) edges.push_back(cell_edges(axis));
  std::vector<double> draws(n * grid.axes.size());
  for (std::size_t i = 0; i < n; ++i) {
    const auto found = std::lower_bound(sums.begin(), sums.end(), uniform() * sums.back());
    auto cell = static_cast<std::size_t>(found - sums.begin());
    for (std::size_t k = grid.axes.size(); k-- > 0; cell /= grid.axes[k].size()) {
      const std::size_t j = cell % grid.axes[k].size();
      draws[i * grid.axes.size() + k] = edges[k][j] + uniform() * (edges[k][j + 1] - edges[k][j]);
    }
  }
  return draws;
}

}  // namespace greybox
