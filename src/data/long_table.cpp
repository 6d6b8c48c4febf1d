#include "data/long_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "data/csv_cells.hpp"
#include "data/csv_reader.hpp"
#include "data/mistakes.hpp"
#include "data/row_groups.hpp"
#include "data/time_column.hpp"

namespace greybox {
namespace {

class LongTableReader {
 public:
  LongTableReader(const std::filesystem::path& file, const TableOptions& options)
      : options_(options), reader_(file), cells_(options) {
    table_.file = file.string();
    table_.is_file = true;
  }

  DataTable read() {
    read_header();
    while (reader_.next(record_)) add_row();
    mistakes_.throw_if_any();
    if (cells_.mixes_commas_and_points())
      place("").refuse("some numbers have a decimal comma and others a decimal point",
                       "write all of them the same way, without separators of thousands");
    if (values_.empty()) place("").refuse("no rows below the header", "add one line per value");
    table_.sha256 = reader_.digest();
    lay_out();
    table_.time_name = names_[time_];
    set_time_unit(table_, options_, cells_.has_dates());
    check_time(table_, names_[time_]);
    return std::move(table_);
  }

 private:
  struct Value {
    std::size_t variable;
    double value;
    std::size_t line;
  };
  // By series and time.
  using Rows = std::map<std::pair<std::size_t, double>, std::vector<Value>>;

  Place place(std::string element) const { return {table_.file, std::move(element)}; }
  Place place_of_cell(std::size_t column) const {
    return place(fmt::format("row {}, column {}", record_.line, in_backquotes(names_[column])));
  }

  void read_header() {
    if (!reader_.next(record_))
      place("").refuse("the file has no header and no rows", "the first line names the columns");
    names_.assign(record_.fields.begin(), record_.fields.end());
    cells_.separated_by(reader_.separator());
    series_ = find_role(names_, options_.series_column, "series", place("header"));
    variable_ = *find_role(names_, options_.variable_column, "variable", place("header"));
    value_ = *find_role(names_, options_.value_column, "value", place("header"));
    const auto time = find_time(names_, options_, place("header"));
    if (!time)
      place("header").refuse("a table with one value per row needs a column of times",
                             "set `time` in [data]");
    time_ = *time;
  }

  static std::size_t index_in(std::vector<std::string>& names, std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    names.emplace_back(name);
    return names.size() - 1;
  }

  void add_row() {
    if (record_.fields.size() != names_.size())
      return mistakes_.add(
          place(fmt::format("row {}", record_.line)),
          fmt::format("{} cells, but the header names {} columns", record_.fields.size(), names_.size()),
          "separate the cells as in the header");
    const Cell time = cells_.read_time(record_.fields[time_]);
    const Cell value = cells_.read(record_.fields[value_]);
    if (time.kind != CellKind::number)
      return mistakes_.add(place_of_cell(time_),
                           fmt::format("{} is no time", in_backquotes(record_.fields[time_])),
                           "write numbers, or dates as 2021-03-05 or 2021-03-05T12:30");
    if (value.kind != CellKind::number && value.kind != CellKind::missing)
      return mistakes_.add(place_of_cell(value_),
                           fmt::format("{} is not a number", in_backquotes(record_.fields[value_])),
                           "write it like 1.5 or 1e-3; leave the cell empty when the value is missing");
    const std::size_t series = series_ ? index_in(series_names_, record_.fields[*series_]) : 0;
    const std::size_t variable = index_in(variables_, record_.fields[variable_]);
    std::vector<Value>& there = values_[{series, time.value}];
    for (const Value& other : there)
      if (other.variable == variable)
        mistakes_.add(
            place_of_cell(variable_),
            fmt::format("a second value of {} at this time", in_backquotes(variables_[variable])),
            fmt::format("keep one of them (the other stands in row {}), or tell series apart", other.line));
    there.push_back({variable, value.value, record_.line});
  }

  void lay_out() {
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::vector<double>> columns(variables_.size());
    RowGroups groups;
    for (const auto& [key, there] : values_) {
      for (std::vector<double>& column : columns) column.push_back(missing);
      for (const Value& value : there) columns[value.variable].back() = value.value;
      table_.time.push_back(key.second);
      table_.lines.push_back(static_cast<std::uint32_t>(there.front().line));
      if (series_) groups.add(series_names_[key.first]);
    }
    std::vector<std::string> names = variables_;
    rename_columns(names, options_, place(""));
    for (std::size_t i = 0; i < names.size(); ++i)
      table_.columns.push_back({.name = names[i], .values = std::move(columns[i])});
    groups.apply(table_);
  }

  TableOptions options_;
  CsvReader reader_;
  CellReader cells_;
  CsvRecord record_;
  std::vector<std::string> names_, series_names_, variables_;
  std::optional<std::size_t> series_;
  std::size_t time_ = 0, variable_ = 0, value_ = 0;
  Rows values_;
  Mistakes mistakes_;
  DataTable table_;
};

}  // namespace

DataTable read_long_table(const std::filesystem::path& file, const TableOptions& options) {
  return LongTableReader(file, options).read();
}

}  // namespace greybox
