#include "analysis/matching/matched_data.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/matching/residual_fit.hpp"
#include "model/engine.hpp"

namespace greybox {
namespace {

constexpr std::size_t kWindowsAtOnce = 512;

struct PredictedStates {
  // [state][point]
  std::vector<std::vector<double>> states, derivatives;
};

// Points after the first of the windows of one batch, out of arrays [window][step].
void take(const MatchingPoints& points, std::size_t first_window, std::size_t n_windows, std::size_t n_steps,
          const std::vector<double>& from, std::vector<double>& to) {
  for (std::size_t w = 0; w < n_windows; ++w)
    for (std::size_t p = points.first[first_window + w] + 1; p < points.first[first_window + w + 1]; ++p)
      to[p] = from[w * n_steps + points.rows[p] - points.rows[points.first[first_window + w]] - 1];
}

PredictedStates predict_states(const LoadedModel& loaded, const MatchingPoints& points,
                               const Smoother& smoother, ThreadPool& pool) {
  const std::size_t n_states = loaded.model->states.size();
  // A coupled model takes all windows as one batch.
  const std::size_t batch =
      loaded.plan->is_coupled() ? points.n_windows() : std::min(points.n_windows(), kWindowsAtOnce);
  Engine<double> engine(loaded.plan, loaded.data->windows(), pool, {.capacity = batch});
  engine.set_weights(smoother.weights);
  std::vector<double> theta;
  for (std::size_t w = 0; w < batch; ++w)
    theta.insert(theta.end(), smoother.theta.begin(), smoother.theta.end());
  PredictedStates predicted;
  predicted.states.assign(n_states, std::vector<double>(points.size()));
  predicted.derivatives = predicted.states;
  const std::size_t n_steps = engine.n_outputs();
  Trajectories<double> kept;
  for (std::size_t o = 0; o < loaded.model->observed.size(); ++o) kept.observed.emplace_back(batch * n_steps);
  kept.state.assign(n_states, std::vector<double>(batch * n_steps));
  kept.derivative = kept.state;
  kept.initial_derivative.assign(n_states, std::vector<double>(batch));
  for (std::size_t first = 0; first < points.n_windows(); first += batch) {
    const std::size_t n = std::min(batch, points.n_windows() - first);
    engine.forward({&loaded.data->windows(), std::span(points.windows).subspan(first, n),
                    std::span<const double>(theta).first(n * smoother.theta.size())},
                   &kept);
    for (std::size_t s = 0; s < n_states; ++s) {
      take(points, first, n, n_steps, kept.state[s], predicted.states[s]);
      take(points, first, n, n_steps, kept.derivative[s], predicted.derivatives[s]);
      for (std::size_t w = 0; w < n; ++w)
        predicted.derivatives[s][points.first[first + w]] = kept.initial_derivative[s][w];
    }
  }
  return predicted;
}

}  // namespace

double variance_of(const std::vector<double>& values) {
  double mean = 0, sum = 0;
  for (double value : values) mean += value / static_cast<double>(values.size());
  for (double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size());
}

MatchedData match_data(const LoadedModel& loaded, const MatchingPoints& points,
                       const MeasuredStates& measured, const Smoother& smoother, ThreadPool& pool) {
  if (loaded.model->is_algebraic()) return {{}, measured.values};
  PredictedStates predicted = predict_states(loaded, points, smoother, pool);
  MatchedData matched{std::move(predicted.states), std::move(predicted.derivatives)};
  matched.weights.assign(smoother.weights.begin(), smoother.weights.end());
  for (std::size_t s = 0; s < matched.states.size(); ++s) {
    if (measured.values[s].empty()) {
      matched.hidden.push_back(s);
      continue;
    }
    for (std::size_t w = 0; w < points.n_windows(); ++w)
      matched.states[s][points.first[w]] = measured.values[s][points.first[w]];
    std::vector<double> residuals;
    for (std::size_t p = 0; p < points.size(); ++p) {
      const double residual = matched.states[s][p] - measured.values[s][p];
      residuals.push_back(measured.is_angle[s] != 0 ? std::remainder(residual, 2 * std::numbers::pi)
                                                    : residual);
    }
    const std::vector<ResidualBasis> bases = rank_bases(points, residuals);
    const ResidualFit fit =
        fit_residuals(points, residuals, bases[std::min(smoother.basis_rank, bases.size() - 1)]);
    for (std::size_t p = 0; p < points.size(); ++p) {
      matched.states[s][p] -= fit.values[p];
      matched.derivatives[s][p] -= fit.derivatives[p];
    }
  }
  return matched;
}

}  // namespace greybox
