#include "model/output_errors.hpp"

#include <algorithm>
#include <cmath>

#include "core/limits.hpp"

namespace greybox {
namespace {

struct Sums {
  double n = 0, squares = 0, mean = 0, spread = 0, low = kInfinity, high = -kInfinity;

  void add(double predicted, double measured) {
    if (!std::isfinite(predicted) || !std::isfinite(measured)) return;
    n += 1;
    squares += (predicted - measured) * (predicted - measured);
    // Welford's: the variance keeps its digits where the mean is large.
    const double off = measured - mean;
    mean += off / n;
    spread += off * (measured - mean);
    low = std::min(low, measured);
    high = std::max(high, measured);
  }
};

}  // namespace

std::vector<OutputError> output_errors(const BoundModel& model, const Prediction& prediction) {
  std::vector<OutputError> errors;
  for (std::size_t o = 0; o < model.observed.size(); ++o) {
    const std::vector<double>& predicted = prediction.variables[o].values;
    const std::vector<double>& measured = prediction.data[model.observed[o].column].values;
    Sums sums;
    for (std::size_t i = 0; i < predicted.size(); ++i) sums.add(predicted[i], measured[i]);
    OutputError& error = errors.emplace_back();
    error.name = model.observed[o].name;
    if (sums.n == 0) continue;
    error.rmse = std::sqrt(sums.squares / sums.n);
    if (sums.high > sums.low) error.nrmse = error.rmse / (sums.high - sums.low);
    if (sums.spread > 0) error.r2 = 1 - sums.squares / sums.spread;
  }
  return errors;
}

}  // namespace greybox
