// Parses TOML and finds the place of every key and value.
#include "model/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "language/lexer_characters.hpp"

namespace greybox {

namespace {

std::vector<std::size_t> find_line_begins(std::string_view text) {
  std::vector<std::size_t> begins = {0};
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') begins.push_back(i + 1);
  return begins;
}

// Quotes at the start of a value: one, or three and perhaps a line end that is not part of the text.
std::size_t opening_length(std::string_view value) {
  if (!value.starts_with("\"\"\"") && !value.starts_with("'''")) return 1;
  if (value.substr(3).starts_with("\r\n")) return 5;
  return value.substr(3).starts_with('\n') ? 4 : 3;
}

}  // namespace

TomlDocument::TomlDocument(std::shared_ptr<const SourceFile> source)
    : source_(std::move(source)), line_begins_(find_line_begins(source_->text)), mistakes_(source_) {
  try {
    root_ = toml::parse(std::string_view(source_->text));
  } catch (const toml::parse_error& error) {
    throw InputError(explain(*source_, span_of(error.source()), error.description()));
  }
}

// toml++ counts columns in characters, we in bytes.
std::size_t TomlDocument::offset_of(const toml::source_position& position) const {
  if (position.line == 0 || position.line > line_begins_.size()) return source_->text.size();
  std::size_t offset = line_begins_[position.line - 1];
  for (std::size_t i = 1; i < position.column && offset < source_->text.size(); ++i)
    offset += decode_character(source_->text, offset).n_bytes;
  return offset;
}

SourceSpan TomlDocument::span_of(const toml::source_region& region) const {
  if (region.begin.line == 0 || region.begin.line > line_begins_.size()) return {};
  const std::size_t line_begin = line_begins_[region.begin.line - 1];
  const std::size_t line_end = std::min(source_->text.find('\n', line_begin), source_->text.size());
  const std::size_t begin = offset_of(region.begin);
  const std::size_t end = region.end.line == region.begin.line ? offset_of(region.end) : line_end;
  return {
      .line = region.begin.line, .column = begin - line_begin + 1, .length = end > begin ? end - begin : 0};
}

std::vector<Entry> TomlDocument::entries(const toml::table& table) const {
  std::vector<Entry> found;
  for (const auto& [key, value] : table)
    found.push_back({std::string(key.str()), span_of(key.source()), &value, span_of(value.source())});
  std::ranges::sort(found, {},
                    [](const Entry& e) { return std::tuple(e.name_span.line, e.name_span.column); });
  return found;
}

Entry TomlDocument::element(const Entry& array, std::size_t i) const {
  const toml::node& value = (*array.value->as_array())[i];
  return {array.name, array.name_span, &value, span_of(value.source())};
}

Equation TomlDocument::located_text(const Entry& entry, const std::string& text) const {
  Equation equation{
      .name = {}, .name_span = {}, .text = text, .text_span = entry.value_span, .syntax = nullptr};
  const std::size_t begin = offset_of(entry.value->source().begin);
  const std::string_view value =
      std::string_view(source_->text).substr(std::min(begin, source_->text.size()));
  const std::size_t opening = opening_length(value);
  equation.is_literal = value.size() >= opening && value.substr(opening).starts_with(text);
  if (!equation.is_literal) return equation;
  const bool starts_on_next_line = value.substr(0, opening).ends_with('\n');
  equation.text_span.line += starts_on_next_line ? 1 : 0;
  equation.text_span.column = starts_on_next_line ? 1 : equation.text_span.column + opening;
  equation.text_span.length = std::min(text.find('\n'), text.size());
  return equation;
}

Equation TomlDocument::unnamed_equation(const Entry& entry, const std::string& text) {
  Equation equation = located_text(entry, text);
  try {
    equation.syntax = parse_equation(text);
  } catch (const EquationError& error) {
    mistakes_.add(equation, error);
  }
  return equation;
}

Equation TomlDocument::equation(const Entry& entry) {
  Equation equation;
  if (const auto* text = entry.value->as_string()) {
    equation = unnamed_equation(entry, text->get());
  } else {
    mistakes_.add(entry.value_span,
                  fmt::format("`{}` must be an equation, and is {}", entry.name, describe(*entry.value)),
                  entry.value->is_number() ? "put the number in quotes"
                                           : fmt::format("write it in quotes: {} = \"…\"", entry.name));
  }
  equation.name = entry.name;
  equation.name_span = entry.name_span;
  return equation;
}

std::string_view describe(const toml::node& value) {
  switch (value.type()) {
    case toml::node_type::string:
      return "text";
    case toml::node_type::integer:
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "a true/false value";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::table:
      return "a table";
    default:
      return "a date or time";
  }
}

}  // namespace greybox
