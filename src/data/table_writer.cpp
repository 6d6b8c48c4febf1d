// Columns back into files.
#include "data/table_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "data/csv_writer.hpp"
#include "data/npz.hpp"
#include "data/time_column.hpp"

namespace greybox {
namespace {

bool is_whole_file(const DataTable& table) {
  return table.series.size() == 1 && table.series[0].name == kWholeFile;
}

// A table whose time is what read_table makes up anyway.
bool has_numbered_rows(const DataTable& table) {
  const auto is_numbered = [&](const Series& series) {
    for (std::size_t i = 0; i < series.n_rows; ++i) {
      if (table.time[series.first_row + i] != static_cast<double>(i)) return false;
    }
    return true;
  };
  return std::all_of(table.series.begin(), table.series.end(), is_numbered);
}

std::string name_of(const std::string& chosen, const char* usual) {
  return chosen.empty() || chosen == kNoTime ? usual : chosen;
}

std::vector<double> to_doubles(const Column& column) {
  return std::visit([](const auto& values) { return std::vector<double>(values.begin(), values.end()); },
                    column.values);
}

void write_as_csv(const std::filesystem::path& file, const DataTable& table, const TableOptions& roles) {
  std::vector<std::string> names;
  for (const Series& series : table.series) names.insert(names.end(), series.n_rows, series.name);
  std::vector<std::vector<double>> values;
  for (const Column& column : table.columns) {
    if (column.is_field())
      throw std::runtime_error(fmt::format("the field `{}` needs an npz file", column.name));
    values.push_back(to_doubles(column));
  }
  std::vector<CsvColumn> columns;
  if (!is_whole_file(table) || !roles.series_column.empty())
    columns.push_back({name_of(roles.series_column, "series"), names, /*is_shown=*/false});
  if (!has_numbered_rows(table) || (!roles.time_column.empty() && roles.time_column != kNoTime))
    columns.push_back({name_of(roles.time_column, "time"), table.time});
  for (std::size_t i = 0; i < values.size(); ++i) columns.push_back({table.columns[i].name, values[i]});
  write_csv(file, columns);
}

std::vector<std::size_t> shape_of(const Column& column, std::size_t n_series, std::size_t n_steps) {
  if (!column.is_field()) return {n_series, n_steps};
  if (column.height == 1) return {n_series, n_steps, column.width};
  return {n_series, n_steps, column.height, column.width};
}

void write_as_npz(const std::filesystem::path& file, const DataTable& table, const TableOptions& roles) {
  const std::size_t n_steps = table.series.at(0).n_rows;
  const bool is_even = std::all_of(table.series.begin(), table.series.end(),
                                   [&](const Series& series) { return series.n_rows == n_steps; });
  if (!is_even)
    throw std::runtime_error("series of different lengths do not fit into an npz file; write CSV");
  std::vector<NamedArray> arrays = {
      {name_of(roles.time_column, "time"), {{table.series.size(), n_steps}, table.time}}};
  for (const Column& column : table.columns) {
    NpyArray array{shape_of(column, table.series.size(), n_steps), {}};
    std::visit([&](const auto& values) { array.values = std::vector(values.begin(), values.end()); },
               column.values);
    arrays.emplace_back(column.name, std::move(array));
  }
  write_npz(file, arrays);
}

}  // namespace

void write_table(const std::filesystem::path& file, const DataTable& table, const TableOptions& roles) {
  file.extension() == ".npz" ? write_as_npz(file, table, roles) : write_as_csv(file, table, roles);
}

}  // namespace greybox
