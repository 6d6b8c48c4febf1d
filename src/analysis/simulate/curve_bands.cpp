#include "analysis/simulate/curve_bands.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/simulate/predictive_bands.hpp"
#include "core/limits.hpp"

namespace greybox {

CurveBand band_over(const std::vector<const Prediction*>& members, std::size_t variable,
                    const std::vector<std::size_t>& places, std::optional<double> level) {
  CurveBand band;
  std::vector<double> values;
  for (const std::size_t place : places) {
    values.clear();
    for (const Prediction* member : members)
      if (const double value = member->variables[variable].values[place]; std::isfinite(value))
        values.push_back(value);
    BandInterval ends{kNaN, kNaN};
    if (!values.empty() && level) ends = mixture_interval(values, 0, *level);
    if (!values.empty() && !level) ends = {std::ranges::min(values), std::ranges::max(values)};
    band.low.push_back(ends.low);
    band.high.push_back(ends.high);
  }
  return band;
}

}  // namespace greybox
