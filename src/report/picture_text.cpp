#include "report/picture_text.hpp"

#include <array>
#include <cstddef>

namespace greybox {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Of a number that begins here, or of its power of ten.
bool is_minus(const std::string& text, std::size_t place) {
  // Between two terms of a formula.
  const bool is_between =
      place > 0 && place + 1 < text.size() && text[place - 1] == ' ' && text[place + 1] == ' ';
  if (text[place] == '-' && is_between) return true;
  const bool has_number = place + 1 < text.size() && (is_digit(text[place + 1]) || text[place + 1] == '.');
  if (text[place] != '-' || !has_number) return false;
  if (place == 0) return true;
  const char before = text[place - 1];
  const bool is_power = before == 'e' && place > 1 && is_digit(text[place - 2]);
  return is_power || before == ' ' || before == '(' || before == '[' || before == '=' || before == ',';
}

}  // namespace

std::string with_minus_signs(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_minus(text, i))
      result += "−";
    else
      result += text[i];
  }
  return result;
}

std::string sentence_text(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string unit_text(const std::string& unit) {
  constexpr std::array kRaised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string result;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    std::size_t end = i + 1;
    if (unit[i] == '^' && end < unit.size() && unit[end] == '-') ++end;
    const bool is_power = unit[i] == '^' && end < unit.size() && is_digit(unit[end]);
    if (!is_power) {
      result += unit[i];
      continue;
    }
    if (unit[i + 1] == '-') result += "⁻";
    for (; end < unit.size() && is_digit(unit[end]); ++end)
      result += kRaised[static_cast<std::size_t>(unit[end] - '0')];
    i = end - 1;
  }
  return result;
}

std::string xml_text(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      result += c;
  }
  return result;
}

}  // namespace greybox
