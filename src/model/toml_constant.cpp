// Constant expressions, in which numbers of a model file may be written.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "model/toml_section.hpp"

namespace greybox {

namespace {

constexpr std::string_view what_is_constant =
    "a constant is made of numbers, pi, + - * / ^, sqrt, exp and log";

double value_of_binary(const Syntax& syntax) {
  const double left = constant_value(*syntax.children[0]);
  const double right = constant_value(*syntax.children[1]);
  if (syntax.text == "+") return left + right;
  if (syntax.text == "-") return left - right;
  if (syntax.text == "*") return left * right;
  if (syntax.text == "/") return left / right;
  if (syntax.text == "^") return std::pow(left, right);
  throw EquationError{syntax.text_range, "a comparison is not a number", std::string(what_is_constant)};
}

double value_of_call(const Syntax& syntax) {
  if (syntax.children.size() == 1) {
    const double argument = constant_value(*syntax.children[0]);
    if (syntax.text == "sqrt") return std::sqrt(argument);
    if (syntax.text == "exp") return std::exp(argument);
    if (syntax.text == "log") return std::log(argument);
  }
  throw EquationError{syntax.range, fmt::format("`{}` cannot be used in a constant like this", syntax.text),
                      std::string(what_is_constant)};
}

}  // namespace

double constant_value(const Syntax& syntax) {
  switch (syntax.kind) {
    case SyntaxKind::number:
      return syntax.number;
    case SyntaxKind::unary:
      return -constant_value(*syntax.children[0]);
    case SyntaxKind::binary:
      return value_of_binary(syntax);
    case SyntaxKind::call:
      return value_of_call(syntax);
    case SyntaxKind::name:
      if (syntax.text == "pi") return std::numbers::pi;
      [[fallthrough]];
    case SyntaxKind::index:
      break;
  }
  throw EquationError{syntax.range,
                      fmt::format("`{}` is not known here: a plain number is needed", syntax.text),
                      std::string(what_is_constant)};
}

}  // namespace greybox
