// Equations as text and as syntax trees, before any name has a meaning.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace greybox {

// A piece of the equation's text: [begin, end) in bytes.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// A mistake in an equation; the reader of the model file adds file, line and column.
struct EquationError {
  TextRange range;
  std::string message;
  std::string help;
};

enum class SyntaxKind { number, name, index, unary, binary, call };

// One node of a syntax tree. Immutable once parsed.
struct Syntax {
  SyntaxKind kind;
  TextRange range;
  double number = 0;      // number
  std::string text;       // name ("theory.angle"), operator ("+", "<="), or function of a call
  TextRange text_range;   // where `text` stands
  std::size_t index = 0;  // index: the number between the brackets of `z[3]`, which count from 0
  std::vector<std::unique_ptr<Syntax>> children;
};
using SyntaxPtr = std::unique_ptr<Syntax>;

// Parses one equation; throws EquationError. Precedence, lowest first: comparison, + -, * /, unary -, ^ (to
// the right, so -a^2 = -(a^2) and 2^-1 works). Nesting deeper than 200 and equations of more than 4000
// numbers, names and signs are refused rather than overflowing the stack.
SyntaxPtr parse_equation(std::string_view text);

// The equation as a person would write it, e.g. for `greybox check`: "1.5·g·sin(angle)", x², √x, ∇²u.
std::string to_mathematics(const Syntax& syntax);

// The same as LaTeX, where `theory` and `network` are f_T and f_D.
std::string to_latex(const Syntax& syntax);
std::string name_to_latex(std::string_view name);

}  // namespace greybox
