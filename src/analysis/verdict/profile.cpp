#include "analysis/verdict/profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/landscape/minima.hpp"
#include "analysis/verdict/quantiles.hpp"
#include "core/limits.hpp"
#include "core/median.hpp"

namespace greybox {
namespace {

// Between two minima R rises by this part of the way from its lowest value to its median: see landscapes.
constexpr double kMinRise = 0.1;

// Lowest value in each bin among adapted points.
std::vector<double> profile_of(const ThetaCloud& cloud, const std::vector<double>& values, std::size_t axis) {
  std::vector<double> lowest(cloud.n_bins, kNaN);
  for (std::size_t i = 0; i < cloud.size(); ++i)
    if (cloud.is_poor[i] == 0 && std::isfinite(values[i])) {
      double& of_bin = lowest[cloud.bin(i, axis)];
      of_bin = std::fmin(of_bin, values[i]);
    }
  return lowest;
}

class Reader {
 public:
  Reader(const ThetaCloud& cloud, const SublevelSet& set, std::size_t axis)
      : cloud_(cloud), set_(set), axis_(axis) {
    for (const CloudReplicate& replicate : cloud.replicates)
      profiles_.push_back(profile_of(cloud, replicate.regularizers[set.regularizer], axis));
  }

  ParameterReading read() {
    ParameterReading reading;
    reading.best = cloud_.at(set_.best, axis_);
    find_extents();
    reading.interval = extent([](std::size_t) { return true; });
    reading.interval.first = std::min(reading.interval.first, reading.best);
    reading.interval.second = std::max(reading.interval.second, reading.best);
    for (std::size_t network = 0; network < cloud_.n_networks; ++network)
      reading.of_networks.push_back(
          extent([&](std::size_t k) { return cloud_.replicates[k].network == network; }));
    reading.groups = groups();
    read_profile(reading);
    read_poor(reading);
    return reading;
  }

 private:
  // The lowest and highest value among each replicate's low points.
  void find_extents() {
    for (std::size_t k = 0; k < cloud_.replicates.size(); ++k) {
      Interval found{1, 0};
      for (std::size_t i = 0; i < cloud_.size(); ++i)
        if (set_.low_share[i] > 0 && set_.is_low(cloud_, k, i)) {
          found.first = std::min(found.first, cloud_.at(i, axis_));
          found.second = std::max(found.second, cloud_.at(i, axis_));
        }
      extents_.push_back(found);
    }
  }

  template <class F>
  Interval extent(F&& takes_part) const {
    std::vector<double> first, last;
    for (std::size_t k = 0; k < extents_.size(); ++k)
      if (takes_part(k)) {
        first.push_back(extents_[k].first);
        last.push_back(extents_[k].second);
      }
    return {quantile(std::move(first), kOutliers), quantile(std::move(last), 1 - kOutliers)};
  }

  // Share of replicates in which a bin has low points.
  double low_share(std::size_t bin) const {
    std::size_t n_low = 0;
    for (std::size_t k = 0; k < profiles_.size(); ++k) n_low += profiles_[k][bin] <= set_.levels[k].limit;
    return static_cast<double>(n_low) / static_cast<double>(profiles_.size());
  }

  // The low bins around each minimum of the profile, where there are any.
  std::vector<Interval> groups() const {
    std::vector<Interval> found;
    for (const auto& [first, end] : basins()) {
      Interval group{1, 0};
      for (std::size_t bin = first; bin < end; ++bin)
        if (low_share(bin) >= kOutliers) {
          group.first = std::min(group.first, cloud_.bin_middle(bin));
          group.second = std::max(group.second, cloud_.bin_middle(bin));
        }
      if (group.first <= group.second) found.push_back(group);
    }
    return found;
  }

  // Ranges of bins, cut where the run's own profile is highest between two of its minima.
  std::vector<std::pair<std::size_t, std::size_t>> basins() const {
    std::vector<std::size_t> bins;  // a gap in what is known is no ridge
    std::vector<double> values;
    for (std::size_t bin = 0; bin < cloud_.n_bins; ++bin)
      if (!std::isnan(profiles_[0][bin])) {
        bins.push_back(bin);
        values.push_back(profiles_[0][bin]);
      }
    const double min_rise = kMinRise * (set_.levels[0].median - set_.levels[0].lowest);
    const std::array<std::size_t, 1> shape = {values.size()};
    std::vector<std::size_t> minima = find_minima(values, shape, min_rise);
    std::sort(minima.begin(), minima.end());
    std::vector<std::pair<std::size_t, std::size_t>> found{{0, cloud_.n_bins}};
    for (std::size_t k = 1; k < minima.size(); ++k) {
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(minima[k - 1]);
      const auto to = values.begin() + static_cast<std::ptrdiff_t>(minima[k]);
      const std::size_t ridge = bins[static_cast<std::size_t>(std::max_element(from, to) - values.begin())];
      found.back().second = ridge;
      found.emplace_back(ridge, cloud_.n_bins);
    }
    return found;
  }

  void read_profile(ParameterReading& reading) const {
    reading.lowest = profiles_[0];
    for (std::size_t bin = 0; bin < cloud_.n_bins; ++bin) {
      reading.positions.push_back(cloud_.bin_middle(bin));
      std::vector<double> aligned;
      for (std::size_t k = 0; k < profiles_.size(); ++k)
        aligned.push_back(profiles_[k][bin] - set_.levels[k].lowest + set_.levels[0].lowest);
      reading.low.push_back(quantile(aligned, kOutliers));
      reading.high.push_back(quantile(aligned, 1 - kOutliers));
    }
    const LowLevel& own = set_.levels[0];
    reading.rise = (median_of(profiles_[0]) - own.lowest) / (own.median - own.lowest);
  }

  void read_poor(ParameterReading& reading) const {
    std::vector<double> n_all(cloud_.n_bins), n_poor(cloud_.n_bins);
    const std::vector<double>& values = cloud_.replicates[0].regularizers[set_.regularizer];
    const double clearly_lower = 2 * set_.levels[0].lowest - set_.levels[0].limit;
    for (std::size_t i = 0; i < cloud_.n_spread; ++i) {
      n_all[cloud_.bin(i, axis_)] += 1;
      if (cloud_.is_poor[i] == 0) continue;
      n_poor[cloud_.bin(i, axis_)] += 1;
      const bool is_outside =
          cloud_.at(i, axis_) < reading.interval.first || cloud_.at(i, axis_) > reading.interval.second;
      if (is_outside && values[i] < clearly_lower) reading.is_lower_where_poor = true;
    }
    std::size_t n_mostly_poor = 0;
    const double cell = 1 / static_cast<double>(cloud_.n_bins - 1);
    for (std::size_t bin = 0; bin < cloud_.n_bins; ++bin) {
      if (2 * n_poor[bin] <= n_all[bin]) continue;
      ++n_mostly_poor;
      const double middle = cloud_.bin_middle(bin);
      reading.is_cut_off = reading.is_cut_off || std::abs(middle - reading.interval.first) < 1.6 * cell ||
                           std::abs(middle - reading.interval.second) < 1.6 * cell;
    }
    reading.poor_share = static_cast<double>(n_mostly_poor) / static_cast<double>(cloud_.n_bins);
  }

  const ThetaCloud& cloud_;
  const SublevelSet& set_;
  std::size_t axis_;
  std::vector<std::vector<double>> profiles_;  // [replicate][bin]
  std::vector<Interval> extents_;              // [replicate]
};

}  // namespace

ParameterReading read_parameter(const ThetaCloud& cloud, const SublevelSet& set, std::size_t axis) {
  return Reader(cloud, set, axis).read();
}

Valley valley_of(const ThetaCloud& cloud, const SublevelSet& set) {
  const auto row = [&](std::size_t i) {
    std::vector<double> u;
    for (std::size_t axis = 0; axis < cloud.n_axes(); ++axis) u.push_back(cloud.at(i, axis));
    return u;
  };
  Valley valley;
  valley.best = row(set.best);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    if (cloud.is_poor[i] != 0) continue;
    if (i < cloud.n_spread) valley.all.push_back(row(i));
    if (set.low_share[i] < kOutliers) continue;
    valley.low.push_back(row(i));
    if (i < cloud.n_spread) valley.low_share += 1 / static_cast<double>(cloud.n_spread);
  }
  return valley;
}

}  // namespace greybox
