// Point estimates as a table.
#include "data/csv_writer.hpp"
#include "greybox/estimate.hpp"

namespace greybox {

void write_estimates(const EstimateReport& report, const std::filesystem::path& csv_file) {
  std::vector<std::string> series;
  std::vector<double> time, regularizer, loss, rmse;
  std::map<std::string, std::vector<double>> theta;
  for (const Estimate& estimate : report.estimates) {
    series.push_back(estimate.series);
    time.push_back(estimate.time);
    regularizer.push_back(estimate.regularizer);
    loss.push_back(estimate.loss);
    rmse.push_back(estimate.rmse);
    for (const auto& [name, value] : estimate.theta) theta[name].push_back(value);
  }
  std::vector<CsvColumn> columns = {{"series", std::span<const std::string>(series)},
                                    {"time", std::span<const double>(time)}};
  for (const auto& [name, values] : theta) columns.push_back({name, std::span<const double>(values)});
  columns.push_back({"R", std::span<const double>(regularizer)});
  columns.push_back({"L", std::span<const double>(loss)});
  columns.push_back({"rmse", std::span<const double>(rmse)});
  write_csv(csv_file, columns);
}

}  // namespace greybox
