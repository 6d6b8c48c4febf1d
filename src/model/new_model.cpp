// Writes a first model file for a table.
#include "greybox/new_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/nearest_name.hpp"
#include "core/refuse.hpp"
#include "language/operation.hpp"
#include "model/column_profile.hpp"
#include "model/template_table.hpp"

namespace greybox {
namespace {

constexpr std::string_view kArrhenius = "arrhenius";
constexpr std::size_t kMostStates = 4;

struct Parameter {
  std::string name;
  double centre;
  std::string about;
};

// A model while it is being written.
struct Draft {
  std::vector<std::pair<std::string, std::string>> made, inputs, define, state, theory, observe;
  std::vector<Parameter> parameters;
  std::vector<std::string> network_inputs, network_outputs, notes;
  std::string rest_of_parameters;
  bool is_algebraic = false;
};

std::string number(double value) {
  return fmt::format("{:.3g}", value);
}

std::string in_small_letters(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

// Names that stand for something else in the model that is to be written.
std::vector<std::string> taken_names(const std::string& chosen) {
  std::vector<std::string> taken = {"theory",
                                    "network",
                                    "t",
                                    "t0",
                                    "pi",
                                    "window",
                                    "mean",
                                    "norm2",
                                    "dot",
                                    "correction",
                                    "n_total",
                                    "clock",
                                    "size_of_correction"};
  for (const OperationInfo& operation : operations()) taken.emplace_back(operation.name);
  for (const TheoryTemplate& one : theory_templates())
    if (one.name == chosen)
      for (const TemplateParameter& parameter : one.parameters) taken.emplace_back(parameter.name);
  if (chosen == kArrhenius) taken.insert(taken.end(), {"log_factor", "energy", "kelvin"});
  return taken;
}

double rate_of(const TableProfile& profile, const ColumnProfile& column) {
  return 1 / (static_cast<double>(column.memory) * profile.median_step);
}

double positive(double value) {
  return value > 0 && std::isfinite(value) ? value : 1;
}

// The columns of a template's roles: by name, then in their order.
class Cast {
 public:
  Cast(const TheoryTemplate& theory, TableProfile& profile) : theory_(theory), profile_(profile) {
    columns_.resize(theory.roles.size());
    for (std::size_t r = 0; r < columns_.size(); ++r) columns_[r] = named(theory.roles[r]);
    for (std::size_t r = 0; r < columns_.size(); ++r)
      if (columns_[r] == nullptr && theory.roles[r].start.empty())
        columns_[r] = next(theory.roles[r].is_input);
  }

  ColumnProfile* operator[](std::size_t role) const { return columns_[role]; }

  void require(const std::string& file) const {
    for (std::size_t r = 0; r < columns_.size(); ++r)
      if (columns_[r] == nullptr && theory_.roles[r].start.empty() && !theory_.roles[r].is_input)
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

  Draft write() {
    for (std::size_t r = 0; r < theory_.roles.size(); ++r) add_role(theory_.roles[r], cast_[r]);
    for (const TemplateParameter& parameter : theory_.parameters) {
      const bool is_of_input = parameter.name.starts_with("per_") || parameter.name == "pump_gain";
      if (is_of_input && input_ == nullptr) continue;
      draft_.parameters.push_back({std::string(parameter.name), parameter.factor * unit(parameter.unit),
                                   std::string(parameter.about)});
    }
    for (const TemplateEquation& equation : theory_.theory)
      draft_.theory.emplace_back(equation.name, with_input(std::string(equation.text)));
    for (const std::string_view state : theory_.corrected) draft_.network_outputs.emplace_back(state);
    for (const auto& [state, initial] : draft_.state) draft_.network_inputs.push_back(state);
    for (const auto& [input, column] : draft_.inputs) draft_.network_inputs.push_back(input);
    return std::move(draft_);
  }

 private:
  void add_role(const TemplateRole& role, const ColumnProfile* column) {
    const std::string name(role.name);
    if (role.is_input) {
      if (column != nullptr) draft_.inputs.emplace_back(name, column->name);
      return;
    }
    if (column == nullptr) {
      std::string start(role.start);
      for (const auto& [state, initial] : draft_.state)  // [state] reads columns, not states
        if (const std::size_t at = start.find(state); at != std::string::npos && start == state)
          start = initial;
      if (const std::size_t at = start.rfind("- I"); at != std::string::npos)
        start = "n_total - " + draft_.state.front().second;
      draft_.state.emplace_back(name, start);
      draft_.notes.push_back(
          fmt::format("no column measures `{}`: it starts at {}, which you may know better", name, start));
    } else {
      draft_.state.emplace_back(name, column->name);
      draft_.observe.emplace_back(column->name, name);
    }
    if (theory_.name == "sir" && draft_.define.empty())
      draft_.define.emplace_back("n_total", number(10 * positive(column != nullptr ? column->high : 1)));
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
  Draft draft_;
};

// Every variable relaxes to a level; settings are inputs.
Draft relaxation(const TableProfile& profile, const std::string& file) {
  Draft draft;
  for (const ColumnProfile& column : profile.columns) {
    if (column.is_constant) continue;
    if (column.is_setting && profile.columns.size() > 1) {
      draft.inputs.emplace_back(column.name, column.name);
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
        column.name, number(column.low), number(column.high));
    draft.network_inputs.push_back(column.name);
    draft.network_outputs.push_back(column.name);
  }
  if (draft.state.empty()) refuse(file, "no column varies", "a model needs something that changes");
  for (const auto& [name, column] : draft.inputs) draft.network_inputs.push_back(name);
  return draft;
}

Draft arrhenius(const TableProfile& profile, const std::string& file) {
  if (profile.columns.size() < 2)
    refuse(file, "the template `arrhenius` needs a temperature and a rate", "add the column that is missing");
  const auto is_temperature = [](const ColumnProfile& column) {
    return in_small_letters(column.name).starts_with("t") || in_small_letters(column.name) == "kelvin";
  };
  const auto found = std::ranges::find_if(profile.columns, is_temperature);
  const ColumnProfile& temperature = found != profile.columns.end() ? *found : profile.columns[0];
  const ColumnProfile& rate = &temperature == &profile.columns[0] ? profile.columns[1] : profile.columns[0];
  Draft draft;
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
      number(std::log(positive(rate.mean)) + energy / (8.314 * positive(kelvin))));
  draft.network_inputs = {"kelvin / 300"};
  draft.network_outputs = {rate.name};
  return draft;
}

class ModelWriter {
 public:
  ModelWriter(const Draft& draft, const DataTable& table, const TableProfile& profile,
              const NewModelOptions& options)
      : draft_(draft), table_(table), profile_(profile), options_(options) {}

  std::string write() {
    head();
    data();
    parameters();
    equations("define", draft_.define, "fill in what you know");
    equations("inputs", draft_.inputs,
              "measured signals that act on the system, linear between their values");
    equations("state", draft_.state, "initial values, from columns of a window's first row");
    equations("theory", draft_.theory,
              draft_.is_algebraic ? "what is known of the outputs"
                                  : "time derivatives: what is known of the system");
    network();
    equations("observe", draft_.observe, "what is compared with which column");
    rest();
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...) + '\n';
  }

  void head() {
    line("# A first model of {}, written by `greybox new`: change whatever you know better.",
         options_.data_name);
    line("# Next: greybox check, then greybox train. docs/model-file.md explains every key.");
    for (const std::string& note : draft_.notes) line("# Note: {}.", note);
    line("name  = \"{}\"", std::filesystem::path(options_.data_name).stem().string());
    line("about = \"what the model is of\"\n");
  }

  void data() {
    line("[data]");
    line("file = \"{}\"", options_.data_name);
    if (!options_.table.series_column.empty()) line("series = \"{}\"", options_.table.series_column);
    if (!table_.time_name.empty()) line("time = \"{}\"", table_.time_name);
    if (table_.time_name.empty() && !draft_.is_algebraic)
      line(
          "time = \"none\"                     # no time column was found: rows are counted, rates are per "
          "row");
    if (table_.has_dates)
      line("time_unit = \"{}\"                # rates are per one of these", table_.time_unit);
    if (!options_.table.missing_words.empty())
      line("missing_words = [\"{}\"]", fmt::join(options_.table.missing_words, "\", \""));
    if (!draft_.is_algebraic && profile_.window > 0)
      line("window = {{ length = {}, stride = {} }}   # rows: about twice the time in which the data change",
           profile_.window, profile_.stride);
    if (draft_.is_algebraic)
      line("split  = {{ train = 0.6, validation = 0.2, test = 0.2, by = \"window\" }}");
    else if (profile_.splits_series)
      line(
          "split  = {{ train = 0.6, validation = 0.2, test = 0.2, by = \"time\" }}   # the last part of each "
          "series tests");
    else if (profile_.n_series >= 5)
      line("split  = {{ train = 0.6, validation = 0.2, test = 0.2, by = \"series\" }}");
    else
      line("# too few rows to hold some back: nothing will tell how the model does on data it has not seen");
    rename();
    equations("data.columns", draft_.made, "columns made from those of the file");
    if (draft_.made.empty()) text_ += '\n';
  }

  void rename() {
    bool is_first = true;
    for (const ColumnProfile& column : profile_.columns) {
      if (column.name == column.file_name) continue;
      if (is_first) line("\n[data.rename]                       # names that equations can use");
      is_first = false;
      line("{} = \"{}\"", column.name, column.file_name);
    }
  }

  void parameters() {
    line("[parameters]                        # priors: make them say what you know before seeing the data");
    for (const Parameter& one : draft_.parameters)
      line("{} = {{ prior = \"lognormal\", mean = \"log({})\", sd = 0.5, about = \"{}\" }}", one.name,
           number(one.centre), one.about);
    text_ += draft_.rest_of_parameters;
    text_ += '\n';
  }

  void equations(std::string_view table, const std::vector<std::pair<std::string, std::string>>& list,
                 std::string_view about) {
    if (list.empty()) return;
    line("{}[{}]{:{}}# {}", table == "data.columns" ? "\n" : "", table, "",
         34 - std::min<std::size_t>(table.size(), 33), about);
    for (const auto& [name, text] : list) line("{} = \"{}\"", name, text);
    text_ += '\n';
  }

  void network() {
    std::vector<std::string> inputs = draft_.network_inputs;
    for (const Parameter& one : draft_.parameters) inputs.push_back(one.name);
    for (std::size_t from = 0; from < draft_.rest_of_parameters.size();) {
      const std::size_t end = draft_.rest_of_parameters.find('\n', from);
      inputs.push_back(
          draft_.rest_of_parameters.substr(from, draft_.rest_of_parameters.find(' ', from) - from));
      from = end + 1;
    }
    inputs.emplace_back("theory");
    line(
        "[network.correction]                # what the theory lacks; it reads θ, so that it can adapt to "
        "it");
    line("inputs  = [\"{}\"]", fmt::join(inputs, "\", \""));
    line("hidden  = [32, 32]");
    line("outputs = [\"{}\"]\n", fmt::join(draft_.network_outputs, "\", \""));
  }

  void rest() {
    line("[regularizers]                      # what a good correction looks like; compare several");
    line("size_of_correction = \"mean(norm2(network))\"\n");
    line("[train]");
    line("regularizer = \"size_of_correction\"");
    line("lambda = 0.01");
    line("epochs = 500");
  }

  const Draft& draft_;
  const DataTable& table_;
  const TableProfile& profile_;
  const NewModelOptions& options_;
  std::string text_;
};

Draft draft_of(const std::string& chosen, TableProfile& profile, const std::string& file) {
  if (chosen.empty()) return relaxation(profile, file);
  if (chosen == kArrhenius) return arrhenius(profile, file);
  for (const TheoryTemplate& one : theory_templates())
    if (one.name == chosen) return TemplateDraft(one, profile, file).write();
  std::vector<std::string> names;
  for (const ModelTemplate& one : model_templates()) names.push_back(one.name);
  const auto near = nearest_name(chosen, names);
  refuse_option("template", fmt::format("there is no template `{}`", chosen),
                near ? fmt::format("did you mean `{}`?", *near)
                     : fmt::format("the templates are {}", fmt::join(names, ", ")));
}

}  // namespace

std::vector<ModelTemplate> model_templates() {
  std::vector<ModelTemplate> templates;
  for (const TheoryTemplate& one : theory_templates())
    templates.push_back({std::string(one.name), std::string(one.about)});
  templates.push_back({std::string(kArrhenius), "how a rate depends on temperature"});
  return templates;
}

std::string new_model(const std::filesystem::path& data, const NewModelOptions& options) {
  NewModelOptions chosen = options;
  if (chosen.data_name.empty()) chosen.data_name = data.filename().string();
  chosen.table.needs_time = options.template_name != kArrhenius;
  const DataTable table = read_table(data, chosen.table);
  TableProfile profile = profile_of(table, taken_names(options.template_name));
  return ModelWriter(draft_of(options.template_name, profile, table.file), table, profile, chosen).write();
}

}  // namespace greybox
