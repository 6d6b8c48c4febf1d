#include "analysis/simulate/input_series.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/refuse.hpp"
#include "model/row_expression.hpp"

namespace greybox {
namespace {

bool reads_name(const Syntax& syntax, const std::string& name) {
  if (syntax.kind == SyntaxKind::name && syntax.text == name) return true;
  return std::ranges::any_of(syntax.children,
                             [&](const SyntaxPtr& child) { return reads_name(*child, name); });
}

// Equations of [data.columns] that an equation reads, with those that they read, in the file's order.
std::vector<const Equation*> made_columns_behind(const ModelSpec& spec, const Equation& equation) {
  std::vector<const Equation*> needed, reading = {&equation};
  for (std::size_t k = spec.data.columns.size(); k-- > 0;) {
    const Equation& made = spec.data.columns[k];
    if (!std::ranges::any_of(reading, [&](const Equation* e) { return reads_name(*e->syntax, made.name); }))
      continue;
    reading.push_back(&made);
    needed.insert(needed.begin(), &made);
  }
  return needed;
}

void add_column(DataTable& table, Column column) {
  const auto found = std::ranges::find(table.columns, column.name, &Column::name);
  if (found == table.columns.end())
    table.columns.push_back(std::move(column));
  else
    *found = std::move(column);
}

// The equation's value in every row; a name that the table lacks is a mistake in the inputs, not in the
// model.
Column value_of(const std::shared_ptr<const ModelSpec>& spec, const Equation& equation,
                const DataTable& table) {
  try {
    return evaluate_rows(spec, equation, table);
  } catch (const InputError& error) {
    std::vector<std::string> names;
    for (const Column& column : table.columns) names.push_back(column.name);
    refuse(table.file,
           fmt::format("{} cannot be made from this file: {}",
                       equation.where.empty() ? "`" + equation.name + "`" : equation.where,
                       error.diagnostics().front().message),
           names.empty() ? "it has no columns beside the time"
                         : fmt::format("it has the columns {}", fmt::join(names, ", ")));
  }
}

const Series& series_of(const DataTable& table, const std::string& name) {
  if (table.series.size() == 1) return table.series.front();
  const auto found = std::ranges::find(table.series, name, &Series::name);
  if (found != table.series.end()) return *found;
  refuse(table.file,
         fmt::format("the inputs are those of {} series, and a simulation is of one", table.series.size()),
         "give a file with the rows of one series");
}

bool can_be_made_of(const std::shared_ptr<const ModelSpec>& spec, const Equation& equation,
                    const DataTable& table) {
  try {
    evaluate_rows(spec, equation, table);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

InputSeries::Values values_of_rows(const DataTable& table, const Series& rows, const Column& column,
                                   const std::string& name) {
  InputSeries::Values values;
  values.points = column.points();
  for (std::size_t row = rows.first_row; row < rows.first_row + rows.n_rows; ++row) {
    values.time.push_back(table.time[row]);
    for (std::size_t point = 0; point < column.points(); ++point)
      values.values.push_back(column.at(row, point));
  }
  if (std::ranges::all_of(values.values, [](double value) { return std::isnan(value); }))
    refuse(table.file, fmt::format("the input `{}` has no value", name), "give at least one row that has");
  return values;
}

}  // namespace

double InputSeries::Values::at(double t, std::size_t point) const {
  const auto known = [&](std::size_t i) { return values[i * points + point]; };
  std::optional<std::size_t> before, after;
  const auto first_after = std::ranges::upper_bound(time, t);
  const auto place = static_cast<std::size_t>(first_after - time.begin());
  for (std::size_t i = place; i-- > 0 && !before;)
    if (!std::isnan(known(i))) before = i;
  for (std::size_t i = place; i < time.size() && !after; ++i)
    if (!std::isnan(known(i))) after = i;
  if (!before || !after) return before ? known(*before) : after ? known(*after) : 0;
  return std::lerp(known(*before), known(*after), (t - time[*before]) / (time[*after] - time[*before]));
}

InputSeries inputs_of_table(const std::shared_ptr<const ModelSpec>& spec, const DataTable& table,
                            const DataTable* others, const std::string& series) {
  DataTable extended = table;
  InputSeries found{table.file, {}, {}};
  for (std::size_t j = 0; j < spec->inputs.size(); ++j) {
    const Equation& equation = spec->inputs[j];
    const DataTable* own = table.find_input(equation.name);
    if (own == nullptr && others != nullptr && !can_be_made_of(spec, equation, table))
      own = others->find_input(equation.name);
    if (own != nullptr) {
      found.inputs.push_back(
          values_of_rows(*own, series_of(*own, series), value_of(spec, equation, *own), equation.name));
      continue;
    }
    for (const Equation* made : made_columns_behind(*spec, equation))
      add_column(extended, value_of(spec, *made, extended));
    found.inputs.push_back(values_of_rows(extended, series_of(table, series),
                                          value_of(spec, equation, extended), equation.name));
  }
  const Series& rows = series_of(table, series);
  const auto first = table.time.begin() + static_cast<std::ptrdiff_t>(rows.first_row);
  found.time.assign(first, first + static_cast<std::ptrdiff_t>(rows.n_rows));
  return found;
}

}  // namespace greybox
