#include "model/observed_error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "model/observed_range.hpp"

namespace greybox {

std::string ErrorMeasure::text(double loss) const {
  return fmt::format("{} {:.3g}{}", name, unit * std::sqrt(loss), of);
}

ErrorMeasure error_measure(const ModelSpec& spec) {
  const std::vector<Equation>& observed = spec.observe.empty() ? spec.theory : spec.observe;
  const bool has_scales = spec.scales && !spec.scales->observed.empty();
  if (has_scales && observed.size() > 1) return {"error", 1, " of the outputs' scales"};
  return {"RMSE", error_unit(spec), ""};
}

}  // namespace greybox
