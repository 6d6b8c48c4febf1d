// Quantiles of a few numbers, some of which may be missing.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/limits.hpp"

namespace greybox {

// Of those that are not NaN; NaN when none is.
inline double quantile(std::vector<double> values, double share) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return kNaN;
  const auto place = values.begin() + std::lround(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace greybox
