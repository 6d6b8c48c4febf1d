// A first model of a rate that depends on temperature.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/refuse.hpp"
#include "data/time_column.hpp"
#include "model/model_draft.hpp"

namespace greybox {

namespace {

// Names that only temperatures have, before those that merely begin alike.
const ColumnProfile* find_temperature(const std::vector<const ColumnProfile*>& columns) {
  const auto first = [&](auto&& is_meant) -> const ColumnProfile* {
    for (const ColumnProfile* column : columns)
      if (is_meant(in_small_letters(column->name))) return column;
    return nullptr;
  };
  const ColumnProfile* found = first(
      [](const std::string& name) { return name == "t" || name == "kelvin" || name.starts_with("temp"); });
  return found != nullptr ? found : first([](const std::string& name) { return name.starts_with("t"); });
}

}  // namespace

ModelDraft arrhenius_draft(const TableProfile& profile, const std::string& file) {
  ModelDraft draft;
  std::vector<const ColumnProfile*> columns;
  for (const ColumnProfile& column : profile.columns)
    if (column.file_name != "T" && is_usual_time_name(column.file_name))
      draft.notes.push_back(
          fmt::format("`{}` is left out: this template is of rates measured at temperatures; for what "
                      "changes in time take "
                      "the template `reactor`",
                      column.name));
    else
      columns.push_back(&column);
  if (columns.size() < 2)
    refuse(file, "the template `arrhenius` needs a temperature and a rate",
           "add the column that is missing; for what changes in time take the template `reactor`");
  const ColumnProfile* found = find_temperature(columns);
  const ColumnProfile& temperature = found != nullptr ? *found : *columns[0];
  const ColumnProfile& rate = &temperature == columns[0] ? *columns[1] : *columns[0];
  draft.is_algebraic = true;
  const bool is_celsius = temperature.high < 200;
  draft.made.emplace_back("kelvin", temperature.name + (is_celsius ? " + 273.15" : ""));
  if (is_celsius) draft.notes.push_back(fmt::format("`{}` is taken to be in °C", temperature.name));
  draft.theory.emplace_back(rate.name, "exp(log_factor - energy / (8.314 * kelvin))");
  const double kelvin = temperature.mean + (is_celsius ? 273.15 : 0), energy = 5e4;
  draft.rest_of_parameters = fmt::format(
      "log_factor = {{ prior = \"normal\", mean = {}, sd = 5, about = \"logarithm of the factor before exp\" "
      "}}\n"
      "energy = {{ prior = \"uniform\", low = 1e4, high = 1.2e5, unit = \"J/mol\", about = \"activation "
      "energy\" }}\n",
      rounded_number(std::log(positive(rate.mean)) + energy / (8.314 * positive(kelvin))));
  draft.network_inputs = {"kelvin / 300"};
  draft.network_outputs = {rate.name};
  return draft;
}

}  // namespace greybox
