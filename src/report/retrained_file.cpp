// The table of the comparison with retrained networks.
#include <cmath>
#include <limits>

#include "data/csv_writer.hpp"
#include "report/retrained.hpp"

namespace greybox {
namespace {

// NaN, an empty cell, where there is no band.
double within(const RetrainedValue& value) {
  if (std::isnan(value.band)) return std::numeric_limits<double>::quiet_NaN();
  return value.is_within ? 1 : 0;
}

}  // namespace

void write_retrained(const std::vector<RetrainedPoint>& points, const std::filesystem::path& csv_file) {
  std::vector<std::string> regularizers;
  std::map<std::string, std::vector<double>> theta;
  std::vector<double> adaptive, spread, band, retrained, is_within, adaptive_rmse, retrained_rmse;
  for (const RetrainedPoint& point : points)
    for (const RetrainedValue& value : point.values) {
      for (const auto& [name, number] : point.theta) theta[name].push_back(number);
      regularizers.push_back(value.regularizer);
      adaptive.push_back(value.adaptive);
      spread.push_back(value.spread);
      band.push_back(value.band);
      retrained.push_back(value.retrained);
      is_within.push_back(within(value));
      adaptive_rmse.push_back(point.adaptive_rmse);
      retrained_rmse.push_back(point.retrained_rmse);
    }
  std::vector<CsvColumn> columns;
  for (const auto& [name, values] : theta) columns.push_back({name, std::span<const double>(values)});
  columns.push_back({"regularizer", std::span<const std::string>(regularizers)});
  columns.push_back({"adaptive", std::span<const double>(adaptive)});
  columns.push_back({"adaptive.sd", std::span<const double>(spread)});
  columns.push_back({"band", std::span<const double>(band)});
  columns.push_back({"retrained", std::span<const double>(retrained)});
  columns.push_back({"within", std::span<const double>(is_within)});
  columns.push_back({"adaptive_rmse", std::span<const double>(adaptive_rmse)});
  columns.push_back({"retrained_rmse", std::span<const double>(retrained_rmse)});
  write_csv(csv_file, columns);
}

}  // namespace greybox
