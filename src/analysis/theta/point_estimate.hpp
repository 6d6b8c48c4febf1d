// The θ at which a regularizer over given windows is lowest (equation 5), by one of several methods.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "analysis/theta/theta_box.hpp"
#include "analysis/theta/theta_objective.hpp"
#include "analysis/theta/theta_scan.hpp"
#include "greybox/estimate.hpp"

namespace greybox {

struct PointOptions {
  EstimateMethod method = EstimateMethod::adam;
  std::size_t n_starts = 1;
  // Of adam; evaluations per start of the others.
  std::size_t n_steps = 2000;
  // Of grids along each axis; 0: 400 of one, 101 of two.
  std::size_t n_points = 0;
  // Of adam.
  double rate_start = 1e-2, rate_end = 1e-4;
  // Of the draws to start from.
  std::uint64_t seed = 0;
  // L above which a θ does not fit; infinite: all do.
  double loss_limit = std::numeric_limits<double>::infinity();
  // Every point of a grid is computed, even where values can be interpolated.
  bool is_exact = false;
  // Processes that share the starts.
  Communicator* communicator = nullptr;
};

class SearchRange;
template <class T>
class GridSearch;

std::string to_string(EstimateMethod method);

// Numbers of starts and steps that suit a method.
PointOptions default_options(EstimateMethod method);

struct PointEstimate {
  std::vector<double> theta;
  // NaN when no θ gave finite trajectories.
  double regularizer = 0, loss = 0;
  // R, and what L beyond the limit costs: what is compared between starts.
  double total = 0;
  std::size_t n_evaluations = 0;
  // Where R is lowest without regard to L, when that is elsewhere.
  std::vector<double> unconstrained{};
  double unconstrained_loss = 0;
  // Parameters that a search over a finite range left at an end of it that is no bound.
  std::vector<std::size_t> at_open_ends{};
  // Parameters that adam was still moving steadily when its steps were used up.
  std::vector<std::size_t> unsettled{};
};

// Keeps its memory, so that many sets of windows may be asked for one after another.
template <class T>
class PointEstimator {
 public:
  // `weights` outlive it. `n_windows` is the most that will be asked for at once. A grid needs a model with
  // one or two parameters.
  PointEstimator(const LoadedModel& loaded, std::span<const double> weights, std::size_t regularizer,
                 std::size_t n_windows, ThreadPool& pool, const PointOptions& options);
  ~PointEstimator();

  // Progress counts pairs of θ and window of a grid, and steps of the other methods.
  PointEstimate estimate(std::span<const std::size_t> windows, const LoopProgress& progress = {});

 private:
  PointEstimate search(std::span<const std::size_t> windows, double loss_limit, const LoopProgress& progress);
  double size_of_regularizer(const PointEstimate& lowest);
  PointEstimate search_grid(std::span<const std::size_t> windows, const SearchRange& range, double loss_limit,
                            const LoopProgress& progress);
  PointEstimate minimise_from(ThetaObjective<T>& objective, std::size_t start,
                              const std::function<void(std::size_t n_steps)>& on_step);
  PointEstimate search_from_starts(const LoopProgress& progress);
  std::vector<PointEstimate> found_side_by_side(const LoopProgress& progress);
  std::vector<PointEstimate> found_in_order(const LoopProgress& progress);
  void limit_loss(double limit, double price);

  LoadedModel loaded_;
  std::span<const double> weights_;
  ThreadPool* pool_;
  PointOptions options_;
  std::size_t regularizer_, n_windows_;
  ThetaBox box_;
  // Of the search that is going on.
  std::span<const std::size_t> windows_;
  double loss_limit_ = std::numeric_limits<double>::infinity(), price_ = 0;
  // Of grids.
  std::optional<ThetaScan<T>> scan_;
  std::map<std::vector<std::vector<double>>, std::unique_ptr<GridSearch<T>>> searched_;
  // Of all other methods.
  std::optional<ThetaObjective<T>> objective_;
};

extern template class PointEstimator<float>;
extern template class PointEstimator<double>;

// For one set of windows.
template <class T>
PointEstimate estimate_point(const LoadedModel& loaded, std::span<const double> weights,
                             std::size_t regularizer, std::span<const std::size_t> windows, ThreadPool& pool,
                             const PointOptions& options, const LoopProgress& progress = {}) {
  return PointEstimator<T>(loaded, weights, regularizer, windows.size(), pool, options)
      .estimate(windows, progress);
}

}  // namespace greybox
