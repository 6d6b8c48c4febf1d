// Runs of rows gathered into series.
#include "data/row_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/nearest_name.hpp"
#include "data/number.hpp"
#include "data/series_guess.hpp"
#include "data/utf8.hpp"

namespace greybox {

std::optional<std::size_t> find_role(std::span<const std::string> names, const std::string& chosen,
                                     std::string_view usual, const Place& place, bool may_lack) {
  const std::string_view wanted = chosen.empty() ? usual : chosen;
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  if (chosen.empty()) return std::nullopt;
  if (may_lack) return find_role(names, "", usual, place);
  const auto nearest = nearest_name(chosen, names);
  place.refuse(fmt::format("no column {}, which the model takes for {}", in_backquotes(chosen), usual),
               nearest ? fmt::format("did you mean {}?", in_backquotes(*nearest))
                       : fmt::format("set `{} = \"…\"` in [data] to one of the file's columns", usual));
}

void RowGroups::add(std::string_view series) {
  if (runs_.empty() || names_[runs_.back().series] != series) {
    auto known = ids_.find(series);
    if (known == ids_.end()) {
      known = ids_.emplace(series, static_cast<std::uint32_t>(names_.size())).first;
      names_.emplace_back(series);
    }
    runs_.push_back({.series = known->second, .first_row = n_rows_, .n_rows = 0});
  }
  ++runs_.back().n_rows;
  ++n_rows_;
}

void RowGroups::apply(DataTable& table) const {
  if (runs_.empty()) {
    table.series = {{.name = std::string(kWholeFile), .first_row = 0, .n_rows = table.lines.size()}};
    return;
  }
  table.series.clear();
  for (const std::string& name : names_) table.series.push_back({.name = name});
  for (const Run& run : runs_) table.series[run.series].n_rows += run.n_rows;
  std::size_t first_row = 0;
  for (Series& series : table.series) first_row = (series.first_row = first_row) + series.n_rows;
  if (runs_.size() > names_.size()) gather_rows(table);
}

void RowGroups::gather_rows(DataTable& table) const {
  std::vector<Run> ordered = runs_;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const Run& a, const Run& b) { return a.series < b.series; });
  const auto gather = [&](auto& values, std::size_t n_per_row) {
    if (values.empty()) return;
    auto gathered = values;
    auto out = gathered.begin();
    for (const Run& run : ordered) {
      out = std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(run.first_row * n_per_row),
                        run.n_rows * n_per_row, out);
    }
    values = std::move(gathered);
  };
  for (Column& column : table.columns)
    std::visit([&](auto& kept) { kept.change([&](auto& values) { gather(values, column.points()); }); },
               column.values);
  gather(table.time, 1);
  gather(table.lines, 1);
}

Place place_of(const DataTable& table, std::size_t row, std::string_view column) {
  const auto series = std::find_if(table.series.begin(), table.series.end(),
                                   [&](const Series& s) { return row < s.first_row + s.n_rows; });
  const std::string& file = series->file.empty() ? table.file : series->file;
  if (table.lines[row] > 0)
    return {file, fmt::format("row {}, column {}", table.lines[row], in_backquotes(column))};
  return {file, fmt::format("array {}, series {}, step {}", in_backquotes(column),
                            in_backquotes(series->name), row - series->first_row)};
}

void number_rows(DataTable& table) {
  table.time.resize(table.lines.size());
  for (const Series& series : table.series) {
    for (std::size_t i = 0; i < series.n_rows; ++i) table.time[series.first_row + i] = static_cast<double>(i);
  }
}

void check_names(const DataTable& table) {
  const auto check = [&](const std::string& name, const char* what) {
    if (!has_control_characters(name)) return;
    Place{table.file, fmt::format("{} {}", what, in_backquotes(name))}.refuse(
        "the name has control characters", "give it a name of plain text");
  };
  for (const Column& column : table.columns) check(column.name, "column");
  for (const Series& series : table.series) check(series.name, "series");
}

namespace {

// The time starts again because the file holds several trajectories, which a column tells apart.
void refuse_joined_series(const DataTable& table, std::size_t row, std::string_view name) {
  if (!table.is_file || table.series.size() > 1) return;
  const std::string column =
      guessed_series_column(table.file, {.time_column = std::string(name), .columns_read = {}});
  if (column.empty()) return;
  place_of(table, row, name)
      .refuse(fmt::format("time starts again here ({} follows {}), where {} changes",
                          shortest(table.time[row]), shortest(table.time[row - 1]), in_backquotes(column)),
              fmt::format("if {0} tells trajectories apart, set `series = \"{1}\"` in [data]",
                          in_backquotes(column), column));
}

std::string sorting_advice(const DataTable& table, std::string_view name) {
  std::string advice = table.series.size() > 1
                           ? "sort the rows by time and remove duplicates"
                           : "sort the rows by time; if the file holds several trajectories, tell them "
                             "apart with a column `series`";
  if (name != "time")
    advice += fmt::format("; if {} is not the time, set `time` in [data]: \"none\" counts rows",
                          in_backquotes(name));
  return advice;
}

}  // namespace

void check_time(const DataTable& table, std::string_view name, bool may_repeat) {
  Mistakes mistakes;
  for (const Series& series : table.series) {
    for (std::size_t row = series.first_row + 1; row < series.first_row + series.n_rows; ++row) {
      if (table.time[row] > table.time[row - 1]) continue;
      if (may_repeat && table.time[row] == table.time[row - 1]) continue;
      refuse_joined_series(table, row, name);
      mistakes.add(
          place_of(table, row, name),
          fmt::format("time must increase within a series, but {} follows {} (series {})",
                      shortest(table.time[row]), shortest(table.time[row - 1]), in_backquotes(series.name)),
          sorting_advice(table, name));
    }
  }
  mistakes.throw_if_any();
}

}  // namespace greybox
