// What verdicts are read from: regularizers and the misfit as functions of θ.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "analysis/theta/resampling.hpp"

namespace greybox {

// Quantities are numbered: regularizers in the model's order, then the misfit, which is what no network of
// the model can explain of the data at this θ.
class ThetaQuantities {
 public:
  virtual ~ThetaQuantities() = default;

  virtual std::size_t n_quantities() const = 0;
  std::size_t misfit() const { return n_quantities() - 1; }

  virtual void evaluate(std::span<const double> theta) = 0;
  // After evaluate; NaN where a trajectory became non-finite.
  virtual double value(std::size_t quantity) const = 0;
  virtual void gradient(std::size_t quantity, std::span<double> grad_theta) = 0;
  // After evaluate: values on resampled windows, [quantity][set].
  virtual std::vector<std::vector<double>> resampled(const Resampling& resampling) = 0;
};

// A misfit smaller than this part of the derivatives' variance is rounding.
constexpr double kNoMisfit = 1e-9;
// θ whose misfit exceeds the least by no more than this part of it are never excluded.
constexpr double kMisfitTolerance = 0.05;

// How far a misfit may exceed the least without excluding its θ, where resampling makes it differ
// `by_chance`.
inline double allowed_excess(double least, double by_chance) {
  return std::max({by_chance, kMisfitTolerance * least, kNoMisfit});
}

}  // namespace greybox
