// A first model of a rate that depends on temperature.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/refuse.hpp"
#include "model/model_draft.hpp"

namespace greybox {

ModelDraft arrhenius_draft(const TableProfile& profile, const std::string& file) {
  if (profile.columns.size() < 2)
    refuse(file, "the template `arrhenius` needs a temperature and a rate", "add the column that is missing");
  const auto is_temperature = [](const ColumnProfile& column) {
    return in_small_letters(column.name).starts_with("t") || in_small_letters(column.name) == "kelvin";
  };
  const auto found = std::ranges::find_if(profile.columns, is_temperature);
  const ColumnProfile& temperature = found != profile.columns.end() ? *found : profile.columns[0];
  const ColumnProfile& rate = &temperature == &profile.columns[0] ? profile.columns[1] : profile.columns[0];
  ModelDraft draft;
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
