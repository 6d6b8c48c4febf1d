// Where does the model fit? Of θ that do not fit the data, R says nothing about the theory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/run/opened_run.hpp"
#include "model/observed_error.hpp"

namespace greybox {

struct Adaptivity {
  // L is above the limit, or not a number.
  std::vector<std::uint8_t> is_poor;
  double poor_share = 0;
  std::string sentence;
};

// `limit`: of the run's fit; where that is infinite, four times the lowest L. `fits`: the run does at its
// best θ.
Adaptivity audit_adaptivity(std::span<const double> losses, double limit, const ErrorMeasure& measure = {},
                            bool fits = true);
// As the run's own training was judged.
Adaptivity audit_adaptivity(std::span<const double> losses, const OpenedRun& run);

// The limit that the audit uses.
double audit_limit(std::span<const double> losses, double limit);

}  // namespace greybox
