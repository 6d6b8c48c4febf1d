// PI step size control and the choice of the first step.
#include "ode/step_control.hpp"

#include <algorithm>
#include <cmath>

namespace greybox {
namespace {

constexpr double kSafety = 0.9;
constexpr double kLargestShrink = 5;   // a step becomes at most this much shorter
constexpr double kLargestGrowth = 10;  // or this much longer
constexpr double kStretch = 1.01;      // a step may be this much longer to reach an output time

}  // namespace

double StepControl::propose(double remaining) const {
  return kStretch * next_ >= remaining ? remaining : next_;
}

bool StepControl::judge(double size, double error) {
  // Of the error's exponent 1/order, the integral part β works on the previous error.
  const double beta = 0.2 / order_;
  const double proportional = std::pow(error, 1.0 / order_ - 0.75 * beta) / kSafety;
  if (!(error <= 1)) {
    next_ = size / (std::isfinite(proportional) ? std::min(kLargestShrink, proportional) : kLargestShrink);
    was_rejected_ = true;
    return false;
  }
  const double shrink = proportional / std::pow(previous_error_, beta);
  double proposed = size / std::clamp(shrink, 1 / kLargestGrowth, kLargestShrink);
  if (was_rejected_) proposed = std::min(proposed, size);
  // A step cut short by an output time says nothing against the longer one that was meant.
  next_ = proposed >= size ? std::max(proposed, next_) : proposed;
  previous_error_ = std::max(error, 1e-4);
  was_rejected_ = false;
  return true;
}

double first_step_guess(double state, double derivative) {
  return state < 1e-5 || derivative < 1e-5 ? 1e-6 : 0.01 * state / derivative;
}

double first_step(double guess, double derivative, double second_derivative, int order) {
  const double largest = std::max(derivative, second_derivative);
  if (!(largest > 1e-15) || !std::isfinite(largest)) return std::max(1e-6, 1e-3 * guess);
  return std::min(100 * guess, std::pow(0.01 / largest, 1.0 / (order + 1)));
}

}  // namespace greybox
