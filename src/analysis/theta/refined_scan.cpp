#include "analysis/theta/refined_scan.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/theta/allowed_error.hpp"
#include "analysis/theta/scanned_places.hpp"
#include "core/median.hpp"
#include "core/random.hpp"

namespace greybox {
namespace {

// Where more of the grid would be computed, all of it is.
constexpr double kMostOfAll = 0.6;
// How much rougher means over few windows may be.
constexpr double kRougher = 5;
// Values that are off by no more than so many times what is allowed need no more points beside them: what
// lies between is foretold from them, and is nearer to what was foretold.
constexpr double kLoose = 4;
// θ that are computed to check the others: one in so many, at least a few. Around one that is wrong so many
// points on either side are computed, and others checked; one in so many may stay, and its error is told.
constexpr std::size_t kOneCheckedOf = 100, kFewestToCheck = 8, kAround = 2, kMostChecks = 3,
                      kOneMayStayOf = 12;
// Runs of seven neighbours, whose middle tells how rough a quantity is, and the fewest that do.
constexpr std::size_t kRuns = 8, kFewestRuns = 3;
template <class T>
class Refinement {
 public:
  Refinement(ThetaScan<T>& scan, const LoadedModel& loaded, std::span<const std::size_t> windows,
             const ThetaGrid& grid, const std::vector<std::size_t>& inside, const LoopProgress& progress,
             const InterpolationDemand& demand)
      : grid_(grid),
        demand_(demand),
        places_(scan, loaded, windows, grid, inside, progress, demand),
        tolerance_(places_.quantities().tolerance()),
        n_inside_(inside.size()),
        refined_(positions_of(grid.axes, values_of(grid.axes))) {
    for (std::size_t r = 0; r < loaded.model->regularizers.size(); ++r)
      smallest_ranges_.push_back(places_.quantities().smallest_range_of_regularizer(r));
  }

  RefinedValues run() {
    if (!demand_.allowed) find_roughness();
    const bool is_worth_it =
        refined_.refine([&](const auto& places) { return places_.at(places); },
                        [&](const auto& places, const auto& foretold, const auto& found) {
                          std::vector<double> times = judge(places, foretold, found, true);
                          for (double& of_place : times) of_place /= kLoose;
                          return times;
                        },
                        most_points()) &&
        check();
    if (is_worth_it) return {places_.completed(refined_.values()), places_.quantities().n_computed(), error_};
    compute_all();
    return {places_.completed(refined_.values()), n_inside_, 0};
  }

 private:
  static std::vector<std::vector<double>> values_of(const std::vector<LandscapeAxis>& axes) {
    std::vector<std::vector<double>> values;
    for (const LandscapeAxis& axis : axes) values.push_back(axis.values);
    return values;
  }
  std::size_t most_points() const {
    return static_cast<std::size_t>(kMostOfAll * static_cast<double>(n_inside_)) + grid_.size() - n_inside_;
  }
  std::size_t n_last() const { return grid_.axes.size() == 2 ? grid_.axes[1].values.size() : 1; }

  // What the six around say of the one in the middle: where θ does not fit, none is asked.
  void find_roughness() {
    const Random random(0, Purpose::analysis);
    std::vector<std::vector<double>> values, regularizers;
    for (std::size_t k = 0; k < kRuns; ++k) {
      const std::size_t axis = k % grid_.axes.size(), step = axis == 0 ? n_last() : 1;
      const std::size_t n = grid_.axes[axis].values.size();
      if (n < 7) return;
      std::size_t middle = random.below(grid_.size(), k, kMostChecks);
      const std::size_t along = middle / step % n;
      middle = middle + (std::clamp<std::size_t>(along, 3, n - 4) - along) * step;
      std::vector<std::size_t> run;
      for (std::size_t i = 0; i < 7; ++i) run.push_back(middle + i * step - 3 * step);
      const Quantities found = places_.at(run);
      if (!std::isfinite(found[0][3]) || places_.is_poor(middle)) continue;
      add_residuals(found, values);
      Quantities of_run;
      for (std::size_t r = 0; r < smallest_ranges_.size(); ++r)
        for (of_run.emplace_back(); const std::size_t place : run)
          of_run.back().push_back(places_.regularizer(r)[place]);
      add_residuals(of_run, regularizers);
    }
    roughness_ = medians(values);
    roughness_of_regularizers_ = medians(regularizers);
  }

  static void add_residuals(const Quantities& found, std::vector<std::vector<double>>& residuals) {
    residuals.resize(found.size());
    for (std::size_t q = 0; q < found.size(); ++q) {
      const std::vector<double>& f = found[q];
      const double middle = (15 * (f[2] + f[4]) - 6 * (f[1] + f[5]) + f[0] + f[6]) / 20;
      if (std::isfinite(middle)) residuals[q].push_back(std::abs(middle - f[3]));
    }
  }

  static std::vector<double> medians(const std::vector<std::vector<double>>& residuals) {
    std::vector<double> result;
    for (const std::vector<double>& some : residuals)
      result.push_back(some.size() < kFewestRuns ? 0 : median_of(some));
    return result;
  }

  // How many times the error that is allowed where somebody else says what that is.
  std::vector<double> judge_one(const std::vector<std::size_t>& places, const Quantities& foretold,
                                const Quantities& found) const {
    std::vector<double> values, losses, times;
    for (const std::size_t place : places) {
      values.push_back(places_.regularizer(demand_.regularizer)[place]);
      losses.push_back(places_.loss(place));
    }
    const std::vector<double> foretold_r = places_.regularizers_from(foretold)[demand_.regularizer];
    const std::vector<double> allowed = demand_.allowed(places, values, losses);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double off = std::abs(foretold_r[i] - values[i]) / allowed[i];
      const double of_loss =
          places_.has_log_losses() ? places_.times_of_loss(foretold.back()[i], found.back()[i]) : 0;
      const bool are_none = !std::isfinite(foretold_r[i]) && !std::isfinite(values[i]);
      times.push_back(std::max(of_loss, are_none ? 0 : std::isfinite(off) ? off : kInfinity));
    }
    return times;
  }

  // How many times the error that is allowed; against ranges over all that is known.
  std::vector<double> judge(const std::vector<std::size_t>& places, const Quantities& foretold,
                            const Quantities& found, bool with_roughness) const {
    if (demand_.allowed) return judge_one(places, foretold, found);
    const std::vector<std::size_t> known = refined_.known();
    std::vector<std::uint8_t> poor;
    for (const std::size_t place : known) poor.push_back(places_.is_poor(place) ? 1 : 0);
    Quantities regularizers(smallest_ranges_.size());
    for (std::size_t r = 0; r < regularizers.size(); ++r)
      for (const std::size_t place : known) regularizers[r].push_back(places_.regularizer(r)[place]);
    const std::vector<double> none;
    const AllowedError of_values(picked(refined_.values(), known), poor, tolerance_,
                                 places_.quantities().smallest_ranges(), with_roughness ? roughness_ : none);
    const AllowedError of_regularizers(regularizers, poor, tolerance_, smallest_ranges_,
                                       with_roughness ? roughness_of_regularizers_ : none);
    const Quantities foretold_r = places_.regularizers_from(foretold);
    std::vector<double> times(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      const bool is_poor = places_.is_poor(places[i]);
      times[i] = times_off(of_values, foretold, found, i, is_poor);
      for (std::size_t r = 0; r < foretold_r.size(); ++r)
        times[i] = std::max(
            times[i], of_regularizers.times(r, foretold_r[r][i], places_.regularizer(r)[places[i]], is_poor));
    }
    return times;
  }

  double times_off(const AllowedError& allowed, const Quantities& foretold, const Quantities& found,
                   std::size_t i, bool is_poor) const {
    const bool has_log_losses = places_.has_log_losses();
    double times = has_log_losses ? places_.times_of_loss(foretold.back()[i], found.back()[i]) : 0;
    for (std::size_t q = 0; q + (has_log_losses ? 1 : 0) < found.size(); ++q)
      times = std::max(times, allowed.times(q, foretold[q][i], found[q][i], is_poor));
    return times;
  }

  // False where too much is wrong.
  bool check() {
    if (!follow_few_windows()) return false;
    for (std::size_t round = 0; round < kMostChecks; ++round) {
      const std::vector<std::size_t> places = checked(round);
      const Quantities foretold = picked(refined_.values(), places);
      if (!compute(places)) return false;
      const Quantities found = picked(refined_.values(), places);
      const std::vector<double> times = judge(places, foretold, found, true),
                                parts = judge(places, foretold, found, false);
      std::vector<std::size_t> wrong;
      error_ = 0;
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (times[i] > kLoose) wrong.push_back(places[i]);
        if (!places_.is_poor(places[i])) error_ = std::max(error_, parts[i] * tolerance_);
      }
      if (wrong.size() * kOneMayStayOf <= places.size() && std::isfinite(error_)) return true;
      if (!compute(around(wrong))) return false;
    }
    return false;
  }

  // Some that are not known, and where regularizers are lowest.
  std::vector<std::size_t> checked(std::size_t round) const {
    std::vector<std::size_t> unknown;
    for (std::size_t place = 0; place < grid_.size(); ++place)
      if (!refined_.is_known(place) && places_.is_inside(place)) unknown.push_back(place);
    if (unknown.empty()) return {};
    std::set<std::size_t> places;
    const Random random(0, Purpose::analysis);
    const std::size_t n = (kFewestToCheck + grid_.size() / kOneCheckedOf) / (has_seen_all_ ? 2 : 1);
    for (std::size_t i = 0; i < n; ++i) places.insert(unknown[random.below(unknown.size(), i, round)]);
    const Quantities regularizers = places_.regularizers_from(refined_.values());
    for (const std::vector<double>& of_all : regularizers) {
      std::size_t lowest = unknown[0];
      for (const std::size_t place : unknown)
        if (of_all[place] < of_all[lowest] || std::isnan(of_all[lowest])) lowest = place;
      places.insert(lowest);
    }
    return {places.begin(), places.end()};
  }

  // Valleys that lie between the known points are seen in a few windows at every θ. Those are rougher than
  // the mean over all. False where they ask for too much.
  bool follow_few_windows() {
    if (demand_.allowed) return true;
    const std::optional<Quantities> exact = places_.on_few_windows();
    has_seen_all_ = exact.has_value();
    if (!exact) return true;
    std::vector<double> rougher = roughness_;
    for (double& of_quantity : rougher) of_quantity *= kRougher;
    for (;;) {
      std::vector<std::uint8_t> poor;
      for (const double loss : places_.losses_from(refined_.values()))
        poor.push_back(places_.is_poor_loss(loss) ? 1 : 0);
      const AllowedError allowed(*exact, poor, kRougher * tolerance_, places_.quantities().smallest_ranges(),
                                 rougher);
      const Quantities found = refined_.filled(picked(*exact, refined_.known()));
      std::vector<std::size_t> wrong;
      for (std::size_t place = 0; place < grid_.size(); ++place)
        if (places_.is_inside(place) && !refined_.is_known(place) &&
            times_off_by_few(allowed, found, *exact, place, poor[place] != 0) > kLoose)
          wrong.push_back(place);
      if (wrong.empty()) return true;
      if (!compute(wrong)) return false;
    }
  }

  double times_off_by_few(const AllowedError& allowed, const Quantities& foretold, const Quantities& found,
                          std::size_t place, bool is_poor) const {
    double times = 0;
    for (std::size_t q = 0; q < found.size(); ++q)
      times = std::max(times, allowed.times(q, foretold[q][place], found[q][place], is_poor));
    return times;
  }

  std::vector<std::size_t> around(const std::vector<std::size_t>& places) const {
    const std::size_t n_first = grid_.axes[0].values.size();
    std::vector<std::size_t> found;
    for (const std::size_t place : places) {
      const std::size_t i = place / n_last(), j = place % n_last();
      for (std::size_t k = i - std::min(i, kAround); k <= std::min(i + kAround, n_first - 1); ++k)
        for (std::size_t l = j - std::min(j, kAround); l <= std::min(j + kAround, n_last() - 1); ++l)
          found.push_back(k * n_last() + l);
    }
    return found;
  }

  // False where that is most of the grid.
  bool compute(const std::vector<std::size_t>& places) {
    refined_.compute(places, [&](const auto& of) { return places_.at(of); });
    return refined_.known().size() <= most_points();
  }

  void compute_all() {
    std::vector<std::size_t> all(grid_.size());
    for (std::size_t place = 0; place < all.size(); ++place) all[place] = place;
    compute(all);
  }

  const ThetaGrid& grid_;
  const InterpolationDemand& demand_;
  ScannedPlaces<T> places_;
  double tolerance_;
  std::size_t n_inside_;
  RefinedGrid refined_;
  // Of the regularizers.
  std::vector<double> smallest_ranges_;
  std::vector<double> roughness_, roughness_of_regularizers_;
  bool has_seen_all_ = false;
  double error_ = 0;
};

}  // namespace

template <class T>
RefinedValues refine_scan(ThetaScan<T>& scan, const LoadedModel& loaded, std::span<const std::size_t> windows,
                          const ThetaGrid& grid, const std::vector<std::size_t>& places,
                          const LoopProgress& progress, const InterpolationDemand& demand) {
  return Refinement<T>(scan, loaded, windows, grid, places, progress, demand).run();
}

template RefinedValues refine_scan(ThetaScan<float>&, const LoadedModel&, std::span<const std::size_t>,
                                   const ThetaGrid&, const std::vector<std::size_t>&, const LoopProgress&,
                                   const InterpolationDemand&);
template RefinedValues refine_scan(ThetaScan<double>&, const LoadedModel&, std::span<const std::size_t>,
                                   const ThetaGrid&, const std::vector<std::size_t>&, const LoopProgress&,
                                   const InterpolationDemand&);

}  // namespace greybox
