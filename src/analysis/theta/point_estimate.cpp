#include "analysis/theta/point_estimate.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "analysis/theta/minimise.hpp"
#include "analysis/theta/theta_grid.hpp"

namespace greybox {
namespace {

// What an L of twice the limit costs, in units of R where it is lowest.
constexpr double kPriceOfMisfit = 100, kLeastPrice = 1e-6;
constexpr std::size_t kPointsOfOne = 400, kPointsOfTwo = 101;  // of grids, along each axis

std::vector<double> search_points(const ModelSpec& spec, std::size_t n_points) {
  GridRequest request;
  if (n_points == 0) n_points = spec.parameters.size() == 1 ? kPointsOfOne : kPointsOfTwo;
  for (const ParameterSpec& parameter : spec.parameters)
    request.vary.push_back({parameter.name, {}, {}, n_points});
  return make_grids(spec, request).front().theta();
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
    grid_ = search_points(*loaded.spec, options.n_points);
  } else {
    objective_.emplace(loaded, weights, regularizer, n_windows, pool);
  }
}

template <class T>
PointEstimate PointEstimator<T>::search_grid(std::span<const std::size_t> windows,
                                             const LoopProgress& progress) {
  const ThetaValues values = scan_->evaluate(windows, grid_, progress);
  const std::vector<double>& of_all = values.regularizers[regularizer_];
  // The lowest of those that fit; of all, when none does.
  const auto lowest = [&](double loss_limit) {
    std::optional<std::size_t> best;
    for (std::size_t k = 0; k < of_all.size(); ++k)
      if (std::isfinite(of_all[k]) && !(values.losses[k] > loss_limit) &&
          (!best || of_all[k] < of_all[*best]))
        best = k;
    return best;
  };
  const auto theta_at = [&](std::size_t k) {
    const auto begin = grid_.begin() + static_cast<std::ptrdiff_t>(k * box_.size());
    return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(box_.size()));
  };
  const std::size_t free = lowest(std::numeric_limits<double>::infinity()).value_or(0);
  const std::size_t best = lowest(options_.loss_limit).value_or(free);
  PointEstimate found{theta_at(best), of_all[best], values.losses[best], of_all[best], of_all.size()};
  if (best != free) {
    found.unconstrained = theta_at(free);
    found.unconstrained_loss = values.losses[free];
  }
  return found;
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
    PointEstimate found = options_.method == EstimateMethod::adam
                              ? minimise_with_adam(*objective_, box_, from, options_, on_step)
                              : minimise_with_nlopt(*objective_, box_, from, options_, on_step);
    n_evaluations += found.n_evaluations;
    if (best.theta.empty() || found.total < best.total || std::isnan(best.total)) best = std::move(found);
  }
  best.n_evaluations = n_evaluations;
  return best;
}

// Once without regard to L; where that ends at a θ that does not fit, once more at a price for it.
template <class T>
PointEstimate PointEstimator<T>::estimate(std::span<const std::size_t> windows,
                                          const LoopProgress& progress) {
  if (scan_) return search_grid(windows, progress);
  objective_->set_windows(windows);
  objective_->keep_to(std::numeric_limits<double>::infinity(), 0);
  PointEstimate free = search_from_starts(progress);
  if (!(free.loss > options_.loss_limit)) return free;
  objective_->keep_to(options_.loss_limit,
                      kPriceOfMisfit * std::max(std::abs(free.regularizer), kLeastPrice));
  PointEstimate found = search_from_starts(progress);
  found.n_evaluations += free.n_evaluations;
  found.unconstrained = std::move(free.theta);
  found.unconstrained_loss = free.loss;
  return found;
}

template class PointEstimator<float>;
template class PointEstimator<double>;

}  // namespace greybox
