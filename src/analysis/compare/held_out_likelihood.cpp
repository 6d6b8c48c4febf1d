#include "analysis/compare/held_out_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace greybox {
namespace {

// Calls f(output, window, residual) for what is measured of the outputs named.
template <class F>
void for_residuals(const Prediction& prediction, const std::vector<std::string>& outputs, F&& f) {
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const std::vector<double>& predicted = prediction.observed(outputs[o]);
    const auto measured = std::ranges::find(prediction.data, outputs[o], &PredictedVariable::name);
    const std::size_t per_window = predicted.size() / prediction.n_windows;
    for (std::size_t i = 0; i < predicted.size(); ++i)
      if (!std::isnan(measured->values[i])) f(o, i / per_window, predicted[i] - measured->values[i]);
  }
}

}  // namespace

double WindowScores::mean() const {
  double sum = 0, n = 0;
  for (std::size_t w = 0; w < sums.size(); ++w) {
    sum += sums[w];
    n += counts[w];
  }
  return sum / n;
}

std::vector<double> residual_sd(const Prediction& prediction, const std::vector<std::string>& outputs) {
  std::vector<double> squares(outputs.size()), n(outputs.size());
  for_residuals(prediction, outputs, [&](std::size_t o, std::size_t, double residual) {
    if (std::isnan(residual)) return;
    squares[o] += residual * residual;
    n[o] += 1;
  });
  for (std::size_t o = 0; o < outputs.size(); ++o) squares[o] = std::sqrt(squares[o] / n[o]);
  return squares;
}

WindowScores scores_of(const Prediction& prediction, const std::vector<std::string>& outputs,
                       const std::vector<double>& sd) {
  WindowScores scores{std::vector<double>(prediction.n_windows), std::vector<double>(prediction.n_windows)};
  for_residuals(prediction, outputs, [&](std::size_t o, std::size_t window, double residual) {
    const double z = residual / sd[o];
    scores.sums[window] -= 0.5 * z * z + std::log(sd[o]) + 0.5 * std::log(2 * std::numbers::pi);
    scores.counts[window] += 1;
  });
  return scores;
}

}  // namespace greybox
