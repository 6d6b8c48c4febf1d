// Missing values refused, dropped or filled in.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/mistakes.hpp"
#include "data/row_groups.hpp"
#include "data/windows.hpp"

namespace greybox {

bool is_missing(const Column& column, std::size_t row) {
  bool is_missing = false;
  column.for_each(row, 1, [&](double value) { is_missing |= std::isnan(value); });
  return is_missing;
}

std::size_t count_missing(const Column& column) {
  return std::visit([](const auto& values) { return values.n_missing(); }, column.values);
}

namespace {

// Of the named ones, those that miss something.
std::vector<Column*> incomplete(DataTable& table, const std::vector<std::string>& names) {
  std::vector<Column*> columns;
  for (Column& column : table.columns)
    if (std::ranges::find(names, column.name) != names.end() && count_missing(column) > 0)
      columns.push_back(&column);
  return columns;
}

void refuse_missing(const DataTable& table, const std::vector<Column*>& columns) {
  Mistakes mistakes;
  for (std::size_t row = 0; row < table.n_rows(); ++row) {
    for (const Column* column : columns) {
      if (!is_missing(*column, row)) continue;
      mistakes.add(place_of(table, row, column->name), "a value is missing",
                   "fill it, or set `missing` in [data] to \"skip\", \"drop\" or \"interpolate\"");
    }
  }
  mistakes.throw_if_any();
}

// One point of one series: gaps with a value on both sides are bridged linearly in time.
template <class T>
void bridge_gaps(std::vector<T>& values, const DataTable& table, const Series& series, std::size_t points,
                 std::size_t point) {
  const auto value = [&](std::size_t row) -> T& { return values[row * points + point]; };
  const std::size_t end = series.first_row + series.n_rows;
  std::size_t left = end;  // the last row that has a value, `end` before there is one
  for (std::size_t right = series.first_row; right < end; ++right) {
    if (std::isnan(value(right))) continue;
    for (std::size_t row = left + 1; row < right; ++row) {
      const double gap = table.time[right] - table.time[left];
      const double share = gap > 0 ? (table.time[row] - table.time[left]) / gap : 0;
      value(row) = static_cast<T>((1 - share) * value(left) + share * value(right));
    }
    left = right;
  }
}

void interpolate(DataTable& table, Column& column) {
  const auto bridge = [&](auto& values) {
    for (const Series& series : table.series)
      for (std::size_t point = 0; point < column.points(); ++point)
        bridge_gaps(values, table, series, column.points(), point);
  };
  std::visit([&](auto& values) { values.change(bridge); }, column.values);
}

// Moves the kept rows, each of `points` values, to the front.
template <class T>
void keep_rows(std::vector<T>& values, const std::vector<bool>& is_kept, std::size_t points) {
  std::size_t n_kept = 0;
  for (std::size_t row = 0; row < is_kept.size(); ++row) {
    if (!is_kept[row]) continue;
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(row * points);
    std::copy_n(from, points, values.begin() + static_cast<std::ptrdiff_t>(n_kept++ * points));
  }
  values.resize(n_kept * points);
}

void keep_series(std::vector<Series>& all, const std::vector<bool>& is_kept) {
  std::size_t first_row = 0;
  for (Series& series : all) {
    const auto begin = is_kept.begin() + static_cast<std::ptrdiff_t>(series.first_row);
    const auto n_kept = std::count(begin, begin + static_cast<std::ptrdiff_t>(series.n_rows), true);
    series.first_row = first_row;
    series.n_rows = static_cast<std::size_t>(n_kept);
    first_row += series.n_rows;
  }
  std::erase_if(all, [](const Series& series) { return series.n_rows == 0; });
}

void drop_incomplete_rows(DataTable& table, const std::vector<Column*>& columns) {
  if (std::ranges::none_of(columns, [](Column* column) { return count_missing(*column) > 0; })) return;
  std::vector<bool> is_kept(table.n_rows(), true);
  for (std::size_t row = 0; row < table.n_rows(); ++row) {
    is_kept[row] = std::none_of(columns.begin(), columns.end(),
                                [&](Column* column) { return is_missing(*column, row); });
  }
  if (std::find(is_kept.begin(), is_kept.end(), true) == is_kept.end()) {
    Place{table.file, ""}.refuse(
        "every row has a missing value: nothing is left",
        "check the columns that the model uses, or set `missing = \"interpolate\"` in [data]");
  }
  for (Column& column : table.columns) {
    const auto keep = [&](auto& values) { keep_rows(values, is_kept, column.points()); };
    std::visit([&](auto& values) { values.change(keep); }, column.values);
  }
  keep_rows(table.time, is_kept, 1);
  keep_rows(table.lines, is_kept, 1);
  keep_series(table.series, is_kept);
}

}  // namespace

void treat_missing(DataTable& table, Missing rule, const std::vector<std::string>& columns) {
  if (rule == Missing::skip) return;
  const std::vector<Column*> used = incomplete(table, columns);
  if (rule == Missing::error) return refuse_missing(table, used);
  if (rule == Missing::interpolate) {
    for (Column* column : used) interpolate(table, *column);
  }
  drop_incomplete_rows(table, used);
}

std::size_t bridge_missing(DataTable& table, std::size_t first_column) {
  const std::size_t n_rows = table.n_rows();
  std::vector<Column*> columns;
  for (std::size_t c = first_column; c < table.columns.size(); ++c) columns.push_back(&table.columns[c]);
  for (Column* column : columns) interpolate(table, *column);
  drop_incomplete_rows(table, columns);
  return n_rows - table.n_rows();
}

}  // namespace greybox
