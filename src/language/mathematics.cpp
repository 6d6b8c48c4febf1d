// Writes syntax trees the way mathematics is written.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "language/operation.hpp"
#include "language/syntax.hpp"

namespace greybox {

namespace {

using enum Bond;

struct Piece {
  std::string text;
  Bond bond;
};

Piece write(const Syntax& syntax);

std::string bracketed(const std::string& text) {
  return fmt::format("({})", text);
}

std::string at_least(Bond bond, const Syntax& syntax) {
  const Piece piece = write(syntax);
  return piece.bond < bond ? bracketed(piece.text) : piece.text;
}

// The same for what stands to the right of a sign, where "a + −b" needs brackets too.
std::string right_of_sign(Bond bond, const Syntax& syntax) {
  const std::string text = at_least(bond, syntax);
  return text.starts_with("−") ? bracketed(text) : text;
}

std::string with_digits(std::string_view digits, const std::array<std::string_view, 10>& glyphs) {
  std::string text;
  for (char c : digits) text += c == '-' ? std::string_view("⁻") : glyphs[static_cast<std::size_t>(c - '0')];
  return text;
}

std::string superscript(long value) {
  return with_digits(std::to_string(value), {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"});
}

std::string subscript(std::size_t value) {
  return with_digits(std::to_string(value), {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"});
}

// 2.5e-10 becomes 2.5·10⁻¹⁰.
Piece write_number(double number) {
  const std::string text = fmt::format("{}", number);
  const std::size_t exponent = text.find('e');
  if (exponent == text.npos) return {text, atom};
  const std::string mantissa = text.substr(0, exponent);
  const std::string ten = "10" + superscript(std::stol(text.substr(exponent + 1)));
  if (mantissa == "1") return {ten, power};
  return {mantissa + "·" + ten, product};
}

bool is_whole_number(const Syntax& syntax) {
  return syntax.kind == SyntaxKind::number && syntax.number == std::floor(syntax.number) &&
         syntax.number < 1000;
}

Piece write_power(const Syntax& base, const Syntax& exponent) {
  const std::string below = at_least(atom, base);
  if (is_whole_number(exponent)) return {below + superscript(static_cast<long>(exponent.number)), power};
  if (exponent.kind == SyntaxKind::unary && is_whole_number(*exponent.children[0]))
    return {below + superscript(-static_cast<long>(exponent.children[0]->number)), power};
  return {below + "^" + at_least(atom, exponent), power};
}

std::string_view comparison_glyph(std::string_view sign) {
  if (sign == "<=") return "≤";
  if (sign == ">=") return "≥";
  if (sign == "!=") return "≠";
  if (sign == "==") return "=";
  return sign;
}

Piece write_binary(const Syntax& syntax) {
  const Syntax& left = *syntax.children[0];
  const Syntax& right = *syntax.children[1];
  const std::string_view sign = syntax.text;
  if (sign == "^") return write_power(left, right);
  if (sign == "*") return {at_least(product, left) + "·" + right_of_sign(prefix, right), product};
  if (sign == "/") return {at_least(product, left) + "/" + right_of_sign(prefix, right), product};
  if (sign == "+") return {at_least(sum, left) + " + " + right_of_sign(sum, right), sum};
  if (sign == "-") return {at_least(sum, left) + " − " + right_of_sign(product, right), sum};
  return {fmt::format("{} {} {}", at_least(sum, left), comparison_glyph(sign), at_least(sum, right)),
          comparison};
}

Piece write_plain_call(const Syntax& call) {
  std::string text = call.text + "(";
  for (std::size_t i = 0; i < call.children.size(); ++i)
    text += (i > 0 ? ", " : "") + write(*call.children[i]).text;
  return {text + ")", atom};
}

Piece write_call(const Syntax& call) {
  const std::string& function = call.text;
  const auto argument = [&](std::size_t i) -> const Syntax& { return *call.children[i]; };
  if (call.children.size() == 1) {
    if (function == "norm2") return {fmt::format("‖{}‖²", write(argument(0)).text), power};
    const std::optional<Operation> operation = find_function(function);
    const Notation notation = operation ? info(*operation).call.mathematics : Notation();
    if (notation.is_around())
      return {
          fmt::format("{}{}{}", notation.before, at_least(notation.argument, argument(0)), notation.after),
          notation.result};
  }
  if (call.children.size() == 2) {
    if (function == "pow") return write_power(argument(0), argument(1));
    if (function == "dot")
      return {fmt::format("⟨{}, {}⟩", write(argument(0)).text, write(argument(1)).text), atom};
  }
  return write_plain_call(call);
}

Piece write(const Syntax& syntax) {
  switch (syntax.kind) {
    case SyntaxKind::number:
      return write_number(syntax.number);
    case SyntaxKind::name:
      return {syntax.text == "pi" ? "π" : syntax.text, atom};
    case SyntaxKind::index:
      return {syntax.text + subscript(syntax.index), atom};
    case SyntaxKind::unary:
      return {fmt::format("−{}", right_of_sign(product, *syntax.children[0])), product};
    case SyntaxKind::binary:
      return write_binary(syntax);
    case SyntaxKind::call:
      return write_call(syntax);
  }
  return {};
}

}  // namespace

std::string to_mathematics(const Syntax& syntax) {
  return write(syntax).text;
}

}  // namespace greybox
