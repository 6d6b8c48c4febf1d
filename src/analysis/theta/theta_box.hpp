// Where θ may lie: its bounds, the range in which to look for it, and draws of the prior.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/spec.hpp"

namespace greybox {

class ThetaBox {
 public:
  explicit ThetaBox(const std::vector<ParameterSpec>& parameters);

  std::size_t size() const { return low_.size(); }
  // Bounds; infinite where there is none.
  const std::vector<double>& low() const { return low_; }
  const std::vector<double>& high() const { return high_; }
  // Finite: the bounds, or where there is none (0 of a lognormal prior is none) the end of the prior's
  // central 99 %.
  const std::vector<double>& likely_low() const { return likely_low_; }
  const std::vector<double>& likely_high() const { return likely_high_; }
  const std::vector<double>& middle() const { return middle_; }  // medians of the priors

  // In which a parameter's range is stepped through: θ or its logarithm.
  bool is_log(std::size_t parameter) const { return parameters_[parameter].is_log; }
  double coordinate(std::size_t parameter, double theta) const;
  double theta(std::size_t parameter, double coordinate) const;

  std::vector<double> draw(std::uint64_t seed, std::uint64_t number) const;
  bool contains(std::span<const double> theta) const;
  void project(std::span<double> theta) const;

 private:
  std::vector<ParameterSpec> parameters_;
  std::vector<double> low_, high_, likely_low_, likely_high_, middle_;
};

}  // namespace greybox
