// Cells parsed with std::from_chars, which knows no locale and allocates nothing.
#include "data/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace greybox {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool means_missing(std::string_view text) {
  static constexpr auto kWords =
      std::to_array<std::string_view>({"na", "nan", "null", "-", ".", "n/a", "#n/a", "none", "missing"});
  const auto same = [&](std::string_view word) {
    return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                      [](char a, char b) { return lower(a) == b; });
  };
  return text.empty() || std::any_of(kWords.begin(), kWords.end(), same);
}

bool starts_number(char c) {
  return (c >= '0' && c <= '9') || c == '.' || c == 'i' || c == 'I';
}

}  // namespace

Cell parse_cell(std::string_view text) {
  if (means_missing(text)) return {CellKind::missing, std::numeric_limits<double>::quiet_NaN()};
  // from_chars does not take the plus sign that people write.
  if (text.size() > 1 && text[0] == '+' && starts_number(text[1])) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return {};
  if (error == std::errc::result_out_of_range) return {CellKind::out_of_range, 0};
  if (std::isinf(value)) return {CellKind::infinite, value};
  if (std::isnan(value)) return {};  // `nan(…)` and `-nan`: not among the words for missing
  return {CellKind::number, value};
}

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string shortest(double value) {
  return fmt::format("{}", value);
}

}  // namespace greybox
