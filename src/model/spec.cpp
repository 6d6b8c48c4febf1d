// Reads a model file: text, TOML, tables, and checks across them.
#include "model/spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/spec_reader.hpp"
#include "model/toml_section.hpp"
#include "model/toml_text.hpp"

namespace greybox {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

void report_not_a_table(TomlDocument& document, const Entry& entry) {
  document.mistakes().add(
      entry.name_span, fmt::format("`{}` must be a table, and is {}", entry.name, describe(*entry.value)),
      fmt::format("write [{}] in single brackets on a line of its own, and its keys below", entry.name));
}

void report_unknown_table(TomlDocument& document, const Entry& entry,
                          const std::vector<std::string>& tables) {
  document.mistakes().add(entry.name_span, fmt::format("unknown table [{}]", entry.name),
                          document.mistakes().suggest(
                              entry.name, tables, fmt::format("the tables are {}", fmt::join(tables, ", "))));
}

// The keys at the top; the tables there are checked to be tables that exist.
Section read_top_level(TomlDocument& document) {
  const std::vector<std::string> tables = top_level_tables();
  std::vector<Entry> keys;
  for (const Entry& entry : document.entries(document.root())) {
    const bool is_known_table = std::ranges::find(tables, entry.name) != tables.end();
    const bool is_known_key = table_info("").find(entry.name) != nullptr;
    if (is_known_table && !entry.value->is_table()) report_not_a_table(document, entry);
    if (is_known_table) continue;
    if (entry.value->is_table() && !is_known_key)
      report_unknown_table(document, entry, tables);
    else
      keys.push_back(entry);
  }
  return Section(document, table_info(""), std::move(keys), SourceSpan{});
}

std::vector<std::string> observed_names(const ModelSpec& spec) {
  std::vector<std::string> names;
  for (const Equation& equation : spec.observe.empty() && spec.is_algebraic() ? spec.theory : spec.observe)
    names.push_back(equation.name);
  return names;
}

void read_tables(TomlDocument& document, ModelSpec& spec) {
  spec.data = read_data(document);
  spec.parameters = read_parameters(document);
  spec.grid = read_grid(document, spec.data.table.static_fields);
  ReadInputs inputs = read_inputs(document);
  spec.inputs = std::move(inputs.equations);
  spec.signals = std::move(inputs.signals);
  spec.definitions = read_equations(document, "define");
  ReadStates states = read_states(document);
  spec.state = std::move(states.equations);
  spec.starts = std::move(states.starts);
  spec.latents = read_latents(document);
  spec.theory = read_equations(document, "theory");
  spec.networks = read_networks(document, spec.scale);
  spec.data_driven = read_equations(document, "data_driven");
  spec.composition = read_equations(document, "composition");
  spec.observe = read_equations(document, "observe");
  spec.estimator = read_equations(document, "estimator");
  spec.solver = read_solver(document);
  spec.regularizers = read_equations(document, "regularizers");
  spec.train = read_train(document);
  spec.given_scales = read_scales(document);
  spec.noise = read_noise(document, observed_names(spec));
}

void add_names(const Syntax& syntax, std::vector<std::string>& names) {
  if (syntax.kind == SyntaxKind::name) names.push_back(syntax.text);
  for (const SyntaxPtr& child : syntax.children) add_names(*child, names);
}

// Every name in equations of rows and of initial values, and those that are compared with columns.
std::vector<std::string> names_read_as_columns(const ModelSpec& spec) {
  std::vector<std::string> names;
  for (const auto* group : {&spec.data.columns, &spec.state})
    for (const Equation& equation : *group) add_names(*equation.syntax, names);
  for (std::size_t j = 0; j < spec.inputs.size(); ++j)
    if (spec.signals[j].file.empty()) add_names(*spec.inputs[j].syntax, names);
  if (spec.data.drop) add_names(*spec.data.drop->syntax, names);
  for (const Equation& equation : spec.observe) names.push_back(equation.name);
  return names;
}

}  // namespace

std::optional<Operation> ModelSpec::coordinate(std::string_view coordinate) const {
  const bool is_output =
      is_algebraic() && std::ranges::find(theory, coordinate, &Equation::name) != theory.end();
  return is_output ? std::nullopt : grid.coordinate(coordinate);
}

ModelSpec parse_model_spec(std::string text, const std::string& path) {
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  const auto source = std::make_shared<const SourceFile>(SourceFile{path, std::move(text)});
  check_text(*source);
  TomlDocument document(source);
  if (document.root().empty())
    throw InputError(
        at(*source, SourceSpan{}, "the model file is empty",
           "a model needs at least [data] and [theory]; `greybox demo` writes one to start from"));
  ModelSpec spec;
  spec.source = source;
  Section top = read_top_level(document);
  spec.name = top.has("name") ? top.text("name") : std::filesystem::path(path).stem().string();
  spec.about = top.text("about");
  spec.scale = top.choice<Scaling>("scale");
  read_tables(document, spec);
  settle_precision(spec, document.mistakes());
  check_names(spec, document.mistakes());
  check_structure(spec, document.mistakes());
  document.mistakes().throw_if_any();
  spec.data.table.columns_read = names_read_as_columns(spec);
  spec.data.table.needs_time = !spec.is_algebraic();
  spec.data.table.may_repeat_times =
      std::ranges::any_of(spec.signals, [](const SignalSpec& signal) { return signal.file.empty(); });
  return spec;
}

}  // namespace greybox
