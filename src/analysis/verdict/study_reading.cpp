#include "analysis/verdict/study_reading.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/theta/resampling.hpp"
#include "core/limits.hpp"
#include "core/median.hpp"

namespace greybox {
namespace {

// Half-width of a 90 % interval, in standard deviations.
constexpr double kSpreadsOfDifference = 1.645;

// Between two minima R rises by this many times what would count as low, or by this part of the way from its
// lowest value to its median over the prior.
constexpr double kClearly = 2, kRiseBetween = 0.1;

// A rise that smoothing may cause or hide beyond what smoothings differ by, as a part of the rise over the
// prior. That is a sum over the parameters; each has its share.
constexpr double kErrorOfSmoothing = 2e-3;

double error_of_smoothing(const ThetaStudy& study, const QuantityProfiles& profiles) {
  if (!study.is_smoothed) return 0;
  return kErrorOfSmoothing * std::max(profiles.median - profiles.best.value, 0.0) /
         static_cast<double>(study.axes.size());
}

// Of the misfit: by how much it may exceed its lowest value without excluding θ.
double allowed_misfit(const ThetaStudy& study) {
  return study.is_of_misfit && study.limit.is_active ? study.limit.limit - study.profiles[0].best.value : 0;
}

// A value of the quantity up to which θ belongs to the valley on the windows as they are.
double valley_limit(const ThetaStudy& study, const QuantityProfiles& profiles) {
  return profiles.best.value + std::max(valley_rise(profiles), allowed_misfit(study));
}

// One quantity of one source along one axis: θ is low where its rise above the lowest is within what
// resampling the windows does to that rise.
class SourceReader {
 public:
  SourceReader(const ThetaStudy& study, std::size_t source, std::size_t axis)
      : profiles_(study.profiles[source]),
        points_(profiles_.axes[axis]),
        positions_(study.positions[axis]),
        tolerance_(std::max({descent_accuracy(profiles_, axis), error_of_smoothing(study, profiles_),
                             allowed_misfit(study)})) {
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
  // At a point that need not be of the profile.
  bool is_low(const ProfilePoint& point) const {
    const double margin = kSpreadsOfDifference * spread_over_sets(point.resampled, lowest_->resampled);
    return point.value - lowest_->value - tolerance_ - margin <= 0;
  }
  // Too high for a search that ended early.
  bool is_clearly_high(std::size_t place) const {
    const double far = kRiseBetween * (profiles_.median - profiles_.best.value);
    return !is_low(place) && rise(place) > std::min(far, kClearly * (tolerance_ + margin(place)));
  }

  Interval extent() const {
    return extent_of([&](std::size_t place) { return excess(place); });
  }
  // Without regard to what other windows would say.
  Interval extent_on_these_windows() const {
    return extent_of([&](std::size_t place) { return rises_[place] - tolerance_; });
  }

 private:
  double excess(std::size_t place) const { return rises_[place] - tolerance_ - margin(place); }

  // Of the places at which `above` is not positive.
  template <class F>
  Interval extent_of(F&& above) const {
    const std::size_t n = points_.size();
    std::size_t first = 0, last = n;
    while (first < n && !(above(first) <= 0)) ++first;
    while (last > first && !(above(last - 1) <= 0)) --last;
    if (first == n) return {kNaN, kNaN};
    return {first == 0 ? positions_[0] : crossing(above, first, first - 1),
            last == n ? positions_[n - 1] : crossing(above, last - 1, last)};
  }

  void find_lowest_point() {
    lowest_ = &points_[0];
    for (const std::vector<ProfilePoint>& axis : profiles_.axes)
      for (const ProfilePoint& point : axis)
        if (point.value < lowest_->value) lowest_ = &point;
  }

  // Where `above` changes sign between a low place and its neighbour.
  template <class F>
  double crossing(F&& above, std::size_t low, std::size_t high) const {
    const double share = -above(low) / (above(high) - above(low));
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
    reading.widest_alone = 0;
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      const Interval extent = sources_[s].extent();
      reading.interval = hull(reading.interval, extent);
      reading.widest_alone = std::fmax(reading.widest_alone, width(extent));
      reading.on_these_windows = hull(reading.on_these_windows, sources_[s].extent_on_these_windows());
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

  // Whether a place lies between low ones of one source, and above them in all: low sets that only lie apart
  // from source to source are no minima.
  bool is_ridge(std::size_t place) const {
    const auto is_between = [&](const SourceReader& source) {
      const auto is_low_within = [&](std::size_t first, std::size_t last) {
        while (first < last && !source.is_low(first)) ++first;
        return first < last;
      };
      return is_low_within(0, place) && is_low_within(place + 1, positions_.size());
    };
    return std::ranges::all_of(sources_, [&](const SourceReader& s) { return s.is_clearly_high(place); }) &&
           std::ranges::any_of(sources_, is_between);
  }

  std::vector<Interval> groups() const {
    std::vector<Interval> found;
    bool is_after_ridge = true;
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      is_after_ridge = is_after_ridge || is_ridge(i);
      if (!is_low(i)) continue;
      if (is_after_ridge) found.emplace_back(positions_[i], positions_[i]);
      found.back().second = positions_[i];
      is_after_ridge = false;
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

namespace {

std::vector<std::size_t> all_but(const ThetaStudy& study, const std::vector<std::size_t>& axes) {
  std::vector<std::size_t> others;
  for (std::size_t k = 0; k < study.axes.size(); ++k)
    if (std::ranges::find(axes, k) == axes.end()) others.push_back(study.axes[k]);
  return others;
}

constexpr double kMostly = 0.8;

}  // namespace

bool is_low_along(ThetaStudies& studies, const std::vector<std::vector<double>>& rows,
                  const std::vector<std::size_t>& held) {
  const ThetaStudy& study = studies.last();
  const SourceReader reader(study, 0, held[0]);
  const std::vector<std::size_t> free = all_but(study, held);
  std::size_t n_low = 0;
  for (const std::vector<double>& row : rows) {
    std::vector<double> u = study.profiles[0].best.u;
    for (std::size_t axis : held) u[study.axes[axis]] = row[axis];
    n_low += reader.is_low(studies.lowest_from(u, free)) ? 1 : 0;
  }
  return static_cast<double>(n_low) >= kMostly * static_cast<double>(rows.size());
}

bool is_tied(ThetaStudies& studies, std::size_t axis, const std::vector<std::size_t>& open) {
  constexpr std::size_t kPoints = 5;
  const ThetaStudy& study = studies.last();
  const QuantityProfiles& profiles = study.profiles[0];
  const double limit = valley_limit(study, profiles);
  std::vector<std::vector<double>> low;
  for (const ProfilePoint& point : profiles.axes[axis])
    if (point.value <= limit) low.push_back(point.u);
  const std::vector<std::size_t> following = all_but(study, open);
  std::size_t n_low = 0, n = 0;
  const std::size_t stride = std::max<std::size_t>(1, low.size() / kPoints);
  for (std::size_t from = 0; from < low.size(); from += stride)
    for (std::size_t to = 0; to < low.size(); to += stride, ++n) {
      std::vector<double> u = low[from];
      u[study.axes[axis]] = low[to][study.axes[axis]];
      n_low += studies.lowest_from(u, following).value <= limit ? 1 : 0;
    }
  return static_cast<double>(n_low) < kMostly * static_cast<double>(n);
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
  const double low = valley_limit(study, profiles);
  const auto n_low = std::count_if(profiles.spread_values.begin(), profiles.spread_values.end(),
                                   [&](double value) { return value <= low; });
  valley.low_share = static_cast<double>(n_low) / static_cast<double>(profiles.spread_values.size());
  // Of every source: what ties parameters under one smoothing alone is a property of that smoothing.
  for (const QuantityProfiles& of_source : study.profiles) {
    const double limit = valley_limit(study, of_source);
    for (const DescentPoint& end : of_source.ends)
      if (end.value <= limit) valley.low.push_back(varied(end.u));
    for (const std::vector<ProfilePoint>& axis : of_source.axes)
      for (const ProfilePoint& point : axis)
        if (point.value <= limit) valley.low.push_back(varied(point.u));
  }
  return valley;
}

}  // namespace greybox
