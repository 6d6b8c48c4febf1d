#include "analysis/theta/point_estimate.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "analysis/theta/minimise.hpp"
#include "analysis/theta/search_range.hpp"
#include "analysis/theta/theta_grid.hpp"

namespace greybox {
namespace {

// What an L of twice the limit costs, in units of the size of R.
constexpr double kPriceOfMisfit = 100, kLeastSize = 1e-6;
// DIRECT never tries the ends themselves.
constexpr double kEndOfBox = 0.02;
constexpr std::size_t kPointsOfOne = 400, kPointsOfTwo = 101;  // of grids, along each axis

// All points of a grid over one or two parameters, the last running fastest.
std::vector<double> search_points(const SearchRange& range, std::size_t n_points) {
  const ThetaBox& box = range.box();
  if (n_points == 0) n_points = box.size() == 1 ? kPointsOfOne : kPointsOfTwo;
  std::vector<std::vector<double>> axes;
  for (std::size_t p = 0; p < box.size(); ++p)
    axes.push_back(axis_values(range.theta_low(p), range.theta_high(p), n_points, box.is_log(p)));
  std::vector<double> theta;
  for (double first : axes[0]) {
    if (axes.size() == 1) theta.push_back(first);
    for (std::size_t j = 0; axes.size() == 2 && j < n_points; ++j)
      theta.insert(theta.end(), {first, axes[1][j]});
  }
  return theta;
}

}  // namespace

std::string to_string(EstimateMethod method) {
  constexpr std::array kNames = {"grid", "adam", "lbfgs", "bobyqa", "direct"};
  return kNames[static_cast<std::size_t>(method)];
}

PointOptions default_options(EstimateMethod method) {
  PointOptions options;
  options.method = method;
  const bool is_local = method == EstimateMethod::lbfgs || method == EstimateMethod::bobyqa;
  options.n_starts = is_local ? 8 : 1;
  options.n_steps = is_local ? 500 : 2000;
  return options;
}

template <class T>
PointEstimator<T>::PointEstimator(const LoadedModel& loaded, std::span<const double> weights,
                                  std::size_t regularizer, std::size_t n_windows, ThreadPool& pool,
                                  const PointOptions& options)
    : options_(options), regularizer_(regularizer), box_(loaded.spec->parameters) {
  if (options.method == EstimateMethod::grid) {
    scan_.emplace(loaded, weights, n_windows, pool);
  } else {
    objective_.emplace(loaded, weights, regularizer, n_windows, pool);
  }
}

template <class T>
PointEstimate PointEstimator<T>::search_grid(std::span<const std::size_t> windows, const SearchRange& range,
                                             double loss_limit, const LoopProgress& progress) {
  const std::vector<double> grid = search_points(range, options_.n_points);
  const auto [scanned, is_new] = scanned_.try_emplace(grid);
  if (is_new) scanned->second = scan_->evaluate(windows, grid, progress);
  const ThetaValues& values = scanned->second;
  const std::vector<double>& of_all = values.regularizers[regularizer_];
  // The lowest of those that fit; of all, when none does.
  const auto lowest = [&](double limit) {
    std::optional<std::size_t> best;
    for (std::size_t k = 0; k < of_all.size(); ++k)
      if (std::isfinite(of_all[k]) && !(values.losses[k] > limit) && (!best || of_all[k] < of_all[*best]))
        best = k;
    return best;
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::optional<std::size_t> fitting = lowest(loss_limit);
  const std::size_t best = fitting ? *fitting : lowest(infinity).value_or(0);
  const auto begin = grid.begin() + static_cast<std::ptrdiff_t>(best * box_.size());
  return {std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(box_.size())), of_all[best],
          values.losses[best], fitting ? of_all[best] : infinity, is_new ? of_all.size() : 0};
}

template <class T>
PointEstimate PointEstimator<T>::search(std::span<const std::size_t> windows, double loss_limit,
                                        const LoopProgress& progress) {
  if (!scan_) return search_from_starts(progress);
  return search_beyond(
      box_, 0, [&](const SearchRange& range) { return search_grid(windows, range, loss_limit, progress); });
}

template <class T>
PointEstimate PointEstimator<T>::minimise_from(const std::vector<double>& start, const OnStep& on_step) {
  if (options_.method == EstimateMethod::adam)
    return minimise_with_adam(*objective_, box_, start, options_, on_step);
  const auto within = [&](const SearchRange& range) {
    return minimise_with_nlopt(*objective_, range, start, options_, on_step);
  };
  return options_.method == EstimateMethod::direct ? search_beyond(box_, kEndOfBox, within)
                                                   : within(SearchRange(box_));
}

template <class T>
PointEstimate PointEstimator<T>::search_from_starts(const LoopProgress& progress) {
  PointEstimate best;
  best.regularizer = best.total = std::numeric_limits<double>::quiet_NaN();
  std::size_t n_evaluations = 0;
  for (std::size_t start = 0; start < options_.n_starts; ++start) {
    const std::vector<double> from = box_.draw(options_.seed, start);
    const auto on_step = [&](std::size_t n_steps) {
      if (progress) progress(start * options_.n_steps + n_steps, options_.n_starts * options_.n_steps);
    };
    PointEstimate found = minimise_from(from, on_step);
    n_evaluations += found.n_evaluations;
    if (best.theta.empty() || found.total < best.total || std::isnan(best.total)) best = std::move(found);
  }
  best.n_evaluations = n_evaluations;
  return best;
}

// Its lowest value may be 0: how far it rises from there to the middle of the box counts too.
template <class T>
double PointEstimator<T>::size_of_regularizer(const PointEstimate& lowest) {
  const double in_the_middle = objective_->evaluate(box_.middle()).regularizer;
  const double rise = std::isfinite(in_the_middle) ? in_the_middle - lowest.regularizer : 0;
  return std::max({std::abs(lowest.regularizer), rise, kLeastSize});
}

// Once without regard to L; where that ends at a θ that does not fit, once more at a price for it.
template <class T>
PointEstimate PointEstimator<T>::estimate(std::span<const std::size_t> windows,
                                          const LoopProgress& progress) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  scanned_.clear();
  if (objective_) {
    objective_->set_windows(windows);
    objective_->keep_to(infinity, 0);
  }
  PointEstimate free = search(windows, infinity, progress);
  if (!(free.loss > options_.loss_limit)) return free;
  if (objective_) objective_->keep_to(options_.loss_limit, kPriceOfMisfit * size_of_regularizer(free));
  PointEstimate found = search(windows, options_.loss_limit, progress);
  found.n_evaluations += free.n_evaluations;
  if (found.theta == free.theta) return found;
  found.unconstrained = std::move(free.theta);
  found.unconstrained_loss = free.loss;
  return found;
}

template class PointEstimator<float>;
template class PointEstimator<double>;

}  // namespace greybox
