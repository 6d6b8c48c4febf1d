#include "analysis/posterior/warmup.hpp"

#include <algorithm>
#include <cmath>

namespace greybox {
namespace {

// Constants of Hoffman & Gelman: how fast early iterations are forgotten, and how strongly steps are shrunk.
constexpr double kShrinkage = 0.05, kDelay = 10, kForgetting = 0.75;
// Stan's lengths of the first stretch, the first window and the last stretch.
constexpr std::size_t kFirst = 75, kWindow = 25, kLast = 50;
constexpr double kPriorWeight = 5, kPriorVariance = 1e-3;

}  // namespace

void StepSizeAdaptation::restart(double step_size) {
  current_ = step_size;
  centre_ = std::log(10 * step_size);
  error_mean_ = log_average_ = n_ = 0;
}

void StepSizeAdaptation::learn(double acceptance) {
  ++n_;
  const double share = 1 / (n_ + kDelay);
  error_mean_ = (1 - share) * error_mean_ + share * (target_ - (std::isnan(acceptance) ? 0 : acceptance));
  const double log_step = centre_ - error_mean_ * std::sqrt(n_) / kShrinkage;
  const double weight = std::pow(n_, -kForgetting);
  log_average_ = (1 - weight) * log_average_ + weight * log_step;
  current_ = std::exp(log_step);
}

double StepSizeAdaptation::averaged() const {
  return n_ > 0 ? std::exp(log_average_) : current_;
}

void VarianceAdaptation::learn(std::span<const double> position) {
  ++n_;
  for (std::size_t i = 0; i < mean_.size(); ++i) {
    const double before = position[i] - mean_[i];
    mean_[i] += before / n_;
    squares_[i] += before * (position[i] - mean_[i]);
  }
}

std::vector<double> VarianceAdaptation::finish() {
  std::vector<double> variances;
  for (double sum : squares_)
    variances.push_back((n_ * sum / std::max(n_ - 1, 1.0) + kPriorWeight * kPriorVariance) /
                        (n_ + kPriorWeight));
  std::fill(mean_.begin(), mean_.end(), 0.0);
  std::fill(squares_.begin(), squares_.end(), 0.0);
  n_ = 0;
  return variances;
}

WarmupSchedule::WarmupSchedule(std::size_t n_warmup) {
  const bool is_short = n_warmup < kFirst + kWindow + kLast;
  begin_ = is_short ? n_warmup * 15 / 100 : kFirst;
  end_ = n_warmup - (is_short ? n_warmup / 10 : kLast);
  // The last window takes what is left when a doubled one would not fit after it.
  for (std::size_t from = begin_, length = is_short ? end_ - begin_ : kWindow; from < end_; length *= 2) {
    const bool is_last = from + 3 * length > end_;
    from = is_last ? end_ : from + length;
    last_of_window_.push_back(from - 1);
  }
}

bool WarmupSchedule::learns_scales(std::size_t iteration) const {
  return iteration >= begin_ && iteration < end_;
}

bool WarmupSchedule::ends_window(std::size_t iteration) const {
  return std::find(last_of_window_.begin(), last_of_window_.end(), iteration) != last_of_window_.end();
}

}  // namespace greybox
