#include "model/model_draft.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/nearest_name.hpp"
#include "core/refuse.hpp"
#include "greybox/new_model.hpp"
#include "language/operation.hpp"
#include "model/template_table.hpp"

namespace greybox {

void ModelDraft::add_input(const std::string& name, const ColumnProfile& column) {
  inputs.emplace_back(name, column.name);
  if (column.is_stepped) stepped.push_back(name);
}

std::string ModelDraft::add_depot(const ColumnProfile& dose, double rate) {
  boluses.emplace_back(dose.name, "depot");
  for (auto& [name, start] : state) {
    const auto column = std::ranges::find(unmeasured_at_first, start);
    if (column == unmeasured_at_first.end()) continue;
    notes.push_back(fmt::format("`{}` starts at 0, as `{}` is not measured in the first rows", name, start));
    start = "0";
  }
  state.emplace_back("depot", "0");
  theory.emplace_back("depot", "-absorption * depot");
  parameters.push_back({"absorption", rate, "share of a dose that arrives per unit of time"});
  notes.push_back(
      fmt::format("`{}` holds amounts that are given at instants (boluses): each is added to `depot`, from "
                  "where it arrives at "
                  "the rate `absorption`; what was given at once needs no depot: name its state in `into`",
                  dose.name));
  return "absorption * depot";
}

double rate_of(const TableProfile& profile, const ColumnProfile& column) {
  return 1 / (static_cast<double>(column.memory) * profile.median_step);
}

double positive(double value) {
  return value > 0 && std::isfinite(value) ? value : 1;
}

std::string rounded_number(double value) {
  return fmt::format("{:.3g}", value + 0.0);  // not -0
}

namespace {

constexpr std::size_t kMostStates = 4;

// Every variable relaxes to a level; settings are inputs.
ModelDraft relaxation(const TableProfile& profile, const std::string& file) {
  ModelDraft draft;
  draft.unmeasured_at_first = profile.unmeasured_at_first();
  const ColumnProfile* dose = nullptr;
  for (const ColumnProfile& column : profile.columns) {
    if (column.is_constant) continue;
    if (column.is_dose) {
      dose = &column;
      continue;
    }
    if (column.is_setting && profile.columns.size() > 1) {
      draft.add_input(column.name, column);
      continue;
    }
    if (draft.state.size() == kMostStates) {
      draft.notes.push_back(fmt::format("`{}` is left out: add it as a state or an input", column.name));
      continue;
    }
    draft.state.emplace_back(column.name, column.name);
    draft.observe.emplace_back(column.name, column.name);
    draft.theory.emplace_back(column.name, fmt::format("-rate_{0} * ({0} - level_{0})", column.name));
    draft.parameters.push_back({"rate_" + column.name, rate_of(profile, column), "how fast it relaxes"});
    draft.rest_of_parameters += fmt::format(
        "level_{} = {{ prior = \"uniform\", low = {}, high = {}, about = \"where it relaxes to\" }}\n",
        column.name, rounded_number(column.low), rounded_number(column.high));
    draft.network_inputs.push_back(column.name);
    draft.network_outputs.push_back(column.name);
  }
  if (draft.state.empty()) refuse(file, "no column varies", "a model needs something that changes");
  if (draft.state.size() > 1)
    draft.notes.emplace_back(
        "columns that act from outside, such as the weather or a set point, belong to [inputs]: move them "
        "there, "
        "or name them as inputs when this file is made");
  for (const auto& [name, column] : draft.inputs) draft.network_inputs.push_back(name);
  if (dose != nullptr) {
    draft.parameters.push_back({"effect", positive(profile.column(draft.state[0].first).high) / dose->high,
                                "what one unit of " + dose->name + " adds to " + draft.state[0].first});
    draft.theory[0].second += " + effect * " + draft.add_depot(*dose, rate_of(profile, *dose));
  }
  return draft;
}

}  // namespace

std::vector<std::string> taken_names(const std::string& chosen) {
  std::vector<std::string> taken = {"theory", "network",           "t",     "t0",  "pi",         "window",
                                    "mean",   "at_data",           "norm2", "dot", "correction", "n_total",
                                    "clock",  "size_of_correction"};
  for (const OperationInfo& operation : operations()) taken.emplace_back(operation.name);
  for (const TheoryTemplate& one : theory_templates())
    if (one.name == chosen)
      for (const TemplateParameter& parameter : one.parameters) taken.emplace_back(parameter.name);
  if (chosen == kArrhenius) taken.insert(taken.end(), {"log_factor", "energy", "kelvin"});
  return taken;
}

ModelDraft draft_model(const std::string& chosen, TableProfile& profile, const WindowProposal& windows,
                       const std::string& file) {
  const bool has_fields = std::ranges::any_of(profile.columns, &ColumnProfile::is_field);
  if (chosen.empty()) return has_fields ? field_draft(profile, file) : relaxation(profile, file);
  if (has_fields)
    refuse_option("template",
                  fmt::format("`{}` has fields, and the template `{}` is of numbers", file, chosen),
                  "leave out option `template`");
  if (chosen == kArrhenius) return arrhenius_draft(profile, file);
  for (const TheoryTemplate& one : theory_templates())
    if (one.name == chosen) return template_draft(one, profile, windows, file);
  std::vector<std::string> names;
  for (const ModelTemplate& one : model_templates()) names.push_back(one.name);
  const auto near = nearest_name(chosen, names);
  refuse_option("template", fmt::format("there is no template `{}`", chosen),
                near ? fmt::format("did you mean `{}`?", *near)
                     : fmt::format("the templates are {}", fmt::join(names, ", ")));
}

}  // namespace greybox
