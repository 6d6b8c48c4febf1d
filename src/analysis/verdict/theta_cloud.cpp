#include "analysis/verdict/theta_cloud.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "analysis/landscape/adaptivity.hpp"
#include "analysis/theta/even_points.hpp"
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

// What the values of a cloud may take, and those that are on their way into it; the same everywhere, so that
// verdicts do not depend on the machine.
constexpr std::size_t kMostCloudBytes = std::size_t{1} << 28U, kMostPassingBytes = std::size_t{1} << 26U;
// Points that every cloud has room for, compared with those that are spread evenly.
constexpr std::size_t kFewestCrowd = 3;

std::size_t n_varied(const OpenedRun& run, const StudyOptions& options) {
  return static_cast<std::size_t>(std::ranges::count_if(
      run.loaded.spec->parameters,
      [&](const ParameterSpec& parameter) { return !options.held.contains(parameter.name); }));
}

std::size_t draws_per_bin(std::size_t n_axes) {
  return n_axes == 1 ? 2 : std::size_t{4} << std::min<std::size_t>(n_axes - 1, 3);
}

class CloudMaker {
 public:
  CloudMaker(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
             const StudyOptions& options, const CloudRange& range)
      : spec_(*run.loaded.spec),
        box_(spec_.parameters),
        coordinates_(spec_.parameters),
        options_(options),
        pool_(options.execution.n_threads),
        range_(range),
        loss_limit_(run.loss_limit()) {
    for (std::size_t p = 0; p < spec_.parameters.size(); ++p)
      if (!options.held.contains(spec_.parameters[p].name)) cloud_.parameters.push_back(p);
    const CloudBudget budget =
        plan_cloud(run, cloud_.n_axes(), networks.weights.size(), choice.windows.size());
    windows_ = stratified_draw(choice.windows, budget.n_windows);
    resampling_ = resample(run.loaded.data->windows(), windows_, options.n_resamples, options.seed);
    cloud_.n_networks = networks.weights.size();
    cloud_.n_windows = windows_.size();
    cloud_.n_bins = budget.n_bins;
    cloud_.n_spread = budget.n_spread;
    for (std::size_t network = 0; network < cloud_.n_networks; ++network) {
      scans_.push_back(
          std::make_unique<ThetaScan<float>>(run.loaded, networks.weights[network], windows_.size(), pool_));
      for (std::size_t set = 0; set <= resampling_.n_sets; ++set)
        cloud_.replicates.push_back({network, std::vector<std::vector<double>>(range.n)});
    }
    n_passing_ = theta_at_once(*run.loaded.model);
    n_pairs_planned_ = kCrowd * cloud_.n_spread * windows_.size() * cloud_.n_networks;
  }

  ThetaCloud make() {
    add(cloud_.n_axes() <= 2 ? spread_on_grid(cloud_.n_bins, cloud_.n_axes())
                             : spread_evenly(cloud_.n_spread, cloud_.n_axes()));
    double reach = 1;
    for (std::size_t round = 0; round < kRounds; ++round, reach *= kShrink) {
      const std::vector<double> points = crowd(reach, kRounds - round);
      // Rounds to come may take as much.
      n_pairs_planned_ = n_pairs_ + n_pairs_of(points) * cloud_.n_networks * (kRounds - round);
      add(points);
    }
    return std::move(cloud_);
  }

 private:
  std::size_t n_regularizers() const { return cloud_.replicates[0].regularizers.size(); }
  std::size_t n_draws() const {
    return std::max<std::size_t>(2, draws_per_bin(cloud_.n_axes()) / cloud_.n_networks);
  }
  std::size_t n_pairs_of(const std::vector<double>& points) const {
    return windows_.size() * points.size() / cloud_.n_axes();
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

  // Means and regularizers of every set of windows are there for so many θ at a time.
  std::size_t theta_at_once(const BoundModel& model) const {
    const std::size_t n_values =
        (1 + resampling_.n_sets) * (3 * model.terms.size() + model.regularizers.size() + 4);
    return std::max<std::size_t>(1, kMostPassingBytes / sizeof(double) / n_values);
  }

  void add(const std::vector<double>& points) {
    const std::size_t most = n_passing_ * cloud_.n_axes();
    for (std::size_t first = 0; first < points.size(); first += most) {
      const auto begin = points.begin() + static_cast<std::ptrdiff_t>(first);
      add_some({begin, begin + static_cast<std::ptrdiff_t>(std::min(most, points.size() - first))});
    }
  }

  void add_some(const std::vector<double>& points) {
    const std::vector<double> theta = theta_of(points);
    const std::size_t n_sets = 1 + resampling_.n_sets;
    for (std::size_t network = 0; network < scans_.size(); ++network) {
      const auto progress = [&](std::size_t n_done, std::size_t) { show_progress(n_pairs_ + n_done); };
      const std::vector<ThetaValues> values =
          scans_[network]->evaluate(windows_, resampling_, theta, progress);
      n_pairs_ += n_pairs_of(points);
      for (std::size_t set = 0; set < n_sets; ++set)
        append(values[set], cloud_.replicates[network * n_sets + set]);
      note_poor(network, values[0]);
    }
    cloud_.points.insert(cloud_.points.end(), points.begin(), points.end());
  }

  void append(const ThetaValues& values, CloudReplicate& replicate) const {
    for (std::size_t r = 0; r < range_.n; ++r) {
      const std::vector<double>& more = values.regularizers[range_.first + r];
      replicate.regularizers[r].insert(replicate.regularizers[r].end(), more.begin(), more.end());
    }
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

  // A low point that others are drawn around, along an axis.
  struct Centre {
    std::size_t point, axis;
  };

  // The lowest points of every bin that is low for some network and regularizer.
  std::vector<Centre> centres() const {
    std::vector<Centre> found;
    for (std::size_t network = 0; network < cloud_.n_networks; ++network)
      for (std::size_t r = 0; r < n_regularizers(); ++r) {
        const std::vector<double>& values =
            cloud_.replicates[network * (1 + resampling_.n_sets)].regularizers[r];
        const double limit = low_limit(values);
        for (std::size_t axis = 0; axis < cloud_.n_axes(); ++axis)
          for (std::size_t point : low_points(values, axis, limit)) found.push_back({point, axis});
      }
    return found;
  }

  // New points around the low ones. Of all that could be drawn as many, evenly spaced, as the cloud has room
  // for with `n_rounds` still to come.
  std::vector<double> crowd(double reach, std::size_t n_rounds) {
    const std::vector<Centre> around = centres();
    const std::size_t n = around.size() * n_draws(), n_kept = std::min(n, n_points_left() / n_rounds);
    std::vector<double> points;
    points.reserve(n_kept * cloud_.n_axes());
    for (std::size_t i = 0; i < n_kept; ++i) {
      const std::size_t draw = i * n / n_kept;
      draw_around(around[draw / n_draws()], n_drawn_ + draw, reach, points);
    }
    n_drawn_ += n;
    return points;
  }

  // That the cloud has room for.
  std::size_t n_points_left() const {
    const std::size_t n_values = std::max<std::size_t>(1, cloud_.replicates.size() * n_regularizers());
    const std::size_t most = kMostCloudBytes / sizeof(double) / n_values;
    return most > cloud_.size() ? most - cloud_.size() : 0;
  }

  bool counts(const std::vector<double>& values, std::size_t point) const {
    return cloud_.is_poor[point] == 0 && std::isfinite(values[point]);
  }

  double low_limit(const std::vector<double>& values) const {
    std::vector<double> spread;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < cloud_.size(); ++i) {
      if (!counts(values, i)) continue;
      if (i < cloud_.n_spread) spread.push_back(values[i]);
      lowest = std::min(lowest, values[i]);
    }
    return lowest + kLowShare * (median_of(spread) - lowest);
  }

  std::vector<std::size_t> low_points(const std::vector<double>& values, std::size_t axis,
                                      double limit) const {
    std::vector<std::size_t> best(cloud_.n_bins, kNone);
    for (std::size_t i = 0; i < cloud_.size(); ++i) {
      if (!counts(values, i)) continue;
      std::size_t& of_bin = best[cloud_.bin(i, axis)];
      if (of_bin == kNone || values[i] < values[of_bin]) of_bin = i;
    }
    std::erase_if(best, [&](std::size_t i) { return i == kNone || values[i] > limit; });
    return best;
  }

  void draw_around(const Centre& centre, std::size_t draw, double reach, std::vector<double>& points) const {
    const double cell = 1 / static_cast<double>(cloud_.n_bins - 1);
    const double middle = cloud_.bin_middle(cloud_.bin(centre.point, centre.axis));
    for (std::size_t axis = 0; axis < cloud_.n_axes(); ++axis) {
      double x = cloud_.at(centre.point, axis) + reach * cell * (2 * random_.uniform(draw, axis) - 1);
      if (axis == centre.axis) x = std::clamp(x, middle - 0.499 * cell, middle + 0.499 * cell);
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
  CloudRange range_;
  double loss_limit_;
  std::size_t n_passing_ = 1, n_drawn_ = 0, n_pairs_ = 0, n_pairs_planned_ = 0;
};

}  // namespace

std::size_t ThetaCloud::bin(std::size_t point, std::size_t axis) const {
  return static_cast<std::size_t>(std::lround(at(point, axis) * static_cast<double>(n_bins - 1)));
}

double ThetaCloud::bin_middle(std::size_t bin) const {
  return static_cast<double>(bin) / static_cast<double>(n_bins - 1);
}

std::size_t regularizers_at_once(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                                 const StudyOptions& options) {
  const std::size_t n_networks = networks.weights.size(), n_all = run.loaded.model->regularizers.size();
  const CloudBudget budget = plan_cloud(run, n_varied(run, options), n_networks, choice.windows.size());
  const std::size_t n_values = kFewestCrowd * budget.n_spread * n_networks * (1 + options.n_resamples);
  return std::clamp<std::size_t>(kMostCloudBytes / sizeof(double) / n_values, 1,
                                 std::max<std::size_t>(n_all, 1));
}

ThetaCloud make_cloud(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                      const StudyOptions& options, const CloudRange& range) {
  return CloudMaker(run, networks, choice, options, range).make();
}

}  // namespace greybox
