#include "analysis/structure/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/structure/column_spread.hpp"
#include "model/network_set.hpp"
#include "model/prediction.hpp"
#include "ode/tableau.hpp"

namespace greybox {
namespace {

// Central differences err by the square of the step; rounding by its inverse.
constexpr double kDifference = 1e-5;
constexpr double kStepsPerSnapshot = 4;

double shortest_interval(const PreparedData& data) {
  double shortest = INFINITY;
  const std::vector<double>& time = data.table().time;
  for (const Window& window : data.windows().windows)
    for (std::size_t row = window.first_row + 1; row < window.first_row + window.n_rows; ++row)
      shortest = std::min(shortest, time[row] - time[row - 1]);
  return shortest;
}

// All windows at each of 2 p values of θ: parameter by parameter, above and below.
PredictionRequest request_around(const ThetaBox& box, const std::vector<std::size_t>& windows,
                                 const std::vector<double>& theta, std::span<const double> weights) {
  PredictionRequest request{weights, {}, {}};
  for (std::size_t p = 0; p < theta.size(); ++p)
    for (const double side : {1.0, -1.0}) {
      std::vector<double> moved = theta;
      moved[p] += side * difference_step(box, p);
      for (const std::size_t window : windows) {
        request.windows.push_back(window);
        request.theta.insert(request.theta.end(), moved.begin(), moved.end());
      }
    }
  return request;
}

// Values at one θ that a prediction of `request_around` has for one variable.
std::size_t values_per_theta(const PredictedVariable& variable, std::size_t n_parameters) {
  return variable.values.size() / (2 * n_parameters);
}

}  // namespace

double range_of(const ThetaBox& box, std::size_t parameter) {
  return box.likely_high()[parameter] - box.likely_low()[parameter];
}

double difference_step(const ThetaBox& box, std::size_t parameter) {
  return kDifference * range_of(box, parameter);
}

LoadedModel with_fixed_steps(const LoadedModel& loaded, std::shared_ptr<const DataTable> table) {
  if (loaded.spec->is_algebraic() || !loaded.spec->solver.options.tableau->is_adaptive()) return loaded;
  auto spec = std::make_shared<ModelSpec>(*loaded.spec);
  if (spec->solver.options.tableau->is_implicit()) {
    spec->solver.options.relative_tolerance = std::min(1e-12, spec->solver.options.relative_tolerance);
    spec->solver.options.absolute_tolerance = std::min(1e-14, spec->solver.options.absolute_tolerance);
    return assemble(spec, std::move(table));
  }
  spec->solver.options.tableau = find_tableau("rk4");
  spec->solver.options.step = shortest_interval(*loaded.data) / kStepsPerSnapshot;
  return assemble(spec, std::move(table));
}

std::vector<double> inner_draw(const ThetaBox& box, std::uint64_t seed, std::uint64_t number) {
  std::vector<double> theta = box.draw(seed, number);
  for (std::size_t p = 0; p < theta.size(); ++p) {
    const double margin = 2 * difference_step(box, p);
    theta[p] = std::clamp(theta[p], box.low()[p] + margin, box.high()[p] - margin);
  }
  return theta;
}

OutputSensitivity output_sensitivity(const LoadedModel& loaded, const ThetaBox& box,
                                     const std::vector<std::size_t>& windows, std::vector<double> theta,
                                     ThreadPool& pool) {
  const std::size_t n_parameters = theta.size();
  const std::vector<double> weights(NetworkSet<double>(*loaded.model).n_weights(), 0.0);
  const Prediction around =
      make_prediction<double>(loaded, request_around(box, windows, theta, weights), pool);
  std::vector<std::vector<double>> rows;
  std::size_t n_rows = 0;
  for (const Observed& observed : loaded.model->observed) {
    const PredictedVariable& variable = variable_of(around, observed.name);
    const Column& column = *loaded.data->windows().columns[observed.column];
    const double varies = spread_of(column), spread = varies > 0 ? varies : 1;
    const std::size_t n = values_per_theta(variable, n_parameters);
    for (std::size_t i = 0; i < n; ++i, ++n_rows) {
      std::vector<double> row;
      for (std::size_t p = 0; p < n_parameters; ++p)
        row.push_back((variable.values[2 * p * n + i] - variable.values[(2 * p + 1) * n + i]) /
                      (2 * difference_step(box, p)) * range_of(box, p) / spread);
      if (std::ranges::all_of(row, [](double value) { return std::isfinite(value); })) rows.push_back(row);
    }
  }
  OutputSensitivity result{std::move(theta), {}, 0};
  const auto n_kept = static_cast<Eigen::Index>(rows.size());
  result.matrix.resize(n_kept, static_cast<Eigen::Index>(n_parameters));
  for (Eigen::Index i = 0; i < n_kept; ++i)
    for (Eigen::Index p = 0; p < result.matrix.cols(); ++p)
      result.matrix(i, p) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(p)] /
                            std::sqrt(static_cast<double>(n_kept));
  result.lost = 1 - static_cast<double>(n_kept) / static_cast<double>(std::max<std::size_t>(n_rows, 1));
  return result;
}

}  // namespace greybox
