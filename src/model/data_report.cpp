#include "model/data_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/memory_limit.hpp"
#include "data/date.hpp"
#include "data/missing_guess.hpp"
#include "greybox/counted.hpp"

namespace greybox {
namespace {

// A step longer than so many medians is a gap.
constexpr double kGap = 3;
constexpr std::size_t kMostUnread = 6;

std::string instant(const DataTable& table, double time) {
  const auto unit = seconds_of(table.time_unit);
  if (table.has_dates && unit) return date_text(time * *unit);
  return fmt::format("{:.6g}", time);
}

double before_longest_step(const DataTable& table) {
  double longest = 0, before = 0;
  for (const Series& series : table.series)
    for (std::size_t row = series.first_row + 1; row < series.first_row + series.n_rows; ++row)
      if (table.time[row] - table.time[row - 1] > longest) {
        longest = table.time[row] - table.time[row - 1];
        before = table.time[row - 1];
      }
  return before;
}

std::string time_text(const DataTable& table) {
  const TimeSummary time = time_summary(table);
  const std::string unit = time.unit.empty() ? "" : " " + time.unit;
  std::string text = time.column.empty()
                         ? std::string("no time column: rows are counted 0, 1, 2, …, and rates are per row")
                         : fmt::format("time `{}`: {} to {}{}", time.column, instant(table, time.first),
                                       instant(table, time.last), table.has_dates ? "" : unit);
  if (time.column.empty() || time.n_steps == 0) return text;
  text += time.least_step == time.greatest_step
              ? fmt::format(", steps of {:.4g}{}", time.median_step, unit)
              : fmt::format(", steps {:.4g} to {:.4g}{}, median {:.4g}", time.least_step, time.greatest_step,
                            unit, time.median_step);
  if (!table.converted_from.empty()) text += fmt::format(", converted from {}", table.converted_from);
  if (table.has_dates) text += fmt::format("; rates are per {}", time.unit.substr(0, time.unit.size() - 1));
  if (time.n_gaps > 0)
    text += fmt::format("; {} of more than {:g} median steps, the longest after {}",
                        counted(time.n_gaps, "gap"), kGap, instant(table, before_longest_step(table)));
  return text;
}

// 0 for numbers in memory.
double bytes_in_file(const Column& column) {
  return std::visit(
      [](const auto& values) {
        return values.is_in_file() ? static_cast<double>(values.size() * sizeof(values[0])) : 0.0;
      },
      column.values);
}

// Range of one column over all rows.
std::string column_text(const Column& column, std::size_t n_rows) {
  double low = INFINITY, high = -INFINITY, sum = 0;
  column.for_each([&](double value) {
    if (std::isnan(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
    sum += value;
  });
  const std::size_t n_missing = count_missing(column), n = n_rows * column.points();
  const std::string size = !column.is_field()   ? ""
                           : column.height == 1 ? fmt::format(" ({})", column.width)
                                                : fmt::format(" ({} × {})", column.height, column.width);
  const std::string missing = n_missing > 0 ? fmt::format("; {} of {} missing", n_missing, n) : "";
  if (n_missing == n) return fmt::format("{}{}: nothing but missing values", column.name, size);
  const double in_file = bytes_in_file(column);
  const std::string left = in_file > 0 ? fmt::format("; {} that stay in the file", memory_text(in_file)) : "";
  return fmt::format("{}{}: {:.4g} to {:.4g}, mean {:.4g}{}{}", column.name, size, low, high,
                     sum / static_cast<double>(n - n_missing), missing, left);
}

std::vector<std::string> left_out(const DataAccount& account, Missing rule) {
  std::vector<std::string> lines;
  const auto add = [&](std::size_t n, std::string_view what, std::string_view why) {
    if (n > 0) lines.push_back(fmt::format("{} {} left out: {}", n, what, why));
  };
  add(account.n_incomplete_rows, "rows",
      rule == Missing::drop ? "a value was missing (`missing = \"drop\"`)"
                            : "at a series' ends, where nothing can be interpolated");
  add(account.n_rows_without_inputs, "rows", "before the first or after the last value of an input");
  add(account.n_repeated_rows, "rows", "another has the same time; their inputs step there");
  add(account.n_dropped, "windows", "`drop` holds in them");
  add(account.n_without_start, "windows", "what they start from is missing");
  add(account.n_without_values, "windows", "nothing is measured in them");
  add(account.n_straddling, "windows", "they reach from one part of the split by time into the next");
  return lines;
}

}  // namespace

TimeSummary time_summary(const DataTable& table) {
  TimeSummary summary{.column = table.time_name, .unit = table.time_unit};
  std::vector<double> steps;
  summary.first = INFINITY;
  summary.last = -INFINITY;
  for (const Series& series : table.series) {
    const std::size_t end = series.first_row + series.n_rows;
    summary.first = std::min(summary.first, table.time[series.first_row]);
    summary.last = std::max(summary.last, table.time[end - 1]);
    for (std::size_t row = series.first_row + 1; row < end; ++row)
      steps.push_back(table.time[row] - table.time[row - 1]);
  }
  summary.n_steps = steps.size();
  if (steps.empty()) return summary;
  std::ranges::sort(steps);
  summary.least_step = steps.front();
  summary.greatest_step = steps.back();
  summary.median_step = steps[steps.size() / 2];
  // Steps that differ by rounding alone are one step.
  if (summary.greatest_step - summary.least_step <= 1e-6 * summary.median_step)
    summary.least_step = summary.greatest_step = summary.median_step;
  summary.n_gaps = static_cast<std::size_t>(
      std::ranges::count_if(steps, [&](double step) { return step > kGap * summary.median_step; }));
  return summary;
}

// Columns of the file that the model does not read, so that a misspelt or forgotten one is seen.
std::string unread_text(const PreparedData& data, const DataSpec& spec) {
  const auto is_read = [&](const Column& column) {
    const auto& read = spec.table.columns_read;
    const auto& used = data.windows().columns;
    return std::ranges::find(read, column.name) != read.end() ||
           std::ranges::find(used, column.name, [](const Column* one) { return one->name; }) != used.end();
  };
  std::vector<std::string> numbers;
  for (const Column& column : data.table().columns)
    if (!is_read(column)) numbers.push_back(column_text(column, data.table().n_rows()));
  std::string text;
  for (std::size_t i = 0; i < std::min(numbers.size(), kMostUnread); ++i)
    text += fmt::format("  not read: {}\n", numbers[i]);
  if (numbers.size() > kMostUnread)
    text += fmt::format("  not read: {} more\n", counted(numbers.size() - kMostUnread, "column"));
  if (const auto words = columns_left_out(data.table(), spec.table); !words.empty())
    text += fmt::format("  not read, for they hold words: {}\n", fmt::join(words, ", "));
  return text;
}

std::string describe_data(const PreparedData& data, const DataSummary& counts, const DataSpec& spec) {
  const DataTable& table = data.table();
  std::string text =
      fmt::format("  {}: {}, {} series\n", table.file, counted(table.n_rows(), "row"), table.series.size());
  text += fmt::format("  {}\n", time_text(table));
  for (const Column* column : data.windows().columns)
    text += "  " + column_text(*column, table.n_rows()) + '\n';
  text += fmt::format("  {}: {} train, {} validation, {} test\n", counted(counts.n_windows, "window"),
                      counts.n_train, counts.n_validation, counts.n_test);
  text += unread_text(data, spec);
  for (const std::string& line : left_out(data.account(), spec.missing)) text += "  " + line + '\n';
  for (const DataAccount::MissingCells& cells : data.account().missing)
    text += fmt::format("  `{}` misses {} of {} values in the file\n", cells.column, cells.n,
                        data.account().n_rows);
  return text;
}

}  // namespace greybox
