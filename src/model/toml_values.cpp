// Typed values of a section.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/date.hpp"
#include "data/utf8.hpp"
#include "language/lexer_characters.hpp"
#include "model/toml_section.hpp"

namespace greybox {

namespace {

constexpr double max_count = 9007199254740992;  // whole numbers up to here are exact

double default_number(const KeyInfo& info) {
  if (info.fallback.empty()) return std::numeric_limits<double>::quiet_NaN();
  return constant_value(*parse_equation(info.fallback));
}

}  // namespace

void Section::report_type(const Entry& entry, std::string_view wanted, std::string help) {
  document_->mistakes().add(
      entry.value_span, fmt::format("`{}` must be {}, and is {}", entry.name, wanted, describe(*entry.value)),
      std::move(help));
}

// Texts and names are printed as they are: none may steer the terminal.
const std::string& Section::printable(const Entry& entry, const std::string& text) {
  if (has_control_characters(text))
    document_->mistakes().add(entry.value_span, fmt::format("`{}` has control characters", entry.name),
                              "remove the escapes such as \\u001B from the text");
  return text;
}

std::string Section::text(std::string_view key) {
  const Entry* entry = find(key);
  if (entry == nullptr) return std::string(info_of(key).fallback);
  if (const auto* text = entry->value->as_string()) return printable(*entry, text->get());
  report_type(*entry, "text", fmt::format("write it in quotes: {} = \"…\"", key));
  return std::string(info_of(key).fallback);
}

std::optional<double> Section::constant_in(const Entry& entry) {
  if (const auto* integer = entry.value->as_integer()) return static_cast<double>(integer->get());
  if (const auto* real = entry.value->as_floating_point()) return real->get();
  const auto* text = entry.value->as_string();
  if (text == nullptr) {
    report_type(entry, "a number", "write a number, or a constant expression in quotes such as \"pi/2\"");
    return std::nullopt;
  }
  const Equation equation = document_->unnamed_equation(entry, text->get());
  if (equation.syntax == nullptr) return std::nullopt;
  try {
    return constant_value(*equation.syntax);
  } catch (const EquationError& error) {
    document_->mistakes().add(equation, error);
    return std::nullopt;
  }
}

std::optional<double> Section::number_in(const Entry& entry, const KeyInfo& info) {
  const auto value = constant_in(entry);
  if (!value || contains(info.range, *value)) return value;
  const bool is_infinite = *value == std::numeric_limits<double>::infinity();
  const std::string_view wanted = is_infinite ? "finite" : describe(info.range);
  document_->mistakes().add(entry.value_span,
                            fmt::format("`{}` must be {}, and is {}", entry.name, wanted, *value),
                            fmt::format("`{}`: {}", info.name, info.about));
  return std::nullopt;
}

std::optional<double> Section::whole_number_in(const Entry& entry, const KeyInfo& info) {
  const auto value = number_in(entry, info);
  if (!value || (*value == std::floor(*value) && *value <= max_count)) return value;
  const std::string wanted =
      *value > max_count ? fmt::format("{:.0f} at most", max_count) : std::string("a whole number");
  document_->mistakes().add(entry.value_span,
                            fmt::format("`{}` must be {}, and is {}", entry.name, wanted, *value),
                            fmt::format("`{}`: {}", info.name, info.about));
  return std::nullopt;
}

double Section::number(std::string_view key) {
  const KeyInfo& info = info_of(key);
  const Entry* entry = find(key);
  return (entry != nullptr ? number_in(*entry, info) : std::nullopt).value_or(default_number(info));
}

std::size_t Section::count(std::string_view key) {
  const KeyInfo& info = info_of(key);
  const Entry* entry = find(key);
  const auto value = entry != nullptr ? whole_number_in(*entry, info) : std::nullopt;
  if (!value && info.fallback.empty()) return 1;
  return static_cast<std::size_t>(value.value_or(default_number(info)));
}

std::pair<double, double> Section::pair(std::string_view key) {
  const KeyInfo& info = info_of(key);
  const Entry* entry = find(key);
  const double fallback = default_number(info);
  if (entry == nullptr) return {fallback, fallback};
  const toml::array* array = entry->value->as_array();
  if (array == nullptr) {
    const double value = number_in(*entry, info).value_or(fallback);
    return {value, value};
  }
  if (array->size() != 2) {
    refuse(key, fmt::format("`{}` must be a number or a list of two, and has {}", key, array->size()),
           fmt::format("`{}`: {}", key, info.about));
    return {fallback, fallback};
  }
  return {number_in(document_->element(*entry, 0), info).value_or(fallback),
          number_in(document_->element(*entry, 1), info).value_or(fallback)};
}

bool Section::flag(std::string_view key) {
  const bool fallback = info_of(key).fallback == "true";
  const Entry* entry = find(key);
  if (entry == nullptr) return fallback;
  if (const auto* value = entry->value->as_boolean()) return value->get();
  report_type(*entry, "true or false", "write true or false, without quotes");
  return fallback;
}

std::size_t Section::choice_index(std::string_view key) {
  const KeyInfo& info = info_of(key);
  const std::string chosen = text(key);
  const auto found = std::ranges::find(info.choices, chosen);
  if (found != info.choices.end()) return static_cast<std::size_t>(found - info.choices.begin());
  const Entry* entry = find(key);
  if (entry != nullptr && entry->value->is_string()) {
    const std::string list = fmt::format("it is one of {}", fmt::join(info.choices, ", "));
    const std::string near = document_->mistakes().suggest(chosen, info.choices, "");
    refuse(key, fmt::format("`{}` cannot be `{}`", key, chosen), near.empty() ? list : near + " " + list);
  }
  const auto fallback = std::ranges::find(info.choices, info.fallback);
  return fallback == info.choices.end() ? 0 : static_cast<std::size_t>(fallback - info.choices.begin());
}

std::vector<Entry> Section::list(std::string_view key) {
  const Entry* entry = find(key);
  if (entry == nullptr) return {};
  const toml::array* array = entry->value->as_array();
  if (array == nullptr) {
    report_type(*entry, "a list", fmt::format("write it in brackets: {} = [ … ]", key));
    return {};
  }
  std::vector<Entry> elements;
  for (std::size_t i = 0; i < array->size(); ++i) elements.push_back(document_->element(*entry, i));
  return elements;
}

std::vector<std::size_t> Section::counts(std::string_view key) {
  std::vector<std::size_t> values;
  for (const Entry& element : list(key))
    if (const auto value = whole_number_in(element, info_of(key)))
      values.push_back(static_cast<std::size_t>(*value));
  return values;
}

std::vector<double> Section::numbers(std::string_view key) {
  std::vector<double> values;
  for (const Entry& element : list(key))
    if (const auto value = number_in(element, info_of(key))) values.push_back(*value);
  return values;
}

std::vector<std::string> Section::names(std::string_view key) {
  std::vector<std::string> values;
  for (const Entry& element : list(key)) {
    if (const auto* text = element.value->as_string())
      values.push_back(printable(element, text->get()));
    else if (const auto* number = element.value->as_integer())  // series are often numbered
      values.push_back(std::to_string(number->get()));
    else
      report_type(element, "a list of texts", "write each name in quotes");
  }
  return values;
}

std::vector<std::string> Section::text_or_names(std::string_view key) {
  if (is_list(key)) return names(key);
  const std::string one = text(key);
  return one.empty() ? std::vector<std::string>{} : std::vector<std::string>{one};
}

std::optional<double> Section::duration(std::string_view key) {
  const Entry* entry = find(key);
  const auto* text = entry != nullptr ? entry->value->as_string() : nullptr;
  if (text == nullptr) return std::nullopt;
  const std::string& written = text->get();
  const std::size_t blank = written.find(' ');
  const bool has_unit = blank != std::string::npos && is_identifier(written.substr(blank + 1)) &&
                        parse_duration(written.substr(0, blank), "seconds");
  const auto seconds = parse_duration(written, "seconds");
  if (!has_unit && !(seconds && is_identifier(written.substr(written.size() - 1)))) return std::nullopt;
  if (seconds && *seconds > 0) return seconds;
  refuse(key,
         seconds ? fmt::format("`{}` must be longer than 0, and is `{}`", key, written)
                 : fmt::format("`{}` is no unit of time", written.substr(blank + 1)),
         fmt::format("write a duration such as \"30 days\"; units are {}", fmt::join(time_units(), ", ")));
  return 1;
}

std::optional<Equation> Section::equation(std::string_view key) {
  const Entry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  return document_->equation(*entry);
}

}  // namespace greybox
