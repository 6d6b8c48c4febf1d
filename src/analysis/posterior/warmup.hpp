// What a chain learns before its draws count: its step size and the scales of the parameters.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace greybox {

// Dual averaging of log step sizes towards a mean acceptance (Hoffman & Gelman 2014, section 3.2).
class StepSizeAdaptation {
 public:
  explicit StepSizeAdaptation(double target) : target_(target) {}

  void restart(double step_size);
  void learn(double acceptance);
  double current() const { return current_; }
  double averaged() const;  // what to use once the adaptation is over

 private:
  double target_;
  double current_ = 1, centre_ = 0, error_mean_ = 0, log_average_ = 0, n_ = 0;
};

// Means and variances of positions, one at a time (Welford).
class VarianceAdaptation {
 public:
  explicit VarianceAdaptation(std::size_t n) : mean_(n), squares_(n) {}

  void learn(std::span<const double> position);
  // Variances, drawn a little towards 1e-3 as in Stan; forgets what was learned.
  std::vector<double> finish();

 private:
  std::vector<double> mean_, squares_;
  double n_ = 0;
};

// Stan's schedule: a first stretch for the step size alone, windows of doubling length that each end with new
// scales, and a last stretch for the step size.
class WarmupSchedule {
 public:
  explicit WarmupSchedule(std::size_t n_warmup);

  bool learns_scales(std::size_t iteration) const;
  bool ends_window(std::size_t iteration) const;

 private:
  std::size_t begin_, end_;  // of the windows
  std::vector<std::size_t> last_of_window_;
};

}  // namespace greybox
