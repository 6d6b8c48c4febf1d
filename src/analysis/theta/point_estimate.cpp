#include "analysis/theta/point_estimate.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "analysis/theta/grid_search.hpp"
#include "analysis/theta/minimise.hpp"
#include "analysis/theta/search_range.hpp"
#include "core/packed_values.hpp"
#include "core/shared_tasks.hpp"

namespace greybox {
namespace {

// What an L of twice the limit costs, in units of the size of R.
constexpr double kPriceOfMisfit = 100, kLeastSize = 1e-6;
// DIRECT never tries the ends themselves.
constexpr double kEndOfBox = 0.02;

std::string packed(const PointEstimate& point) {
  return PackedValues()
      .put(point.theta)
      .put(point.regularizer)
      .put(point.loss)
      .put(point.total)
      .put(point.n_evaluations)
      .put(point.at_open_ends)
      .put(point.unsettled)
      .take();
}

PointEstimate unpacked(const std::string& bytes) {
  UnpackedValues values(bytes);
  PointEstimate point;
  point.theta = values.get_all<double>();
  for (double* value : {&point.regularizer, &point.loss, &point.total}) *value = values.get<double>();
  point.n_evaluations = values.get<std::size_t>();
  point.at_open_ends = values.get_all<std::size_t>();
  point.unsettled = values.get_all<std::size_t>();
  return point;
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
    : loaded_(loaded),
      weights_(weights),
      pool_(&pool),
      options_(options),
      regularizer_(regularizer),
      n_windows_(n_windows),
      box_(loaded.spec->parameters) {
  if (options.method == EstimateMethod::grid) {
    scan_.emplace(loaded, weights, n_windows, pool);
  } else {
    objective_.emplace(loaded, weights, regularizer, n_windows, pool);
  }
}

template <class T>
PointEstimator<T>::~PointEstimator() = default;

template <class T>
PointEstimate PointEstimator<T>::search_grid(std::span<const std::size_t> windows, const SearchRange& range,
                                             double loss_limit, const LoopProgress& progress) {
  std::vector<std::vector<double>> axes = search_axes(range, options_.n_points);
  std::unique_ptr<GridSearch<T>>& search = searched_[axes];
  if (!search)
    search = std::make_unique<GridSearch<T>>(*scan_, loaded_, windows, std::move(axes), options_.is_exact,
                                             progress);
  return search->lowest(regularizer_, loss_limit);
}

template <class T>
PointEstimate PointEstimator<T>::search(std::span<const std::size_t> windows, double loss_limit,
                                        const LoopProgress& progress) {
  if (!scan_) return search_from_starts(progress);
  return search_beyond(
      box_, 0, [&](const SearchRange& range) { return search_grid(windows, range, loss_limit, progress); });
}

template <class T>
PointEstimate PointEstimator<T>::minimise_from(ThetaObjective<T>& objective, std::size_t start,
                                               const OnStep& on_step) {
  const std::vector<double> from = box_.draw(options_.seed, start);
  if (options_.method == EstimateMethod::adam)
    return minimise_with_adam(objective, box_, from, options_, on_step);
  const auto within = [&](const SearchRange& range) {
    return minimise_with_nlopt(objective, range, from, options_, on_step);
  };
  return options_.method == EstimateMethod::direct ? search_beyond(box_, kEndOfBox, within)
                                                   : within(SearchRange(box_));
}

template <class T>
std::vector<PointEstimate> PointEstimator<T>::found_in_order(const LoopProgress& progress) {
  std::vector<PointEstimate> found;
  for (std::size_t start = 0; start < options_.n_starts; ++start)
    found.push_back(minimise_from(*objective_, start, [&](std::size_t n_steps) {
      if (progress) progress(start * options_.n_steps + n_steps, options_.n_starts * options_.n_steps);
    }));
  return found;
}

// Each start has an objective of its own.
template <class T>
std::vector<PointEstimate> PointEstimator<T>::found_side_by_side(const LoopProgress& progress) {
  std::vector<PointEstimate> found(options_.n_starts);
  std::vector<std::size_t> n_steps(options_.n_starts);
  std::mutex mutex;
  const auto on_step = [&](std::size_t start, std::size_t n, const Execution& own) {
    if (own.is_cancelled()) throw Interruption("estimate interrupted");
    const std::lock_guard lock(mutex);
    n_steps[start] = n;
    if (progress)
      progress(std::accumulate(n_steps.begin(), n_steps.end(), std::size_t{0}),
               options_.n_starts * options_.n_steps);
  };
  const auto work = [&](std::size_t start, const Execution& own) {
    ThreadPool pool(own.n_threads);
    ThetaObjective<T> objective(loaded_, weights_, regularizer_, n_windows_, pool);
    objective.set_windows(windows_);
    objective.keep_to(loss_limit_, price_);
    return packed(minimise_from(objective, start, [&](std::size_t n) { on_step(start, n, own); }));
  };
  const Execution execution{.n_threads = pool_->n_threads(), .communicator = options_.communicator};
  share_out({.n_tasks = options_.n_starts,
             .work = work,
             .keep = [&](std::size_t start, const std::string& bytes) { found[start] = unpacked(bytes); }},
            execution);
  const std::string all = in_all(execution, [&] {
    PackedValues values;
    for (const PointEstimate& one : found) values.put(packed(one));
    return values.take();
  });
  UnpackedValues values(all);
  for (PointEstimate& one : found) one = unpacked(values.get<std::string>());
  return found;
}

template <class T>
PointEstimate PointEstimator<T>::search_from_starts(const LoopProgress& progress) {
  const bool is_shared =
      options_.n_starts > 1 && (pool_->n_threads() > 1 || options_.communicator != nullptr);
  PointEstimate best;
  best.regularizer = best.total = std::numeric_limits<double>::quiet_NaN();
  std::size_t n_evaluations = 0;
  for (PointEstimate& found : is_shared ? found_side_by_side(progress) : found_in_order(progress)) {
    n_evaluations += found.n_evaluations;
    if (best.theta.empty() || found.total < best.total || std::isnan(best.total)) best = std::move(found);
  }
  best.n_evaluations = n_evaluations;
  return best;
}

template <class T>
void PointEstimator<T>::limit_loss(double limit, double price) {
  loss_limit_ = limit;
  price_ = price;
  if (objective_) objective_->keep_to(limit, price);
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
  searched_.clear();
  windows_ = windows;
  if (objective_) objective_->set_windows(windows);
  limit_loss(infinity, 0);
  PointEstimate free = search(windows, infinity, progress);
  if (!(free.loss > options_.loss_limit)) return free;
  limit_loss(options_.loss_limit, objective_ ? kPriceOfMisfit * size_of_regularizer(free) : 0);
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
