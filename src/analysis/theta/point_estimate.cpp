#include "analysis/theta/point_estimate.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "analysis/theta/minimise.hpp"
#include "analysis/theta/theta_grid.hpp"

namespace greybox {
namespace {

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
PointEstimate PointEstimator<T>::search_grid(std::span<const std::size_t> windows) {
  const ThetaValues values = scan_->evaluate(windows, grid_);
  const std::vector<double>& of_all = values.regularizers[regularizer_];
  std::size_t best = 0;
  for (std::size_t k = 1; k < of_all.size(); ++k)
    if (of_all[k] < of_all[best] || std::isnan(of_all[best])) best = k;
  const auto begin = grid_.begin() + static_cast<std::ptrdiff_t>(best * box_.size());
  return {{begin, begin + static_cast<std::ptrdiff_t>(box_.size())},
          of_all[best],
          values.losses[best],
          of_all.size()};
}

template <class T>
PointEstimate PointEstimator<T>::estimate(std::span<const std::size_t> windows) {
  if (scan_) return search_grid(windows);
  objective_->set_windows(windows);
  PointEstimate best;
  best.regularizer = std::numeric_limits<double>::quiet_NaN();
  std::size_t n_evaluations = 0;
  for (std::size_t start = 0; start < options_.n_starts; ++start) {
    const std::vector<double> from = box_.draw(options_.seed, start);
    PointEstimate found = options_.method == EstimateMethod::adam
                              ? minimise_with_adam(*objective_, box_, from, options_)
                              : minimise_with_nlopt(*objective_, box_, from, options_);
    n_evaluations += found.n_evaluations;
    if (best.theta.empty() || found.regularizer < best.regularizer || std::isnan(best.regularizer))
      best = std::move(found);
  }
  best.n_evaluations = n_evaluations;
  return best;
}

template class PointEstimator<float>;
template class PointEstimator<double>;

}  // namespace greybox
