#include "analysis/landscape/landscape_scan.hpp"

#include <algorithm>

#include "analysis/landscape/map_work.hpp"
#include "analysis/theta/refined_scan.hpp"
#include "core/limits.hpp"
#include "core/shared_flag.hpp"
#include "core/shared_tasks.hpp"
#include "core/stage_progress.hpp"
#include "greybox/error.hpp"

namespace greybox {
namespace {

// Counts pairs of θ and window over everything that is to be done.
class WorkCount {
 public:
  WorkCount(const LandscapeOptions& options, std::size_t n_total)
      : execution_(options.execution),
        cancelled_(options.execution.communicator),
        progress_(options.execution, "landscape", kPairs),
        work_(n_total) {}

  void begin(std::size_t n_pairs, bool may_take_less) { work_.begin(n_pairs, may_take_less); }
  void begin_again(bool may_take_less) { work_.begin_again(may_take_less); }
  void end() {
    work_.end();
    report();
  }
  void show(std::size_t n_done) {
    work_.show(n_done);
    // In all processes at once.
    if (cancelled_.is_raised(execution_.is_cancelled())) throw Interruption("landscape interrupted");
    report();
  }

 private:
  void report() const {
    if (is_first(execution_)) progress_.report(work_.n_done(), work_.n_total());
  }

  const Execution& execution_;
  SharedFlag cancelled_;
  StageProgress progress_;
  MapWork work_;
};

std::vector<double> at_places(const std::vector<double>& values, const std::vector<std::size_t>& places,
                              std::size_t n) {
  std::vector<double> all(n, kNaN);
  for (std::size_t i = 0; i < places.size(); ++i) all[places[i]] = values[i];
  return all;
}

// Values at some places of a grid, and NaN at the others.
ThetaValues spread_out(ThetaValues values, const std::vector<std::size_t>& places, std::size_t n) {
  if (places.size() == n) return values;
  values.losses = at_places(values.losses, places, n);
  for (std::vector<double>& regularizer : values.regularizers)
    regularizer = at_places(regularizer, places, n);
  values.means.clear();  // of no use beyond this point
  values.n_diverged.clear();
  return values;
}

// One row of θ per place.
std::vector<double> theta_of(const ThetaGrid& grid, const std::vector<std::size_t>& places) {
  std::vector<double> theta;
  for (std::size_t place : places) {
    const std::vector<double> one = grid.theta_at(place);
    theta.insert(theta.end(), one.begin(), one.end());
  }
  return theta;
}

// What polynomials over the whole grid must save, where others may do better piece by piece.
constexpr std::size_t kLeastGainOfTwo = 20;

// Algebraic models are so cheap that all of a grid takes less than finding out what is needed of it.
bool is_refinable(const BoundModel& model, const ThetaGrid& grid) {
  return !model.is_algebraic() && !grid.axes.empty() && grid.axes.size() <= 2 &&
         std::all_of(grid.axes.begin(), grid.axes.end(),
                     [](const LandscapeAxis& axis) { return axis.values.size() > 2; });
}

template <class T>
class GridScanner {
 public:
  GridScanner(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
              const std::vector<ThetaGrid>& grids, std::size_t n_shown, const LandscapeOptions& options)
      : run_(run),
        networks_(networks),
        choice_(choice),
        is_exact_(options.exact),
        demand_{.n_exacting = n_shown,
                .fit_limit = run.loss_limit(),
                .least_gain_of_two = run.loaded.model->is_algebraic() ? kLeastGain : kLeastGainOfTwo},
        pool_(n_threads_of(options.execution), options.execution.communicator),
        scanner_(run.loaded, run.weights, choice.windows.size(), pool_),
        count_(options, count_pairs(grids)) {}

  GridScan scan(const ThetaGrid& grid) {
    GridScan result;
    const std::vector<std::size_t> places = grid.places_within(box_);
    for (const std::vector<double>& weights : networks_.weights) {
      scanner_.set_weights(weights);
      count_.begin(places.size() * choice_.windows.size(), may_interpolate(grid, places) || may_refine(grid));
      result.values.push_back(values_of(grid, places, result.account));
      count_.end();
    }
    return result;
  }

 private:
  std::size_t count_pairs(const std::vector<ThetaGrid>& grids) const {
    std::size_t n_theta = 0;
    for (const ThetaGrid& grid : grids) n_theta += grid.places_within(box_).size();
    return n_theta * choice_.windows.size() * networks_.size();
  }

  bool may_interpolate(const ThetaGrid& grid, const std::vector<std::size_t>& places) const {
    return !is_exact_ && places.size() == grid.size();
  }
  bool may_refine(const ThetaGrid& grid) const {
    return !is_exact_ && is_refinable(*run_.loaded.model, grid);
  }

  ThetaValues values_of(const ThetaGrid& grid, const std::vector<std::size_t>& places, ScanAccount& account) {
    const LoopProgress progress = [&](std::size_t n, std::size_t) { count_.show(n); };
    if (may_interpolate(grid, places)) {
      if (std::optional<InterpolatedValues> found =
              interpolate_scan(scanner_, run_.loaded, choice_.windows, grid, progress, demand_)) {
        account.n_computed = std::max(account.n_computed, found->n_computed);
        account.interpolation_error = std::max(account.interpolation_error, found->error);
        return std::move(found->values);
      }
      count_.begin_again(may_refine(grid));
    }
    if (may_refine(grid)) {
      RefinedValues found =
          refine_scan(scanner_, run_.loaded, choice_.windows, grid, places, progress, demand_);
      account.n_computed = std::max(account.n_computed, found.n_computed);
      account.interpolation_error = std::max(account.interpolation_error, found.error);
      return std::move(found.values);
    }
    account.n_computed = places.size();
    return spread_out(scanner_.evaluate(choice_.windows, theta_of(grid, places), progress), places,
                      grid.size());
  }

  const OpenedRun& run_;
  const Networks& networks_;
  const WindowChoice& choice_;
  bool is_exact_;
  InterpolationDemand demand_;
  ThetaBox box_{run_.loaded.spec->parameters};
  ThreadPool pool_;
  ThetaScan<T> scanner_;
  WorkCount count_;
};

template <class T>
std::vector<GridScan> scan(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                           const std::vector<ThetaGrid>& grids, std::size_t n_shown,
                           const LandscapeOptions& options) {
  GridScanner<T> scanner(run, networks, choice, grids, n_shown, options);
  std::vector<GridScan> all;
  for (const ThetaGrid& grid : grids) all.push_back(scanner.scan(grid));
  return all;
}

template <class T>
GridValues scan_points(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                       const std::vector<double>& theta, const LandscapeOptions& options) {
  ThreadPool pool(options.execution.n_threads);
  ThetaScan<T> scanner(run.loaded, run.weights, choice.windows.size(), pool);
  const std::size_t n_theta = theta.size() / run.loaded.spec->parameters.size();
  WorkCount count(options, n_theta * choice.windows.size() * networks.size());
  GridValues values;
  for (const std::vector<double>& weights : networks.weights) {
    scanner.set_weights(weights);
    count.begin(n_theta * choice.windows.size(), false);
    values.push_back(
        scanner.evaluate(choice.windows, theta, [&](std::size_t n, std::size_t) { count.show(n); }));
    count.end();
  }
  return values;
}

}  // namespace

std::vector<GridScan> scan_grids(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                                 const std::vector<ThetaGrid>& grids, std::size_t n_shown,
                                 const LandscapeOptions& options) {
  return options.single_precision ? scan<float>(run, networks, choice, grids, n_shown, options)
                                  : scan<double>(run, networks, choice, grids, n_shown, options);
}

GridValues scan_theta(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                      const std::vector<double>& theta, const LandscapeOptions& options) {
  return options.single_precision ? scan_points<float>(run, networks, choice, theta, options)
                                  : scan_points<double>(run, networks, choice, theta, options);
}

}  // namespace greybox
