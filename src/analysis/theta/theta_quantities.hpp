// What verdicts are read from: regularizers and the misfit as functions of θ.
#pragma once

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

}  // namespace greybox
