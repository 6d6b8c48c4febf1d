// How far interpolated values may be from those that were computed.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/theta/interpolant.hpp"

namespace greybox {

class AllowedError {
 public:
  // A part `tolerance` of each quantity's range over the places that fit, or of a smallest range where that
  // is more; over all places where next to none fit. `is_poor`: of those that do not. Where a quantity is
  // rougher than that by itself, up to ten times as much; `roughness` may be empty.
  AllowedError(const Quantities& values, const std::vector<std::uint8_t>& is_poor, double tolerance,
               const std::vector<double>& smallest_ranges, const std::vector<double>& roughness);

  // How many times that error a value is off. Of one that does not fit, its size counts too.
  double times(std::size_t quantity, double foretold, double found, bool is_poor) const;

 private:
  std::vector<double> allowed_, allowed_of_poor_;
};

}  // namespace greybox
