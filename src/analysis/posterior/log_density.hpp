// Densities to sample from: of θ within its bounds, and carried over to the whole space, where a sampler
// meets none.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "model/spec.hpp"

namespace greybox {

// Writes the gradient and returns the logarithm of the density, up to a constant; not finite where there is
// no density.
using LogDensity = std::function<double(std::span<const double> position, std::span<double> gradient)>;

// A monotone map of the whole line onto a range: logit where both ends are finite, log where one is.
class RangeMap {
 public:
  RangeMap(double low, double high);

  double into(double z) const;        // the whole line → the range
  double out_of(double theta) const;  // the range → the whole line
  double slope(double z) const;       // dθ/dz
  double log_slope(double z) const;   // log |dθ/dz|
  double log_slope_derivative(double z) const;

 private:
  double low_, high_;
  bool has_low_, has_high_;
};

std::vector<RangeMap> range_maps(const std::vector<ParameterSpec>& parameters);

// log p(z) = log p(θ(z)) + log_likelihood(θ(z)) + Σ log |dθ/dz| with the parameters' priors p(θ).
LogDensity on_whole_space(const std::vector<ParameterSpec>& parameters, LogDensity log_likelihood);

}  // namespace greybox
