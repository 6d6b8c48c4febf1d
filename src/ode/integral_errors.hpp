// Errors of integrals over time, so that steps are short enough for means over a trajectory too.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "ode/error_norm.hpp"
#include "ode/plan.hpp"
#include "ode/right_hand_side.hpp"
#include "ode/tableau.hpp"

namespace greybox {

// An integrand's integral is what one more state with that derivative would be. Its error in a step is held
// against the relative tolerance of the integral of its absolute value so far, plus the absolute tolerance of
// its largest value over the whole trajectory. Where an integrand is non-finite it has no say.
template <class T>
class IntegralErrors {
 public:
  // The tableau must outlive this.
  IntegralErrors(const Tableau& tableau, std::size_t capacity) : tableau_(&tableau), capacity_(capacity) {}

  void begin(const SampleTimes<T>& times, const RightHandSide<T>& rhs) {
    n_integrands_ = rhs.n_integrands();
    if (n_integrands_ == 0) return;
    values_.resize(tableau_->n_stages() * n_integrands_ * capacity_);
    totals_.assign(n_integrands_ * capacity_, 0);
    largest_.assign(n_integrands_ * capacity_, 0);
    spans_.resize(capacity_);
    n_samples_ = times.n_samples;
    for (std::size_t i = 0; i < n_samples_; ++i)
      spans_[i] = static_cast<double>(times.at(times.n_intervals, i) - times.at(0, i));
  }

  // After the evaluation of a stage.
  void keep(std::size_t stage, const RightHandSide<T>& rhs) {
    for (std::size_t q = 0; q < n_integrands_; ++q)
      std::copy_n(rhs.integrand(q), n_samples_, values_.data() + place(stage, q, 0));
  }

  // The largest error of a step, in units of what is tolerated.
  double norm(std::size_t sample, double size, const ErrorTolerance& tolerance) const {
    double worst = 0;
    for (std::size_t q = 0; q < n_integrands_; ++q) {
      const Step step = sums(sample, q);
      const double tolerated =
          tolerance.relative * (totals_[q * capacity_ + sample] + size * step.magnitude) +
          tolerance.absolute * step.largest * spans_[sample];
      const double error = std::abs(size * step.error) / tolerated;
      if (std::isfinite(error)) worst = std::max(worst, error);
    }
    return worst;
  }

  // The step counts, and its last stage is the first one of the next.
  void accept(std::size_t sample, double size) {
    for (std::size_t q = 0; q < n_integrands_; ++q) {
      const Step step = sums(sample, q);
      if (std::isfinite(step.magnitude)) {
        totals_[q * capacity_ + sample] += size * step.magnitude;
        largest_[q * capacity_ + sample] = step.largest;
      }
      values_[place(0, q, sample)] = values_[place(tableau_->n_stages() - 1, q, sample)];
    }
  }

 private:
  struct Step {
    double error = 0, magnitude = 0, largest = 0;
  };

  std::size_t place(std::size_t stage, std::size_t integrand, std::size_t sample) const {
    return (stage * n_integrands_ + integrand) * capacity_ + sample;
  }

  Step sums(std::size_t sample, std::size_t integrand) const {
    Step step;
    step.largest = largest_[integrand * capacity_ + sample];
    for (std::size_t stage = 0; stage < tableau_->n_stages(); ++stage) {
      const auto value = static_cast<double>(values_[place(stage, integrand, sample)]);
      step.error += tableau_->b_error[stage] * value;
      step.magnitude += std::abs(tableau_->b[stage] * value);
      step.largest = std::max(step.largest, std::abs(value));
    }
    return step;
  }

  const Tableau* tableau_;
  std::size_t capacity_, n_integrands_ = 0, n_samples_ = 0;
  std::vector<T> values_;  // [stage][integrand][sample]
  // [integrand][sample]: the integral of the absolute value, and the largest value, of the steps so far.
  std::vector<double> totals_, largest_;
  std::vector<double> spans_;  // per sample, from the first time to the last
};

}  // namespace greybox
