#include "data/cell_advice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/mistakes.hpp"
#include "data/number.hpp"

namespace greybox {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Those beyond ASCII too, such as µ and °.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

bool is_number(std::string_view text) {
  return parse_cell(text).kind == CellKind::number;
}

// 1,234,567 with or without decimals.
bool has_groups_of_three(std::string_view text) {
  text = text.substr(0, text.find('.'));
  const std::size_t first = text.find(',');
  if (first == std::string_view::npos || first == 0 || first > 4) return false;
  for (std::size_t at = first; at < text.size(); at += 4) {
    if (text[at] != ',' || text.size() - at < 4) return false;
    if (!std::ranges::all_of(text.substr(at + 1, 3), is_digit)) return false;
  }
  return true;
}

// The number that a longer text begins with; empty for none.
std::string_view leading_number(std::string_view text) {
  if (text.empty() || !(is_digit(text[0]) || text[0] == '-' || text[0] == '.')) return {};
  for (std::size_t n = text.size() - 1; n > 0; --n)
    if (is_digit(text[n - 1]) && is_number(text.substr(0, n))) return text.substr(0, n);
  return {};
}

}  // namespace

std::optional<CellAdvice> advice_for_number(std::string_view text) {
  std::string with_point(text), without_commas(text);
  std::ranges::replace(with_point, ',', '.');
  std::erase(without_commas, ',');
  if (has_groups_of_three(text) && is_number(without_commas))
    return CellAdvice{fmt::format("{} has a comma", in_backquotes(text)),
                      is_number(with_point)
                          ? fmt::format("write {} if it parts thousands, or {} if it is a decimal comma",
                                        without_commas, with_point)
                          : fmt::format("write {}, without separators of thousands", without_commas)};
  if (is_number(with_point))
    return CellAdvice{fmt::format("{} has a decimal comma", in_backquotes(text)),
                      fmt::format("write {}, with a point", in_backquotes(with_point))};
  const std::string_view number = leading_number(text);
  const std::string_view unit = trimmed(text.substr(number.size()));
  const bool is_mistyped = unit == "O" || unit == "o";  // a zero
  const bool is_unit = !unit.empty() && !is_mistyped && (is_letter(unit[0]) || unit[0] == '%') &&
                       std::ranges::none_of(unit, is_digit);
  if (number.empty() || !is_unit) return std::nullopt;
  return CellAdvice{
      fmt::format("{} is a number with a unit", in_backquotes(text)),
      fmt::format("write {} alone, and the unit in the column's name, such as `x [{}]`", number, unit)};
}

std::optional<CellAdvice> advice_for_date(std::string_view text) {
  const auto first = std::ranges::find_if_not(text, is_digit);
  const bool is_date = first != text.begin() && first != text.end() && (*first == '/' || *first == '-') &&
                       std::count(text.begin(), text.end(), *first) == 2 && first - text.begin() <= 2;
  if (!is_date) return std::nullopt;
  return CellAdvice{fmt::format("{} is a date of which nobody knows what is the day and what the month",
                                in_backquotes(text)),
                    "write dates as 2021-03-05 or 05.03.2021, with the time behind: 2021-03-05T12:30"};
}

}  // namespace greybox
