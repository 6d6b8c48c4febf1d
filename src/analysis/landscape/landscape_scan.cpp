#include "analysis/landscape/landscape_scan.hpp"

#include "core/limits.hpp"
#include "core/stage_progress.hpp"
#include "greybox/error.hpp"

namespace greybox {
namespace {

// Counts pairs of θ and window over everything that is to be done.
class WorkCount {
 public:
  WorkCount(const LandscapeOptions& options, std::size_t n_total)
      : progress_(options.execution, "landscape", kPairs), n_total_(n_total) {}

  void begin() { n_before_ = n_done_; }
  void show(std::size_t n_done) {
    n_done_ = n_before_ + n_done;
    progress_.show(n_done_, n_total_);
  }

 private:
  StageProgress progress_;
  std::size_t n_total_, n_before_ = 0, n_done_ = 0;
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
  values.n_diverged.clear();  // of no use beyond this point
  return values;
}

template <class T>
GridValues scan_all(ThetaScan<T>& scanner, const Networks& networks, const WindowChoice& choice,
                    const std::vector<double>& theta, WorkCount& count) {
  GridValues values;
  for (const std::vector<double>& weights : networks.weights) {
    scanner.set_weights(weights);
    count.begin();
    values.push_back(
        scanner.evaluate(choice.windows, theta, [&](std::size_t n, std::size_t) { count.show(n); }));
  }
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

template <class T>
std::vector<GridValues> scan(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                             const std::vector<ThetaGrid>& grids, const LandscapeOptions& options) {
  ThreadPool pool(options.execution.n_threads);
  ThetaScan<T> scanner(run.loaded, run.weights, choice.windows.size(), pool);
  const ThetaBox box(run.loaded.spec->parameters);
  std::vector<std::vector<std::size_t>> places;
  std::size_t n_pairs = 0;
  for (const ThetaGrid& grid : grids)
    n_pairs += places.emplace_back(grid.places_within(box)).size() * choice.windows.size() * networks.size();
  WorkCount count(options, n_pairs);
  std::vector<GridValues> all;
  for (std::size_t g = 0; g < grids.size(); ++g) {
    GridValues values = scan_all(scanner, networks, choice, theta_of(grids[g], places[g]), count);
    for (ThetaValues& of_network : values)
      of_network = spread_out(std::move(of_network), places[g], grids[g].size());
    all.push_back(std::move(values));
  }
  return all;
}

template <class T>
GridValues scan_points(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                       const std::vector<double>& theta, const LandscapeOptions& options) {
  ThreadPool pool(options.execution.n_threads);
  ThetaScan<T> scanner(run.loaded, run.weights, choice.windows.size(), pool);
  const std::size_t n_theta = theta.size() / run.loaded.spec->parameters.size();
  WorkCount count(options, n_theta * choice.windows.size() * networks.size());
  return scan_all(scanner, networks, choice, theta, count);
}

}  // namespace

std::vector<GridValues> scan_grids(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                                   const std::vector<ThetaGrid>& grids, const LandscapeOptions& options) {
  return options.single_precision ? scan<float>(run, networks, choice, grids, options)
                                  : scan<double>(run, networks, choice, grids, options);
}

GridValues scan_theta(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                      const std::vector<double>& theta, const LandscapeOptions& options) {
  return options.single_precision ? scan_points<float>(run, networks, choice, theta, options)
                                  : scan_points<double>(run, networks, choice, theta, options);
}

}  // namespace greybox
