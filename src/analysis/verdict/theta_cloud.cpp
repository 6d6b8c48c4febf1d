#include "analysis/verdict/theta_cloud.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "analysis/landscape/adaptivity.hpp"
#include "analysis/theta/resampling.hpp"
#include "analysis/theta/theta_box.hpp"
#include "analysis/theta/theta_coordinates.hpp"
#include "analysis/theta/theta_scan.hpp"
#include "analysis/verdict/cloud_budget.hpp"
#include "core/median.hpp"
#include "core/random.hpp"
#include "core/stage_progress.hpp"

namespace greybox {
namespace {

// Around each low place further points are drawn, in boxes that shrink from round to round.
constexpr std::size_t kRounds = 3;
constexpr double kShrink = 1.0 / 3;
// Bins whose lowest value is further up, as a part of the way from the lowest value to the median, stay as
// they are: no verdict hangs on them.
constexpr double kLowShare = 0.2;

// What the values of a cloud may take; the same everywhere, so that verdicts do not depend on the machine.
constexpr std::size_t kMostCloudBytes = std::size_t{1} << 30U;

std::size_t draws_per_bin(std::size_t n_axes) {
  return n_axes == 1 ? 2 : std::size_t{4} << std::min<std::size_t>(n_axes - 1, 3);
}

// Additive recurrence with the generalised golden ratio (Roberts): fills a cube evenly with any number of
// points.
std::vector<double> spread_evenly(std::size_t n_points, std::size_t n_axes) {
  double ratio = 2;
  for (int step = 0; step < 50; ++step) ratio = std::pow(1 + ratio, 1 / static_cast<double>(n_axes + 1));
  std::vector<double> points;
  for (std::size_t i = 0; i < n_points; ++i)
    for (std::size_t axis = 0; axis < n_axes; ++axis) {
      const double x = 0.5 + static_cast<double>(i + 1) * std::pow(ratio, -static_cast<double>(axis + 1));
      points.push_back(x - std::floor(x));
    }
  return points;
}

// All points of a grid over one or two axes.
std::vector<double> spread_on_grid(std::size_t n_bins, std::size_t n_axes) {
  std::vector<double> points;
  const auto place = [&](std::size_t k) { return static_cast<double>(k) / static_cast<double>(n_bins - 1); };
  for (std::size_t i = 0; i < n_bins; ++i)
    for (std::size_t j = 0; j < (n_axes == 2 ? n_bins : 1); ++j) {
      points.push_back(place(i));
      if (n_axes == 2) points.push_back(place(j));
    }
  return points;
}

class CloudMaker {
 public:
  CloudMaker(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
             const StudyOptions& options)
      : spec_(*run.loaded.spec),
        box_(spec_.parameters),
        coordinates_(spec_.parameters),
        options_(options),
        pool_(options.execution.n_threads),
        loss_limit_(run.loss_limit()) {
    for (std::size_t p = 0; p < spec_.parameters.size(); ++p)
      if (!options.held.contains(spec_.parameters[p].name)) cloud_.parameters.push_back(p);
    const CloudBudget budget =
        plan_cloud(run, cloud_.n_axes(), networks.weights.size(), choice.windows.size());
    windows_ = evenly_spaced(choice.windows, budget.n_windows);
    resampling_ = resample(run.loaded.data->windows(), windows_, options.n_resamples, options.seed);
    cloud_.n_networks = networks.weights.size();
    cloud_.n_windows = windows_.size();
    cloud_.n_bins = budget.n_bins;
    cloud_.n_spread = budget.n_spread;
    for (std::size_t network = 0; network < cloud_.n_networks; ++network) {
      scans_.push_back(
          std::make_unique<ThetaScan<float>>(run.loaded, networks.weights[network], windows_.size(), pool_));
      for (std::size_t set = 0; set <= resampling_.n_sets; ++set)
        cloud_.replicates.push_back(
            {network, std::vector<std::vector<double>>(run.loaded.model->regularizers.size())});
    }
    n_pairs_planned_ = kCrowd * cloud_.n_spread * windows_.size() * cloud_.n_networks;
  }

  ThetaCloud make() {
    add(cloud_.n_axes() <= 2 ? spread_on_grid(cloud_.n_bins, cloud_.n_axes())
                             : spread_evenly(cloud_.n_spread, cloud_.n_axes()));
    double reach = 1;
    for (std::size_t round = 0; round < kRounds; ++round, reach *= kShrink)
      add(thinned(crowd(reach), kRounds - round));
    show_progress(n_pairs_planned_);
    return std::move(cloud_);
  }

 private:
  std::size_t n_regularizers() const { return cloud_.replicates[0].regularizers.size(); }
  std::size_t n_draws() const {
    return std::max<std::size_t>(2, draws_per_bin(cloud_.n_axes()) / cloud_.n_networks);
  }
  void show_progress(std::size_t n_done) const {
    progress_.show(std::min(n_done, n_pairs_planned_), n_pairs_planned_);
  }

  std::vector<double> theta_of(const std::vector<double>& points) const {
    const std::size_t n_points = points.size() / cloud_.n_axes();
    std::vector<double> theta;
    for (std::size_t i = 0; i < n_points; ++i) {
      std::vector<double> row = box_.middle();
      for (std::size_t p = 0; p < row.size(); ++p)
        if (const auto held = options_.held.find(spec_.parameters[p].name); held != options_.held.end())
          row[p] = held->second;
      for (std::size_t axis = 0; axis < cloud_.n_axes(); ++axis) {
        const std::size_t p = cloud_.parameters[axis];
        row[p] = coordinates_.theta(p, points[i * cloud_.n_axes() + axis]);
      }
      theta.insert(theta.end(), row.begin(), row.end());
    }
    return theta;
  }

  void add(const std::vector<double>& points) {
    const std::vector<double> theta = theta_of(points);
    const std::size_t n_sets = 1 + resampling_.n_sets;
    for (std::size_t network = 0; network < scans_.size(); ++network) {
      const auto progress = [&](std::size_t n_done, std::size_t) { show_progress(n_pairs_ + n_done); };
      const std::vector<ThetaValues> values =
          scans_[network]->evaluate(windows_, resampling_, theta, progress);
      n_pairs_ += windows_.size() * points.size() / cloud_.n_axes();
      for (std::size_t set = 0; set < n_sets; ++set)
        append(values[set], cloud_.replicates[network * n_sets + set]);
      note_poor(network, values[0]);
    }
    cloud_.points.insert(cloud_.points.end(), points.begin(), points.end());
  }

  static void append(const ThetaValues& values, CloudReplicate& replicate) {
    for (std::size_t r = 0; r < values.regularizers.size(); ++r)
      replicate.regularizers[r].insert(replicate.regularizers[r].end(), values.regularizers[r].begin(),
                                       values.regularizers[r].end());
  }

  // As audit_adaptivity judges, with the lowest of the points that are spread evenly; other networks only
  // need finite values.
  void note_poor(std::size_t network, const ThetaValues& values) {
    if (network == 0 && cloud_.is_poor.empty()) loss_limit_ = audit_limit(values.losses, loss_limit_);
    const std::size_t first = cloud_.points.size() / cloud_.n_axes();
    for (std::size_t i = 0; i < values.losses.size(); ++i) {
      const double loss = values.losses[i];
      if (network == 0)
        cloud_.is_poor.push_back(!(loss <= loss_limit_));
      else if (!std::isfinite(loss))
        cloud_.is_poor[first + i] = 1;
    }
  }

  // New points around the lowest one of every bin that is low for some network and regularizer.
  std::vector<double> crowd(double reach) {
    std::vector<double> points;
    for (std::size_t network = 0; network < cloud_.n_networks; ++network)
      for (std::size_t r = 0; r < n_regularizers(); ++r) {
        const std::vector<double>& values =
            cloud_.replicates[network * (1 + resampling_.n_sets)].regularizers[r];
        for (std::size_t axis = 0; axis < cloud_.n_axes(); ++axis)
          for (std::size_t point : low_points(values, axis)) draw_around(point, axis, reach, points);
      }
    return points;
  }

  // As many of the points, evenly spaced, as a cloud of so many regularizers and sets of windows may have,
  // with `n_rounds` still to come.
  std::vector<double> thinned(const std::vector<double>& points, std::size_t n_rounds) const {
    const std::size_t n_axes = cloud_.n_axes(), n = points.size() / n_axes;
    const std::size_t n_values = std::max<std::size_t>(1, cloud_.replicates.size() * n_regularizers());
    const std::size_t most = kMostCloudBytes / sizeof(double) / n_values;
    const std::size_t n_kept = std::min(n, most > cloud_.size() ? (most - cloud_.size()) / n_rounds : 0);
    if (n_kept == n) return points;
    std::vector<double> kept;
    for (std::size_t i = 0; i < n_kept; ++i) {
      const auto from = points.begin() + static_cast<std::ptrdiff_t>(i * n / n_kept * n_axes);
      kept.insert(kept.end(), from, from + static_cast<std::ptrdiff_t>(n_axes));
    }
    return kept;
  }

  std::vector<std::size_t> low_points(const std::vector<double>& values, std::size_t axis) const {
    std::vector<std::size_t> best(cloud_.n_bins, kNone);
    std::vector<double> spread;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < cloud_.size(); ++i) {
      if (cloud_.is_poor[i] != 0 || !std::isfinite(values[i])) continue;
      if (i < cloud_.n_spread) spread.push_back(values[i]);
      lowest = std::min(lowest, values[i]);
      std::size_t& of_bin = best[cloud_.bin(i, axis)];
      if (of_bin == kNone || values[i] < values[of_bin]) of_bin = i;
    }
    const double limit = lowest + kLowShare * (median_of(spread) - lowest);
    std::erase_if(best, [&](std::size_t i) { return i == kNone || values[i] > limit; });
    return best;
  }

  void draw_around(std::size_t centre, std::size_t along, double reach, std::vector<double>& points) {
    const double cell = 1 / static_cast<double>(cloud_.n_bins - 1);
    const double middle = cloud_.bin_middle(cloud_.bin(centre, along));
    for (std::size_t draw = 0; draw < n_draws(); ++draw, ++n_drawn_)
      for (std::size_t axis = 0; axis < cloud_.n_axes(); ++axis) {
        double x = cloud_.at(centre, axis) + reach * cell * (2 * random_.uniform(n_drawn_, axis) - 1);
        if (axis == along) x = std::clamp(x, middle - 0.499 * cell, middle + 0.499 * cell);
        points.push_back(std::clamp(x, 0.0, 1.0));
      }
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  const ModelSpec& spec_;
  ThetaBox box_;
  ThetaCoordinates coordinates_;
  const StudyOptions& options_;
  StageProgress progress_{options_.execution, "verdicts", kPairs};
  ThreadPool pool_;
  ThetaCloud cloud_;
  std::vector<std::size_t> windows_;
  Resampling resampling_;
  std::vector<std::unique_ptr<ThetaScan<float>>> scans_;  // one per network
  Random random_{options_.seed, Purpose::analysis};
  double loss_limit_;
  std::size_t n_drawn_ = 0, n_pairs_ = 0, n_pairs_planned_ = 0;
};

}  // namespace

std::size_t ThetaCloud::bin(std::size_t point, std::size_t axis) const {
  return static_cast<std::size_t>(std::lround(at(point, axis) * static_cast<double>(n_bins - 1)));
}

double ThetaCloud::bin_middle(std::size_t bin) const {
  return static_cast<double>(bin) / static_cast<double>(n_bins - 1);
}

ThetaCloud make_cloud(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                      const StudyOptions& options) {
  return CloudMaker(run, networks, choice, options).make();
}

}  // namespace greybox
