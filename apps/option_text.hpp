// The text of an option: numbers read from it, and what is said when it cannot be read.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace greybox::apps {

// None unless the whole text is a number.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

// Throws InputError with the flag as its place.
[[noreturn]] void refuse_flag(std::string flag, std::string message, std::string help);

// Parts of the text are given by where they begin and end.
struct OptionText {
  std::string flag, text, help;

  // Throws InputError that points at the part.
  [[noreturn]] void refuse(std::size_t begin, std::size_t end, std::string message) const;

  // Throws likewise when the part is not `what`.
  template <class Number>
  Number number(std::size_t begin, std::size_t end, const std::string& what) const {
    const auto value = parse_number<Number>(std::string_view(text).substr(begin, end - begin));
    if (!value) refuse(begin, end, "this is not " + what);
    return *value;
  }
};

}  // namespace greybox::apps
