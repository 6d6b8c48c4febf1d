// The prior of one parameter as a density, cut to its bounds.
#pragma once

#include "model/spec.hpp"

namespace greybox {

class PriorDensity {
 public:
  explicit PriorDensity(const ParameterSpec& parameter);

  // Of θ within its bounds; integrates to 1 over them.
  double log_density(double theta) const;
  double slope(double theta) const;  // d log density / dθ
  double cdf(double theta) const;

 private:
  double standardised(double theta) const;

  PriorKind kind_;
  double low_, high_, mean_, sd_, alpha_, beta_;
  double log_mass_ = 0;  // of the normal between the bounds
};

}  // namespace greybox
