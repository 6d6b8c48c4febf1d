// Point estimates as a table.
#include "data/csv_writer.hpp"
#include "greybox/estimate.hpp"

namespace greybox {
namespace {

// One row per estimate: each window's, or the one of all windows.
std::vector<WindowEstimate> rows_of(const Estimate& estimate) {
  if (!estimate.windows.empty()) return estimate.windows;
  return {{.series = {},
           .start = 0,
           .theta = estimate.theta,
           .regularizer = estimate.regularizer,
           .loss = estimate.loss,
           .rmse = estimate.rmse,
           .nrmse = estimate.nrmse,
           .n_evaluations = estimate.n_evaluations,
           .at_bounds = estimate.at_bounds}};
}

}  // namespace

void write_estimate(const Estimate& estimate, const std::filesystem::path& csv_file) {
  std::vector<std::string> series;
  std::vector<double> time, regularizer, loss, rmse;
  std::map<std::string, std::vector<double>> theta;
  for (const WindowEstimate& row : rows_of(estimate)) {
    series.push_back(row.series);
    time.push_back(row.start);
    regularizer.push_back(row.regularizer);
    loss.push_back(row.loss);
    rmse.push_back(row.rmse);
    for (const auto& [name, value] : row.theta) theta[name].push_back(value);
  }
  std::vector<CsvColumn> columns;
  if (!estimate.windows.empty())
    columns = {{"series", std::span<const std::string>(series)}, {"time", std::span<const double>(time)}};
  for (const auto& [name, values] : theta) columns.push_back({name, std::span<const double>(values)});
  columns.push_back({"R", std::span<const double>(regularizer)});
  columns.push_back({"L", std::span<const double>(loss)});
  columns.push_back({"rmse", std::span<const double>(rmse)});
  write_csv(csv_file, columns);
}

}  // namespace greybox
