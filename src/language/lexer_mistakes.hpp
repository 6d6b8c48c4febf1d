// Signs that equations do not have but people write: what to write instead.
#pragma once

#include <optional>
#include <string_view>

#include "language/syntax.hpp"

namespace greybox {

struct MistakenSign {
  std::string_view sign;
  std::string_view message;  // empty: "`sign` is not a sign of the equation language"
  std::string_view help;
  EquationError at(std::size_t position) const;
};

// The mistaken sign that `text` starts with, if it does with one.
std::optional<MistakenSign> find_mistaken_sign(std::string_view text);

// For characters of which nothing better can be said.
EquationError unknown_character(std::string_view text, std::size_t position);

}  // namespace greybox
