#include "train/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace greybox {
namespace {

// Of the updates: those over which rates rise, and at most so many.
constexpr double kWarmUpPart = 0.05, kMostWarmUp = 200;
// Of the epochs before: those over which rates fall.
constexpr double kFallPart = 0.5;

}  // namespace

Schedule::Schedule(const TrainSpec& train, std::size_t steps_per_epoch)
    : epochs_(train.epochs),
      steps_per_epoch_(steps_per_epoch),
      ratio_(train.rate_end < train.rate_start ? train.rate_end / train.rate_start : kLastOverPeak),
      warm_up_(std::min(kWarmUpPart * static_cast<double>(epochs_ * steps_per_epoch), kMostWarmUp)) {}

double Schedule::rate(const Counters& counters) const {
  const double up = std::min(1.0, (counters.n_updates - counters.moments_from + 1) / (warm_up_ + 1));
  const double level = counters.peak_rate * up;
  if (std::isnan(counters.falls_from)) return level;
  const auto steps = static_cast<double>(steps_per_epoch_);
  const double begin = counters.falls_from * steps;
  const double end = static_cast<double>(n_epochs(counters)) * steps;
  const double done = std::clamp((counters.n_updates - begin) / (end - begin), 0.0, 1.0);
  const double height = 0.5 * (1 + std::cos(std::numbers::pi * done));
  return level * (ratio_ + (1 - ratio_) * height);
}

std::size_t Schedule::most_epochs(const Counters& counters) const {
  return epochs_ << static_cast<unsigned>(counters.n_doublings);
}

std::size_t Schedule::latest_fall(const Counters& counters) const {
  return static_cast<std::size_t>(static_cast<double>(most_epochs(counters)) / (1 + kFallPart));
}

std::size_t Schedule::n_epochs(const Counters& counters) const {
  const double n = counters.falls_from + std::max(1.0, std::ceil(kFallPart * counters.falls_from));
  return std::min(most_epochs(counters), static_cast<std::size_t>(n));
}

}  // namespace greybox
