// Equations as a row of tokens.
#pragma once

#include <string_view>
#include <vector>

#include "language/syntax.hpp"

namespace greybox {

enum class TokenKind { number, name, symbol, end };

struct Token {
  TokenKind kind = TokenKind::end;
  TextRange range;
  std::string_view text;  // into the equation; the words "end of the equation" are not in it
  double number = 0;
};

// All tokens of an equation, the last of kind `end`; throws EquationError.
std::vector<Token> tokenize(std::string_view equation);

}  // namespace greybox
