#include "analysis/landscape/adaptivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace greybox {

namespace {

constexpr double kPoorFactor = 4;

}  // namespace

double audit_limit(std::span<const double> losses, double limit) {
  if (std::isfinite(limit)) return limit;
  double lowest = std::numeric_limits<double>::infinity();
  for (double loss : losses) lowest = std::fmin(lowest, loss);
  return kPoorFactor * lowest;
}

Adaptivity audit_adaptivity(std::span<const double> losses, double limit, const ErrorMeasure& measure,
                            bool fits) {
  const double own_limit = audit_limit(losses, limit);
  Adaptivity audit;
  std::size_t n_poor = 0;
  double lowest = std::numeric_limits<double>::infinity(), highest = 0;
  for (double loss : losses) {
    const bool is_poor = !(loss <= own_limit);
    audit.is_poor.push_back(is_poor);
    n_poor += is_poor;
    if (std::isnan(loss)) continue;
    lowest = std::min(lowest, loss);
    highest = std::max(highest, loss);
  }
  audit.poor_share = static_cast<double>(n_poor) / static_cast<double>(losses.size());
  const std::string range = fmt::format("{} {:.3g} to {:.3g}", measure.name, measure.unit * std::sqrt(lowest),
                                        measure.unit * std::sqrt(highest));
  if (n_poor == 0)
    audit.sentence = fmt::format(
        "{} ({})", fits ? "every θ here fits the data" : "the run does not fit its data, at any θ here",
        range);
  else if (std::isinf(lowest))
    audit.sentence = "no θ here gives finite predictions";
  else
    audit.sentence = fmt::format(
        "over {:.2g} % of the grid θ does not fit the data: {} is above {:.3g}{} or not finite ({})",
        100 * audit.poor_share, measure.name, measure.unit * std::sqrt(own_limit), measure.of, range);
  return audit;
}

Adaptivity audit_adaptivity(std::span<const double> losses, const OpenedRun& run) {
  const bool fits = !run.record || !run.record->fit || run.record->fit->word != FitWord::does_not_fit;
  return audit_adaptivity(losses, run.loss_limit(), error_measure(*run.loaded.spec), fits);
}

}  // namespace greybox
