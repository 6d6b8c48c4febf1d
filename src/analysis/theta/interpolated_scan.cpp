#include "analysis/theta/interpolated_scan.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "analysis/theta/scan_quantities.hpp"
#include "core/limits.hpp"
#include "core/random.hpp"
#include "model/observed_range.hpp"

namespace greybox {
namespace {

// Of all θ of a grid, one in so many is computed for the check, at least a few.
constexpr std::size_t kCheckedOf = 100, kFewestChecked = 8;
// How much rougher means over few windows may be.
constexpr double kRougherByFew = 5;
// Checked θ are fewer by this factor where every θ was looked at in that way.
constexpr std::size_t kFewerChecks = 4;
constexpr double kSmallestRange = 1e-2;
// A hundredth of L, with what is added to it, is worth as much as a thousandth of the range of a regularizer.
constexpr double kOfLosses = 0.1;

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

template <class T>
class GridInterpolation {
 public:
  GridInterpolation(ThetaScan<T>& scan, const LoadedModel& loaded, std::span<const std::size_t> windows,
                    const ThetaGrid& grid, const LoopProgress& progress, const InterpolationDemand& demand)
      : loaded_(loaded),
        windows_(windows),
        grid_(grid),
        least_gain_(grid.axes.size() == 2 ? demand.least_gain_of_two : kLeastGain),
        quantities_(scan, loaded, windows, grid, progress, demand) {
    for (const LandscapeAxis& axis : grid_.axes) axis_values_.push_back(axis.values);
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
                          {.tolerance = quantities_.tolerance(),
                           .least_range = kSmallestRange,
                           .smallest_ranges = &quantities_.smallest_ranges(),
                           .may_foretell = may_foretell,
                           .most_points = grid_.size() / least_gain_});
    if (!interpolant) return std::nullopt;
    is_foretold_wrongly_ = may_foretell;
    const double thin_error = error_on_few_windows(*interpolant);
    if (!(thin_error <= quantities_.tolerance())) return std::nullopt;
    const InterpolatedMeans means(loaded_.model, *interpolant, grid_.axes, quantities_.loss_form(),
                                  range_for(loaded_, windows_));
    InterpolatedValues result{means.at(axis_values_), 0, 0, means};
    result.error = std::max({interpolant->error(), thin_error, error_of(result.values)});
    if (!(result.error <= quantities_.tolerance())) return std::nullopt;
    result.n_computed = quantities_.n_computed();
    return result;
  }

  // Computes what was not computed before.
  Quantities known_quantities_at(const std::vector<std::vector<double>>& points) {
    std::vector<std::vector<double>> missing;
    for (const std::vector<double>& point : points)
      if (!known_.contains(point)) missing.push_back(point);
    if (!missing.empty()) {
      const Quantities found = quantities_.of(quantities_.computed(quantities_.thetas_at(missing), windows_));
      for (std::size_t i = 0; i < missing.size(); ++i)
        for (const std::vector<double>& of_all : found) known_[missing[i]].push_back(of_all[i]);
    }
    Quantities quantities(points.empty() ? 0 : known_[points[0]].size());
    for (std::size_t q = 0; q < quantities.size(); ++q)
      for (const std::vector<double>& point : points) quantities[q].push_back(known_[point][q]);
    return quantities;
  }

  // Valleys that lie between the points of the interpolant are seen in a few windows too, at every θ of the
  // grid. Those are rougher than the mean over all.
  double error_on_few_windows(const Interpolant& interpolant) {
    const std::vector<std::size_t> few = quantities_.few_windows();
    is_checked_everywhere_ = !few.empty();
    if (!is_checked_everywhere_) return 0;
    std::vector<std::vector<double>> theta;
    for (std::size_t place = 0; place < grid_.size(); ++place) theta.push_back(grid_.theta_at(place));
    const std::optional<Interpolant> of_few = interpolant.of_others([&](const auto& points) {
      return quantities_.of(quantities_.computed(quantities_.thetas_at(points), few));
    });
    if (!of_few) return kInfinity;
    const Quantities exact = quantities_.of(quantities_.computed(theta, few)),
                     found = of_few->at(positions_of(grid_.axes, axis_values_));
    double error = 0;
    for (std::size_t q = 0; q < exact.size(); ++q)
      error = std::max(error, difference(found[q], exact[q], exact[q], quantities_.smallest_range(q)));
    return error / kRougherByFew;
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
    const ThetaValues exact = quantities_.computed(theta, windows_);
    const auto picked = [&](const std::vector<double>& of_all) {
      std::vector<double> some;
      for (const std::size_t place : places) some.push_back(of_all[place]);
      return some;
    };
    double error = 0;
    for (std::size_t r = 0; r < exact.regularizers.size(); ++r)
      error =
          std::max(error, difference(picked(values.regularizers[r]), exact.regularizers[r],
                                     values.regularizers[r], quantities_.smallest_range_of_regularizer(r)));
    const LossForm form = quantities_.loss_form();
    if (!form.is_there) return error;
    const std::vector<double> losses = picked(values.losses);
    if (!form.is_log) return std::max(error, difference(losses, exact.losses, values.losses));
    for (std::size_t i = 0; i < losses.size(); ++i) {
      const double ratio = (losses[i] + form.added) / (exact.losses[i] + form.added);
      error = std::max(error, kOfLosses * quantities_.tightness() * std::abs(std::log(ratio)));
    }
    return error;
  }

  const LoadedModel& loaded_;
  std::span<const std::size_t> windows_;
  const ThetaGrid& grid_;
  std::size_t least_gain_;
  ScanQuantities<T> quantities_;
  std::vector<std::vector<double>> axis_values_;
  std::map<std::vector<double>, std::vector<double>> known_;
  bool is_foretold_wrongly_ = false, is_checked_everywhere_ = false;
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
