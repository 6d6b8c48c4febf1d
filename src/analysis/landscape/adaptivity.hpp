// Where does the model fit? Of θ that do not fit the data, R says nothing about the theory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/observed_error.hpp"

namespace greybox {

struct Adaptivity {
  // L is above the limit, or not a number.
  std::vector<std::uint8_t> is_poor;
  double poor_share = 0;
  std::string sentence;
};

// `limit`: of the run's fit; where that is infinite, four times the lowest L.
Adaptivity audit_adaptivity(std::span<const double> losses, double limit, const ErrorMeasure& measure = {});

// The limit that the audit uses.
double audit_limit(std::span<const double> losses, double limit);

}  // namespace greybox
