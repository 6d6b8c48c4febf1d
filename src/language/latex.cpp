// Writes syntax trees as LaTeX, for pages that show mathematics.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "language/operation.hpp"
#include "language/syntax.hpp"

namespace greybox {
namespace {

struct Piece {
  std::string text;
  Bond bond;
};

Piece write(const Syntax& syntax);

std::string at_least(Bond bond, const Syntax& syntax) {
  const Piece piece = write(syntax);
  return piece.bond < bond ? fmt::format("\\left({}\\right)", piece.text) : piece.text;
}

// What stands to the right of a sign: "a + -b" needs brackets too.
std::string right_of_sign(Bond bond, const Syntax& syntax) {
  const std::string text = at_least(bond, syntax);
  return text.starts_with('-') ? fmt::format("\\left({}\\right)", text) : text;
}

constexpr std::array<std::string_view, 29> kGreek = {
    "alpha",  "beta", "gamma", "delta", "epsilon", "zeta",  "eta",   "theta", "iota",    "kappa",
    "lambda", "mu",   "nu",    "xi",    "pi",      "rho",   "sigma", "tau",   "upsilon", "phi",
    "chi",    "psi",  "omega", "Gamma", "Delta",   "Sigma", "Phi",   "Psi",   "Omega"};

std::string escaped(std::string_view text) {
  std::string safe;
  for (char c : text) safe += c == '_' ? std::string("\\_") : std::string(1, c);
  return safe;
}

std::string word(std::string_view name) {
  if (std::find(kGreek.begin(), kGreek.end(), name) != kGreek.end()) return fmt::format("\\{}", name);
  if (name.size() == 1) return std::string(name);
  return fmt::format("\\mathrm{{{}}}", escaped(name));
}

// theory → f_T, theory.angle → f_{T,angle}, conv.u → conv_u.
std::string name_text(std::string_view name) {
  const std::size_t dot = name.find('.');
  const std::string_view head = name.substr(0, dot);
  const std::string part = dot == name.npos ? std::string() : word(name.substr(dot + 1));
  if (head == "theory") return part.empty() ? "f_T" : fmt::format("f_{{T,{}}}", part);
  if (head == "network") return part.empty() ? "f_D" : fmt::format("f_{{D,{}}}", part);
  return part.empty() ? word(head) : fmt::format("{}_{{{}}}", word(head), part);
}

Piece write_number(double number) {
  const std::string text = fmt::format("{}", number);
  const std::size_t exponent = text.find('e');
  if (exponent == text.npos) return {text, Bond::atom};
  const std::string mantissa = text.substr(0, exponent);
  const std::string ten = fmt::format("10^{{{}}}", std::stol(text.substr(exponent + 1)));
  return mantissa == "1" ? Piece{ten, Bond::power} : Piece{mantissa + " \\cdot " + ten, Bond::product};
}

Piece write_power(const Syntax& base, const Syntax& exponent) {
  return {fmt::format("{}^{{{}}}", at_least(Bond::atom, base), write(exponent).text), Bond::power};
}

std::string_view comparison_sign(std::string_view sign) {
  if (sign == "<=") return "\\le";
  if (sign == ">=") return "\\ge";
  if (sign == "!=") return "\\ne";
  return sign == "==" ? "=" : sign;
}

// A dot before a whole word: two of them side by side would read as one phrase.
Piece write_product(const Syntax& left, const Syntax& right) {
  const std::string factor = right_of_sign(Bond::product, right);
  const char* between = factor.starts_with("\\mathrm") ? "\\cdot" : "\\,";
  return {fmt::format("{} {} {}", at_least(Bond::product, left), between, factor), Bond::product};
}

Piece write_binary(const Syntax& syntax) {
  const Syntax& left = *syntax.children[0];
  const Syntax& right = *syntax.children[1];
  const std::string_view sign = syntax.text;
  if (sign == "^") return write_power(left, right);
  if (sign == "*") return write_product(left, right);
  if (sign == "/")
    return {fmt::format("\\frac{{{}}}{{{}}}", write(left).text, write(right).text), Bond::product};
  if (sign == "+") return {at_least(Bond::sum, left) + " + " + right_of_sign(Bond::sum, right), Bond::sum};
  if (sign == "-")
    return {at_least(Bond::sum, left) + " - " + right_of_sign(Bond::product, right), Bond::sum};
  return {
      fmt::format("{} {} {}", at_least(Bond::sum, left), comparison_sign(sign), at_least(Bond::sum, right)),
      Bond::comparison};
}

std::string arguments_of(const Syntax& call) {
  std::string text;
  for (const SyntaxPtr& child : call.children) text += (text.empty() ? "" : ", ") + write(*child).text;
  return text;
}

std::string delimited(std::string_view open, std::string_view inside, std::string_view close) {
  return fmt::format("\\left{} {} \\right{}", open, inside, close);
}

Piece write_call(const Syntax& call) {
  const std::string& function = call.text;
  const std::string inside = arguments_of(call);
  if (function == "mean") return {"\\mathbb{E}" + delimited("[", inside, "]"), Bond::atom};
  if (function == "at_data") return {delimited(".", inside, "|") + "_{\\text{data}}", Bond::atom};
  if (function == "norm2") return {delimited("\\|", inside, "\\|") + "^2", Bond::power};
  if (function == "dot") return {delimited("\\langle", inside, "\\rangle"), Bond::atom};
  if (function == "pow") return write_power(*call.children[0], *call.children[1]);
  const std::optional<Operation> operation = find_function(function);
  const Notation notation = operation ? info(*operation).call.latex : Notation();
  if (notation.is_around() && call.children.size() == 1)
    return {fmt::format("{}{}{}", notation.before, at_least(notation.argument, *call.children[0]),
                        notation.after),
            notation.result};
  const std::string name = notation.name.empty() ? fmt::format("\\operatorname{{{}}}", escaped(function))
                                                 : std::string(notation.name);
  return {name + delimited("(", inside, ")"), Bond::atom};
}

Piece write(const Syntax& syntax) {
  switch (syntax.kind) {
    case SyntaxKind::number:
      return write_number(syntax.number);
    case SyntaxKind::name:
      return {name_text(syntax.text), Bond::atom};
    case SyntaxKind::index:
      return {fmt::format("{{{}}}_{{{}}}", name_text(syntax.text), syntax.index), Bond::atom};
    case SyntaxKind::unary:
      return {fmt::format("-{}", right_of_sign(Bond::product, *syntax.children[0])), Bond::product};
    case SyntaxKind::binary:
      return write_binary(syntax);
    case SyntaxKind::call:
      return write_call(syntax);
  }
  return {};
}

}  // namespace

std::string to_latex(const Syntax& syntax) {
  return write(syntax).text;
}

std::string name_to_latex(std::string_view name) {
  return name_text(name);
}

}  // namespace greybox
