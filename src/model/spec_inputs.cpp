// Reads [inputs].
#include <fmt/format.h>

#include <algorithm>

#include "model/spec_reader.hpp"
#include "model/toml_section.hpp"

namespace greybox {

namespace {

// The column of the input's name, where its file has nothing more to be said of it.
Equation column_named_alike(const Entry& entry) {
  Equation equation;
  equation.text = entry.name;
  equation.text_span = entry.name_span;
  try {
    equation.syntax = parse_equation(entry.name);
  } catch (const EquationError&) {
    equation.syntax = parse_equation("0");  // the name is refused as a name
  }
  return equation;
}

Equation read_equation(TomlDocument& document, const Entry& entry, Section& section) {
  if (entry.value->as_table() == nullptr) return document.equation(entry);
  if (std::optional<Equation> equation = section.equation("equation")) return std::move(*equation);
  if (!section.has("file") && !section.has("equation"))
    section.refuse_key("equation", fmt::format("`equation` is missing in [inputs.{}]", entry.name),
                       fmt::format("add `equation`: {}", table_info("inputs.NAME").find("equation")->about));
  return column_named_alike(entry);
}

void refuse_idle_keys(Section& section, const SignalSpec& signal) {
  for (std::string_view key : {"time", "series"})
    if (section.has(key) && signal.file.empty())
      section.refuse_key(key, fmt::format("`{}` has no effect: the input has no file of its own", key),
                         "add `file`, or remove it");
  if (signal.hold == Hold::bolus && signal.into.empty())
    section.refuse_key("hold", "a bolus acts on a state, and `into` does not say which",
                       "add `into` with the name of a state, such as into = \"central\"");
  if (signal.hold != Hold::bolus && section.has("into"))
    section.refuse_key("into", "`into` has no effect: the input is no bolus",
                       "write hold = \"bolus\" for amounts that the state jumps by, or remove it");
}

SignalSpec read_signal(Section& section) {
  SignalSpec signal{.hold = section.choice<Hold>("hold"),
                    .file = section.text("file"),
                    .file_span = section.value_place("file"),
                    .time = section.text("time"),
                    .series = section.text("series"),
                    .into = section.text("into"),
                    .into_span = section.value_place("into")};
  if (section.has("file") && signal.file.empty())
    section.refuse("file", "the name of the input's file is empty", "write a path");
  signal.delay_seconds = section.duration("delay").value_or(0);
  signal.delay = signal.delay_seconds > 0 ? 0 : section.number("delay");
  signal.delay_span = section.value_place("delay");
  refuse_idle_keys(section, signal);
  return signal;
}

}  // namespace

std::string to_string(Hold hold) {
  return table_info("inputs.NAME").find("hold")->choices[static_cast<std::size_t>(hold)];
}

ReadInputs read_inputs(TomlDocument& document) {
  ReadInputs inputs;
  for (const Entry& entry : free_entries(document, "inputs")) {
    Section section(document, table_info("inputs.NAME"), entry.value->as_table(), entry.name_span,
                    entry.name);
    Equation equation = read_equation(document, entry, section);
    equation.name = entry.name;
    equation.name_span = entry.name_span;
    equation.where = fmt::format("the input `{}`", entry.name);
    inputs.equations.push_back(std::move(equation));
    inputs.signals.push_back(read_signal(section));
  }
  return inputs;
}

}  // namespace greybox
