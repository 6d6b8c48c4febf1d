#include "model/start_slots.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "core/checksum.hpp"

namespace greybox {
namespace {

// What the variance of a uniform variable between -1 and 1 is.
constexpr double kUniformVariance = 1.0 / 3;

double value_at_start(const std::vector<double>& times, const std::vector<double>& values,
                      std::size_t order) {
  if (values.empty()) return std::nan("");
  const std::size_t n_powers = std::min(order + 1, values.size());
  const auto rows = static_cast<Eigen::Index>(values.size()), columns = static_cast<Eigen::Index>(n_powers);
  const double span = std::max(times.back(), 1e-300);
  Eigen::MatrixXd powers(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index k = 0; k < columns; ++k)
      powers(i, k) = std::pow(times[static_cast<std::size_t>(i)] / span, static_cast<double>(k));
  const Eigen::VectorXd found =
      powers.colPivHouseholderQr().solve(Eigen::Map<const Eigen::VectorXd>(values.data(), rows));
  return found[0];
}

}  // namespace

double StandardParameter::theta_at(double standard) const {
  const double value = centre + width * standard;
  return is_log ? std::exp(value) : value;
}

StandardParameter standard_of(const ParameterSpec& parameter) {
  if (parameter.prior == PriorKind::normal) return {false, parameter.mean, parameter.sd, 1};
  if (parameter.prior == PriorKind::lognormal) return {true, parameter.mean, parameter.sd, 1};
  const double low = parameter.is_log ? std::log(parameter.low) : parameter.low;
  const double high = parameter.is_log ? std::log(parameter.high) : parameter.high;
  return {parameter.is_log, (low + high) / 2, (high - low) / 2, kUniformVariance};
}

std::size_t n_slots(const StartSlots& slots, StartOwner per) {
  if (per == StartOwner::run) return 1;
  return per == StartOwner::series ? slots.n_series : slots.n_windows;
}

StartSlots slots_of(const BoundModel& model, const PreparedData& data) {
  const WindowData& windows = data.windows();
  std::vector<double> numbers;
  for (const Window& window : windows.windows) {
    numbers.push_back(static_cast<double>(window.series));
    for (std::size_t row = window.first_row; row < window.first_row + window.n_rows; ++row) {
      numbers.push_back(windows.table->time[row]);
      for (const Observed& observed : model.observed)
        numbers.push_back(windows.columns[observed.column]->at(row));
    }
  }
  // One number for all that are none.
  for (double& number : numbers)
    if (std::isnan(number)) number = std::nan("");
  return {sha256_of_numbers(numbers), windows.windows.size(), windows.table->series.size()};
}

std::string smoothed_column_name(const std::string& state) {
  return "start." + state;
}

Column smoothed(const Column& column, const DataTable& table, std::size_t n_rows, std::size_t order) {
  Column made{column.name, column.height, column.width, {}};
  const std::size_t points = column.points();
  std::vector<double> results(table.n_rows() * points), times, values;
  for (const Series& series : table.series)
    for (std::size_t row = series.first_row; row < series.first_row + series.n_rows; ++row)
      for (std::size_t point = 0; point < points; ++point) {
        times.clear();
        values.clear();
        const std::size_t end = std::min(row + n_rows, series.first_row + series.n_rows);
        for (std::size_t k = row; k < end; ++k)
          if (const double value = column.at(k, point); !std::isnan(value)) {
            times.push_back(table.time[k] - table.time[row]);
            values.push_back(value);
          }
        results[row * points + point] = value_at_start(times, values, order);
      }
  made.values = std::move(results);
  return made;
}

}  // namespace greybox
