#include "analysis/theta/interpolated_scan.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "analysis/theta/chance.hpp"
#include "core/limits.hpp"
#include "core/random.hpp"
#include "model/observed_range.hpp"

namespace greybox {
namespace {

// Of all θ of a grid, at most this part is computed, and one in so many for the check, at least a few.
constexpr std::size_t kLeastGain = 3, kCheckedOf = 100, kFewestChecked = 8;
// Windows that every θ of the grid is computed with, and how much rougher means over so few may be. Where
// there are not so many times as many, that would save too little.
constexpr std::size_t kFewWindows = 4, kWindowsOf = 300, kLeastWindowGain = 10;
constexpr double kRougherByFew = 5;
// Checked θ are fewer by this factor where every θ was looked at in that way.
constexpr std::size_t kFewerChecks = 4;
constexpr double kSmallestRange = 1e-2;
// Of what chance in the choice of windows makes, at θ between two corners of the grid: errors that nobody
// minds where nobody asked for a regularizer.
constexpr double kOfChance = 0.03;
constexpr double kChancePositions[] = {0.25, 0.5, 0.75};
// A hundredth of L, with what is added to it, is worth as much as a thousandth of the range of a regularizer.
constexpr double kOfLosses = 0.1;
// Of the logarithm of L: where L hardly depends on θ, nobody needs it to a thousandth of its range.
constexpr double kSmallestRangeOfLosses = 3;

std::vector<double> row_by_row(const std::vector<std::vector<double>>& points) {
  std::vector<double> row;
  for (const std::vector<double>& point : points) row.insert(row.end(), point.begin(), point.end());
  return row;
}

// Axes are mapped to [0, 1], logarithmic ones by their logarithms.
double axis_value(const LandscapeAxis& axis, double position) {
  const double low = axis.values.front(), high = axis.values.back();
  if (position <= 0) return low;
  if (position >= 1) return high;
  return axis.is_log ? std::exp(std::lerp(std::log(low), std::log(high), position))
                     : std::lerp(low, high, position);
}

// Where some values are, the largest difference to others as a part of the range over all of `over`.
double difference(const std::vector<double>& one, const std::vector<double>& other,
                  const std::vector<double>& over, double smallest_range = 0) {
  const auto [low, high] = std::minmax_element(over.begin(), over.end());
  const double range =
      std::max({*high - *low, kSmallestRange * std::max(std::abs(*low), std::abs(*high)), smallest_range});
  double largest = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double distance = std::abs(one[i] - other[i]);
    if (!(distance <= largest)) largest = std::isnan(distance) ? kInfinity : distance;
  }
  return range > 0 ? largest / range : 0;
}

// Of each mean, whether one of the first regularizers is computed from it.
std::vector<bool> means_behind(const BoundModel& model, std::size_t n_regularizers) {
  const Graph& graph = model.regularizer_graph;
  std::vector<bool> is_behind(graph.size()), means(model.terms.size());
  for (std::size_t r = 0; r < n_regularizers; ++r) is_behind[model.regularizers[r].value] = true;
  for (std::size_t id = graph.size(); id-- > 0;) {
    if (!is_behind[id]) continue;
    const Node& node = graph[static_cast<NodeId>(id)];
    for (std::size_t k = 0; k < node.n_arguments; ++k) is_behind[node.arguments[k]] = true;
    if (node.operation == Operation::leaf && node.leaf_id >= kFirstTermLeaf)
      means[node.leaf_id - kFirstTermLeaf] = true;
  }
  return means;
}

template <class T>
class GridInterpolation {
 public:
  GridInterpolation(ThetaScan<T>& scan, const LoadedModel& loaded, std::span<const std::size_t> windows,
                    const ThetaGrid& grid, const LoopProgress& progress, const InterpolationDemand& demand)
      : scan_(scan),
        loaded_(loaded),
        windows_(windows),
        grid_(grid),
        progress_(progress),
        tolerance_(demand.tolerance),
        n_exacting_(demand.n_exacting.value_or(loaded.model->regularizers.size())),
        added_to_losses_(std::isfinite(demand.loss_limit) ? demand.loss_limit : 0) {
    for (const LandscapeAxis& axis : grid_.axes) axis_values_.push_back(axis.values);
    if (demand.n_exacting) look_at_chance();
  }

  // With an error that is foretold and checked; where the check fails, once more without.
  std::optional<InterpolatedValues> run() {
    std::optional<InterpolatedValues> result = run(true);
    return result || !is_foretold_wrongly_ ? result : run(false);
  }

 private:
  std::optional<InterpolatedValues> run(bool may_foretell) {
    const std::optional<Interpolant> interpolant =
        Interpolant::make(grid_.axes.size(), [&](const auto& points) { return known_quantities_at(points); },
                          {.tolerance = tolerance_,
                           .least_range = kSmallestRange,
                           .smallest_ranges = &smallest_ranges_,
                           .may_foretell = may_foretell,
                           .most_points = grid_.size() / kLeastGain});
    if (!interpolant) return std::nullopt;
    is_foretold_wrongly_ = may_foretell;
    const double thin_error = error_on_few_windows(*interpolant);
    if (!(thin_error <= tolerance_)) return std::nullopt;
    const InterpolatedMeans means(loaded_.model, *interpolant, grid_.axes, loss_form(),
                                  range_for(loaded_, windows_));
    InterpolatedValues result{means.at(axis_values_), 0, 0, means};
    result.error = std::max({interpolant->error(), thin_error, error_of(result.values)});
    if (!(result.error <= tolerance_)) return std::nullopt;
    result.n_computed = (n_pairs_ + windows_.size() - 1) / windows_.size();
    return result;
  }

  // From what other windows would make of means and regularizers: the ranges that errors count against.
  void look_at_chance() {
    std::vector<std::vector<double>> points;
    for (const double position : kChancePositions) points.emplace_back(grid_.axes.size(), position);
    n_pairs_ += points.size() * windows_.size();
    ChanceSpread spread = spread_by_chance(scan_, loaded_, windows_, row_by_row(thetas_at(points)));
    for (std::vector<double>* of : {&spread.means, &spread.regularizers})
      for (double& value : *of) value *= kOfChance / tolerance_;
    smallest_ranges_ = std::move(spread.means);
    const std::vector<bool> is_exacting = means_behind(*loaded_.model, n_exacting_);
    for (std::size_t m = 0; m < is_exacting.size(); ++m)
      if (is_exacting[m]) smallest_ranges_[m] = 0;
    regularizer_ranges_ = std::move(spread.regularizers);
  }

  ThetaValues computed(const std::vector<std::vector<double>>& theta, std::span<const std::size_t> windows) {
    const std::size_t n_before = n_pairs_;
    n_pairs_ += theta.size() * windows.size();
    return scan_.evaluate(windows, row_by_row(theta), [&](std::size_t n_done, std::size_t) {
      if (progress_) progress_(n_before + n_done, grid_.size() * windows_.size());
    });
  }

  // Computes what was not computed before.
  Quantities known_quantities_at(const std::vector<std::vector<double>>& points) {
    std::vector<std::vector<double>> missing;
    for (const std::vector<double>& point : points)
      if (!known_.contains(point)) missing.push_back(point);
    if (!missing.empty()) {
      const Quantities found = quantities_of(computed(thetas_at(missing), windows_));
      for (std::size_t i = 0; i < missing.size(); ++i)
        for (const std::vector<double>& of_all : found) known_[missing[i]].push_back(of_all[i]);
    }
    Quantities quantities(points.empty() ? 0 : known_[points[0]].size());
    for (std::size_t q = 0; q < quantities.size(); ++q)
      for (const std::vector<double>& point : points) quantities[q].push_back(known_[point][q]);
    return quantities;
  }

  std::vector<std::vector<double>> thetas_at(const std::vector<std::vector<double>>& points) const {
    std::vector<std::vector<double>> theta;
    for (std::vector<double> point : points) {
      for (std::size_t k = 0; k < point.size(); ++k) point[k] = axis_value(grid_.axes[k], point[k]);
      theta.push_back(grid_.theta_of(point));
    }
    return theta;
  }

  // Means, then L where anything is measured, by its logarithm unless it is a likelihood's.
  Quantities quantities_of(ThetaValues values) {
    const auto n_diverged =
        std::accumulate(values.n_diverged.begin(), values.n_diverged.end(), std::size_t{0});
    has_losses_ = n_diverged > 0 || std::any_of(values.losses.begin(), values.losses.end(),
                                                [](double loss) { return !std::isnan(loss); });
    Quantities quantities = std::move(values.means);
    if (!is_log_) is_log_ = std::ranges::all_of(values.losses, [](double loss) { return loss > 0; });
    if (has_losses_) {
      std::vector<double>& losses = quantities.emplace_back(std::move(values.losses));
      if (*is_log_) {
        for (double& loss : losses) loss = std::log(loss + added_to_losses_);
        smallest_ranges_.resize(quantities.size());
        smallest_ranges_.back() = kSmallestRangeOfLosses / tightness();
      }
    }
    return quantities;
  }

  // Valleys that lie between the points of the interpolant are seen in a few windows too, at every θ of the
  // grid. Those are rougher than the mean over all.
  double error_on_few_windows(const Interpolant& interpolant) {
    const std::size_t n = std::max(kFewWindows, windows_.size() / kWindowsOf);
    is_checked_everywhere_ = n * kLeastWindowGain <= windows_.size();
    if (!is_checked_everywhere_) return 0;
    std::vector<std::size_t> few;
    for (std::size_t i = 0; i < n; ++i) few.push_back(windows_[(2 * i + 1) * windows_.size() / (2 * n)]);
    std::vector<std::vector<double>> theta;
    for (std::size_t place = 0; place < grid_.size(); ++place) theta.push_back(grid_.theta_at(place));
    const std::optional<Interpolant> of_few = interpolant.of_others(
        [&](const auto& points) { return quantities_of(computed(thetas_at(points), few)); });
    if (!of_few) return kInfinity;
    const Quantities exact = quantities_of(computed(theta, few)),
                     found = of_few->at(positions_of(grid_.axes, axis_values_));
    double error = 0;
    for (std::size_t q = 0; q < exact.size(); ++q)
      error = std::max(error, difference(found[q], exact[q], exact[q], smallest_range(q)));
    return error / kRougherByFew;
  }

  LossForm loss_form() const { return {has_losses_, *is_log_, added_to_losses_}; }
  // However close R has to be, L need not be closer.
  double tightness() const { return std::min(1.0, tolerance_ / kInterpolationTolerance); }

  double smallest_range(std::size_t quantity) const {
    return quantity < smallest_ranges_.size() ? smallest_ranges_[quantity] : 0;
  }

  double error_of(const ThetaValues& values) {
    std::set<std::size_t> places;
    const std::size_t n =
        (kFewestChecked + grid_.size() / kCheckedOf) / (is_checked_everywhere_ ? kFewerChecks : 1);
    const Random random(0, Purpose::analysis);
    for (std::size_t i = 0; i < n; ++i) places.insert(random.below(grid_.size(), i, 0));
    for (const std::vector<double>& of_all : values.regularizers)
      places.insert(
          static_cast<std::size_t>(std::min_element(of_all.begin(), of_all.end()) - of_all.begin()));
    std::vector<std::vector<double>> theta;
    for (const std::size_t place : places) theta.push_back(grid_.theta_at(place));
    const ThetaValues exact = computed(theta, windows_);
    const auto picked = [&](const std::vector<double>& of_all) {
      std::vector<double> some;
      for (const std::size_t place : places) some.push_back(of_all[place]);
      return some;
    };
    double error = 0;
    for (std::size_t r = 0; r < exact.regularizers.size(); ++r)
      error =
          std::max(error, difference(picked(values.regularizers[r]), exact.regularizers[r],
                                     values.regularizers[r], r < n_exacting_ ? 0 : regularizer_ranges_[r]));
    if (!has_losses_) return error;
    const std::vector<double> losses = picked(values.losses);
    if (!*is_log_) return std::max(error, difference(losses, exact.losses, values.losses));
    for (std::size_t i = 0; i < losses.size(); ++i) {
      const double ratio = (losses[i] + added_to_losses_) / (exact.losses[i] + added_to_losses_);
      error = std::max(error, kOfLosses * tightness() * std::abs(std::log(ratio)));
    }
    return error;
  }

  ThetaScan<T>& scan_;
  const LoadedModel& loaded_;
  std::span<const std::size_t> windows_;
  const ThetaGrid& grid_;
  const LoopProgress& progress_;
  double tolerance_;
  std::size_t n_exacting_;
  double added_to_losses_;
  std::vector<std::vector<double>> axis_values_;
  bool has_losses_ = true;
  std::optional<bool> is_log_;
  // Of the quantities, and of the regularizers.
  std::vector<double> smallest_ranges_, regularizer_ranges_;
  std::map<std::vector<double>, std::vector<double>> known_;
  bool is_foretold_wrongly_ = false, is_checked_everywhere_ = false;
  std::size_t n_pairs_ = 0;
};

bool is_suited(const ThetaGrid& grid) {
  return !grid.axes.empty() && grid.axes.size() <= 2 &&
         std::all_of(grid.axes.begin(), grid.axes.end(),
                     [](const LandscapeAxis& axis) { return axis.values.size() > 2; });
}

}  // namespace

template <class T>
std::optional<InterpolatedValues> interpolate_scan(ThetaScan<T>& scan, const LoadedModel& loaded,
                                                   std::span<const std::size_t> windows,
                                                   const ThetaGrid& grid, const LoopProgress& progress,
                                                   const InterpolationDemand& demand) {
  if (!is_suited(grid)) return std::nullopt;
  return GridInterpolation<T>(scan, loaded, windows, grid, progress, demand).run();
}

template std::optional<InterpolatedValues> interpolate_scan(ThetaScan<float>&, const LoadedModel&,
                                                            std::span<const std::size_t>, const ThetaGrid&,
                                                            const LoopProgress&, const InterpolationDemand&);
template std::optional<InterpolatedValues> interpolate_scan(ThetaScan<double>&, const LoadedModel&,
                                                            std::span<const std::size_t>, const ThetaGrid&,
                                                            const LoopProgress&, const InterpolationDemand&);

}  // namespace greybox
