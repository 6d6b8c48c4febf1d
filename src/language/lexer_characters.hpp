// Characters of equations: UTF-8 decoding, and which characters may stand in a name.
#pragma once

#include <cstddef>
#include <string_view>

namespace greybox {

// One character of a UTF-8 text. A byte that starts no valid character counts as one invalid character.
struct Character {
  static constexpr char32_t invalid = 0xFFFFFFFF;
  char32_t code = invalid;
  std::size_t n_bytes = 1;
};
Character decode_character(std::string_view text, std::size_t position);

bool begins_name(char32_t code);            // letters of any script, underscore
bool continues_name(char32_t code);         // those, digits, subscripts, combining accents
bool is_identifier(std::string_view text);  // a whole name without dots

}  // namespace greybox
