// Profiles of a quantity: its lowest value over all other parameters, at many values of each.
#pragma once

#include <algorithm>
#include <vector>

#include "analysis/verdict/descent.hpp"

namespace greybox {

struct ProfilePoint {
  // Coordinates of all parameters; that of the profile's own is as asked for.
  std::vector<double> u;
  double value = 0;
  // How far from it another descent to the same position ended.
  double gap = 0;
  // On resampled windows.
  std::vector<double> resampled;
};

// Of one quantity of one source.
struct QuantityProfiles {
  DescentPoint best;
  // At points all over the prior, and their median.
  std::vector<double> spread_values;
  double median = 0;
  // [axis][position along it]
  std::vector<std::vector<ProfilePoint>> axes;
  // Ends of descents from all over the prior: points of the valley.
  std::vector<DescentPoint> ends;
  // By how much a descent from the lowest point of all profiles still lowered it.
  double last_fall = 0;
};

// θ belong to the valley, along which combinations are looked for, up to this rise from the lowest value: 0.2
// % of the way to the median.
inline double valley_rise(const QuantityProfiles& profiles) {
  return 2e-3 * std::max(profiles.median - profiles.best.value, 0.0);
}

// How much of a rise along an axis may come from descents that ended early: as much as repeated ones differ
// by where the profile is low, and no less than they leave when they end.
double descent_accuracy(const QuantityProfiles& profiles, std::size_t axis);

struct ProfileOptions {
  // Which of the model's parameters vary; the others stay at `held`.
  std::vector<std::size_t> axes;
  // Coordinates.
  std::vector<double> held;
  std::size_t n_starts = 6;
};

// Points that fill the cube of the varied coordinates evenly, all coordinates each.
std::vector<std::vector<double>> spread_points(const ProfileOptions& options, std::size_t n);

// Where along an axis a profile is computed: evenly, and closer around the best point and other low ends.
std::vector<double> profile_positions(const QuantityProfiles& lowest, std::size_t axis, std::size_t n_axes);

// The lowest point, from the lowest of `spread` (whose values are given) down.
QuantityProfiles find_lowest(Descent& descent, const ProfileOptions& options,
                             const std::vector<std::vector<double>>& spread,
                             const std::vector<double>& values);

// Along one axis, from the best point outwards and back again, each point a descent from its neighbour's.
std::vector<ProfilePoint> profile_along(Descent& descent, const ProfileOptions& options,
                                        const QuantityProfiles& lowest, std::size_t axis,
                                        const std::vector<double>& positions);

}  // namespace greybox
