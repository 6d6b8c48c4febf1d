#include "analysis/verdict/study_reading.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/landscape/minima.hpp"
#include "analysis/theta/resampling.hpp"
#include "core/limits.hpp"
#include "core/median.hpp"

namespace greybox {
namespace {

// R has to rise by this part of the way from its lowest value to its median over the prior before it counts:
// less is within the accuracy of the descents.
constexpr double kFlat = 2e-3;
// Between two minima R rises by this part of that way.
constexpr double kRiseBetween = 0.1;

// Half-width of a 90 % interval, in standard deviations.
constexpr double kSpreadsOfDifference = 1.645;

double tolerance(const ThetaStudy& study, const QuantityProfiles& profiles) {
  const double flat = kFlat * std::max(profiles.median - profiles.best.value, 0.0);
  if (!study.is_of_misfit || !study.limit.is_active) return flat;
  return std::max(flat, study.limit.limit - study.profiles[0].best.value);
}

// One quantity of one source along one axis: θ is low where its rise above the lowest is within what
// resampling the windows does to that rise.
class SourceReader {
 public:
  SourceReader(const ThetaStudy& study, std::size_t source, std::size_t axis)
      : profiles_(study.profiles[source]),
        points_(profiles_.axes[axis]),
        positions_(study.positions[axis]),
        tolerance_(tolerance(study, profiles_)) {
    find_lowest_point();
    for (const ProfilePoint& point : points_) {
      rises_.push_back(point.value - lowest_->value);
      spreads_.push_back(spread_over_sets(point.resampled, lowest_->resampled));
    }
  }

  double rise(std::size_t place) const { return rises_[place]; }
  // Half of the width of the band around the rise.
  double margin(std::size_t place) const { return kSpreadsOfDifference * spreads_[place]; }
  bool is_low(std::size_t place) const { return excess(place) <= 0; }

  Interval extent() const {
    const std::size_t n = points_.size();
    std::size_t first = 0, last = n;
    while (first < n && !is_low(first)) ++first;
    while (last > first && !is_low(last - 1)) --last;
    if (first == n) return {kNaN, kNaN};
    return {first == 0 ? positions_[0] : crossing(first, first - 1),
            last == n ? positions_[n - 1] : crossing(last - 1, last)};
  }

 private:
  double excess(std::size_t place) const { return rises_[place] - tolerance_ - margin(place); }

  void find_lowest_point() {
    lowest_ = &points_[0];
    for (const std::vector<ProfilePoint>& axis : profiles_.axes)
      for (const ProfilePoint& point : axis)
        if (point.value < lowest_->value) lowest_ = &point;
  }

  // Where the excess changes sign between a low place and its neighbour.
  double crossing(std::size_t low, std::size_t high) const {
    const double share = -excess(low) / (excess(high) - excess(low));
    return std::isfinite(share) ? std::lerp(positions_[low], positions_[high], std::clamp(share, 0.0, 1.0))
                                : positions_[low];
  }

  const QuantityProfiles& profiles_;
  const std::vector<ProfilePoint>& points_;
  const std::vector<double>& positions_;
  double tolerance_;
  const ProfilePoint* lowest_ = nullptr;
  std::vector<double> rises_, spreads_;
};

Interval hull(const Interval& a, const Interval& b) {
  return {std::fmin(a.first, b.first), std::fmax(a.second, b.second)};
}

class StudyReader {
 public:
  StudyReader(const ThetaStudy& study, std::size_t axis)
      : study_(study), axis_(axis), positions_(study.positions[axis]) {
    for (std::size_t s = 0; s < study.profiles.size(); ++s)
      if (!study.profiles[s].best.u.empty()) {
        sources_.emplace_back(study, s, axis);
        networks_.push_back(study.networks[s]);
      }
  }

  ParameterReading read() const {
    ParameterReading reading;
    reading.best = own().best.u[study_.axes[axis_]];
    reading.interval = {reading.best, reading.best};
    reading.of_networks.assign(study_.n_networks(), {kNaN, kNaN});
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      const Interval extent = sources_[s].extent();
      reading.interval = hull(reading.interval, extent);
      Interval& of_network = reading.of_networks[networks_[s]];
      of_network = hull(of_network, extent);
    }
    reading.groups = groups();
    read_profile(reading);
    return reading;
  }

 private:
  const QuantityProfiles& own() const { return study_.profiles[0]; }

  bool is_low(std::size_t place) const {
    return std::any_of(sources_.begin(), sources_.end(),
                       [&](const SourceReader& source) { return source.is_low(place); });
  }

  // Places where the profile is highest between two of its minima; the ends of the axis among them.
  std::vector<std::size_t> ridges() const {
    std::vector<double> values;
    for (std::size_t i = 0; i < positions_.size(); ++i) values.push_back(sources_[0].rise(i));
    const std::array<std::size_t, 1> shape = {values.size()};
    std::vector<std::size_t> minima =
        find_minima(values, shape, kRiseBetween * (own().median - own().best.value));
    std::sort(minima.begin(), minima.end());
    std::vector<std::size_t> ridges{0};
    for (std::size_t k = 1; k < minima.size(); ++k)
      ridges.push_back(static_cast<std::size_t>(
          std::max_element(values.begin() + static_cast<std::ptrdiff_t>(minima[k - 1]),
                           values.begin() + static_cast<std::ptrdiff_t>(minima[k])) -
          values.begin()));
    ridges.push_back(positions_.size());
    return ridges;
  }

  std::vector<Interval> groups() const {
    const std::vector<std::size_t> ends = ridges();
    std::vector<Interval> found;
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
      Interval group{1, 0};
      for (std::size_t i = ends[k]; i < ends[k + 1]; ++i)
        if (is_low(i)) {
          group.first = std::min(group.first, positions_[i]);
          group.second = std::max(group.second, positions_[i]);
        }
      if (group.first <= group.second) found.push_back(group);
    }
    return found;
  }

  void read_profile(ParameterReading& reading) const {
    reading.positions = positions_;
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      double low = sources_[0].rise(i), high = low;
      for (const SourceReader& source : sources_) {
        low = std::fmin(low, source.rise(i) - source.margin(i));
        high = std::fmax(high, source.rise(i) + source.margin(i));
      }
      reading.lowest.push_back(own().best.value + sources_[0].rise(i));
      reading.low.push_back(own().best.value + low);
      reading.high.push_back(own().best.value + high);
    }
    reading.rise = (median_of(reading.lowest) - own().best.value) / (own().median - own().best.value);
  }

  const ThetaStudy& study_;
  std::size_t axis_;
  const std::vector<double>& positions_;
  std::vector<SourceReader> sources_;
  std::vector<std::size_t> networks_;
};

}  // namespace

bool has_values(const ThetaStudy& study) {
  return !study.profiles[0].best.u.empty() && std::isfinite(study.profiles[0].best.value);
}

ParameterReading read_study(const ThetaStudy& study, std::size_t axis) {
  return StudyReader(study, axis).read();
}

double low_limit(const ThetaStudy& study) {
  const QuantityProfiles& profiles = study.profiles[0];
  return profiles.best.value + tolerance(study, profiles);
}

Valley valley_of(const ThetaStudy& study) {
  const QuantityProfiles& profiles = study.profiles[0];
  const auto varied = [&](const std::vector<double>& u) {
    std::vector<double> row;
    for (std::size_t axis : study.axes) row.push_back(u[axis]);
    return row;
  };
  Valley valley;
  valley.best = varied(profiles.best.u);
  for (const std::vector<double>& u : study.spread) valley.all.push_back(varied(u));
  const double limit = low_limit(study);
  const auto n_low = std::count_if(profiles.spread_values.begin(), profiles.spread_values.end(),
                                   [&](double value) { return value <= limit; });
  valley.low_share = static_cast<double>(n_low) / static_cast<double>(profiles.spread_values.size());
  for (const DescentPoint& end : profiles.ends)
    if (end.value <= limit) valley.low.push_back(varied(end.u));
  for (const std::vector<ProfilePoint>& axis : profiles.axes)
    for (const ProfilePoint& point : axis)
      if (point.value <= limit) valley.low.push_back(varied(point.u));
  return valley;
}

}  // namespace greybox
