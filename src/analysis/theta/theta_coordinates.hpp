// θ in coordinates from 0 to 1: quantiles of the priors.
#pragma once

#include <span>
#include <vector>

#include "model/spec.hpp"

namespace greybox {

// Uniform priors give linear coordinates, lognormal ones logarithmic ones. Where a prior has no bound, the
// coordinates end at its central 99 %.
class ThetaCoordinates {
 public:
  explicit ThetaCoordinates(const std::vector<ParameterSpec>& parameters);

  std::size_t size() const { return parameters_.size(); }
  double theta(std::size_t parameter, double u) const;
  std::vector<double> theta(std::span<const double> u) const;
  // dθ/du
  double slope(std::size_t parameter, double u) const;
  // The coordinate of a value, cut to [0, 1].
  double coordinate(std::size_t parameter, double theta) const;

 private:
  std::vector<ParameterSpec> parameters_;
  // Quantiles at the ends.
  std::vector<double> first_, last_;
};

}  // namespace greybox
