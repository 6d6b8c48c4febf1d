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

double rate_of(const TableProfile& profile, const ColumnProfile& column) {
  return 1 / (static_cast<double>(column.memory) * profile.median_step);
}

std::string in_small_letters(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

double positive(double value) {
  return value > 0 && std::isfinite(value) ? value : 1;
}

std::string rounded_number(double value) {
  return fmt::format("{:.3g}", value);
}

namespace {

constexpr std::size_t kMostStates = 4;

// One letter is no word of a longer name.
bool has_word(const std::string& name, std::string_view word) {
  if (word.size() < 2) return false;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('_', begin), name.size());
    if (std::string_view(name).substr(begin, end - begin) == word) return true;
    begin = end + 1;
  }
  return false;
}

// The columns of a template's roles: by name, then in their order.
class Cast {
 public:
  Cast(const TheoryTemplate& theory, TableProfile& profile) : theory_(theory), profile_(profile) {
    columns_.resize(theory.roles.size());
    for (std::size_t r = 0; r < columns_.size(); ++r) columns_[r] = named(theory.roles[r]);
    for (std::size_t r = 0; r < columns_.size(); ++r)
      if (columns_[r] == nullptr && theory.roles[r].needs_column())
        columns_[r] = next(theory.roles[r].is_input);
  }

  bool has(const ColumnProfile& column) const { return !is_free(column); }
  ColumnProfile* operator[](std::size_t role) const { return columns_[role]; }

  void require(const std::string& file) const {
    for (std::size_t r = 0; r < columns_.size(); ++r)
      if (columns_[r] == nullptr && theory_.roles[r].needs_column() && !theory_.roles[r].is_input)
        refuse(file,
               fmt::format("the template `{}` needs a column for `{}`, and none is left", theory_.name,
                           theory_.roles[r].name),
               "choose a template with fewer variables, or none");
  }

 private:
  bool is_free(const ColumnProfile& column) const {
    return std::ranges::find(columns_, &column) == columns_.end();
  }
  ColumnProfile* named(const TemplateRole& role) const {
    for (const std::string_view hint : role.hints)
      for (ColumnProfile& column : profile_.columns)
        if (in_small_letters(column.name) == hint && is_free(column)) return &column;
    for (const std::string_view hint : role.hints)
      for (ColumnProfile& column : profile_.columns)
        if (has_word(in_small_letters(column.name), hint) && is_free(column)) return &column;
    return nullptr;
  }
  ColumnProfile* next(bool is_input) const {
    for (ColumnProfile& column : profile_.columns)
      if (is_free(column) && !column.is_constant && (!is_input || column.is_setting)) return &column;
    return nullptr;
  }

  const TheoryTemplate& theory_;
  TableProfile& profile_;
  std::vector<ColumnProfile*> columns_;
};

class TemplateDraft {
 public:
  TemplateDraft(const TheoryTemplate& theory, TableProfile& profile, const std::string& file)
      : theory_(theory), profile_(profile), cast_(theory, profile) {
    cast_.require(file);
    for (std::size_t r = 0; r < theory.roles.size(); ++r)
      if (theory.roles[r].is_input) input_ = cast_[r];
  }

  ModelDraft write() {
    for (std::size_t r = 0; r < theory_.roles.size(); ++r) add_role(theory_.roles[r], cast_[r]);
    for (const ColumnProfile& column : profile_.columns)
      if (!cast_.has(column) && !column.is_constant)
        draft_.notes.push_back(
            fmt::format("`{}` has no part in this theory: add it as an input, or leave it", column.name));
    for (const TemplateParameter& parameter : theory_.parameters) {
      const bool is_of_input = parameter.name.starts_with("per_") || parameter.name == "pump_gain";
      if (is_of_input && input_ == nullptr) continue;
      draft_.parameters.push_back({std::string(parameter.name), parameter.factor * unit(parameter.unit),
                                   std::string(parameter.about)});
    }
    for (const TemplateEquation& equation : theory_.theory)
      draft_.theory.emplace_back(equation.name, with_input(std::string(equation.text)));
    for (std::size_t r = 0; r < theory_.roles.size(); ++r)
      if (cast_[r] != nullptr &&
          std::ranges::find(theory_.corrected, theory_.roles[r].name) != theory_.corrected.end())
        draft_.network_outputs.emplace_back(theory_.roles[r].name);
    if (draft_.network_outputs.empty()) draft_.network_outputs.emplace_back(theory_.corrected.front());
    for (const auto& [state, initial] : draft_.state) draft_.network_inputs.push_back(state);
    for (const auto& [input, column] : draft_.inputs) draft_.network_inputs.push_back(input);
    return std::move(draft_);
  }

 private:
  void add_role(const TemplateRole& role, const ColumnProfile* column) {
    const std::string name(role.name);
    if (role.is_input) {
      if (column != nullptr) draft_.add_input(name, *column);
      return;
    }
    if (theory_.name == "sir" && draft_.define.empty()) add_population();
    if (column == nullptr) {
      add_hidden(role);
      return;
    }
    const std::string whole(role.part_of);
    draft_.state.emplace_back(name, column->name + (whole.empty() ? "" : " / " + whole));
    draft_.observe.emplace_back(column->name, name + (whole.empty() ? "" : " * " + whole));
  }

  void add_population() {
    draft_.define.emplace_back("n_total", rounded_number(10 * positive(cast_[0]->high)));
    draft_.notes.emplace_back("`n_total`, the size of the population, is a guess: write the true one");
  }

  // A window that begins in the middle of a series does not begin as the series does.
  void add_hidden(const TemplateRole& role) {
    const ColumnProfile& first = *cast_[0];
    std::string start(role.start);
    if (const std::size_t at = start.find("FIRST"); at != std::string::npos) start.replace(at, 5, first.name);
    if (profile_.window > 0) {
      draft_.has_learned_starts = true;
      start = fmt::format("{{ start = \"learned\", {} }}", start_prior(role.hidden));
    }
    draft_.state.emplace_back(role.name, start);
    draft_.notes.push_back(fmt::format("no column measures `{}`: {}, which you may know better", role.name,
                                       profile_.window > 0
                                           ? "where it starts is learned for every window, under a prior"
                                           : "it starts at " + start));
  }

  std::string start_prior(HiddenStart kind) const {
    const ColumnProfile& first = *cast_[0];
    if (kind == HiddenStart::share) return "prior = \"uniform\", low = 0, high = 1";
    if (kind == HiddenStart::rate_of_first)
      return fmt::format("mean = 0, sd = {}", rounded_number(2 * first.sd * rate_of(profile_, first)));
    return fmt::format("prior = \"lognormal\", mean = \"log({})\", sd = 1",
                       rounded_number(positive(first.mean)));
  }

  std::string with_input(std::string text) const {
    const std::size_t begin = text.find("INPUT(");
    if (begin == std::string::npos) return text;
    const std::string inner = text.substr(begin + 6, text.size() - begin - 7);
    return text.substr(0, begin) + (input_ != nullptr ? inner : "");
  }

  double unit(PriorUnit kind) const {
    const ColumnProfile& first = *cast_[0];
    const double rate = rate_of(profile_, first);
    const ColumnProfile* second = cast_[std::min<std::size_t>(1, theory_.roles.size() - 1)];
    switch (kind) {
      case PriorUnit::rate:
        return rate;
      case PriorUnit::squared_rate:
        return rate * rate;
      case PriorUnit::rate_of_root:
        return rate * std::sqrt(positive(first.mean));
      case PriorUnit::one:
        return 1;
      case PriorUnit::largest:
        return positive(first.high);
      case PriorUnit::rate_per_first:
        return rate / positive(first.mean);
      case PriorUnit::rate_per_second:
        return rate / positive(second != nullptr ? second->mean : 1);
      case PriorUnit::rate_per_input:
        return rate * positive(first.mean) / positive(input_ != nullptr ? input_->mean : 1);
    }
    return 1;
  }

  const TheoryTemplate& theory_;
  TableProfile& profile_;
  Cast cast_;
  const ColumnProfile* input_ = nullptr;
  ModelDraft draft_;
};

// Every variable relaxes to a level; settings are inputs.
ModelDraft relaxation(const TableProfile& profile, const std::string& file) {
  ModelDraft draft;
  for (const ColumnProfile& column : profile.columns) {
    if (column.is_constant) continue;
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
        "columns that act from outside, such as the weather or a set point, belong to [inputs]: name them "
        "with "
        "--inputs");
  for (const auto& [name, column] : draft.inputs) draft.network_inputs.push_back(name);
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

ModelDraft draft_model(const std::string& chosen, TableProfile& profile, const std::string& file) {
  const bool has_fields = std::ranges::any_of(profile.columns, &ColumnProfile::is_field);
  if (chosen.empty()) return has_fields ? field_draft(profile, file) : relaxation(profile, file);
  if (has_fields)
    refuse_option("template",
                  fmt::format("`{}` has fields, and the template `{}` is of numbers", file, chosen),
                  "leave out option `template`");
  if (chosen == kArrhenius) return arrhenius_draft(profile, file);
  for (const TheoryTemplate& one : theory_templates())
    if (one.name == chosen) return TemplateDraft(one, profile, file).write();
  std::vector<std::string> names;
  for (const ModelTemplate& one : model_templates()) names.push_back(one.name);
  const auto near = nearest_name(chosen, names);
  refuse_option("template", fmt::format("there is no template `{}`", chosen),
                near ? fmt::format("did you mean `{}`?", *near)
                     : fmt::format("the templates are {}", fmt::join(names, ", ")));
}

}  // namespace greybox
