// Equations parsed into trees, refused with exact ranges, and written as mathematics.
#include "language/syntax.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "language/lexer_characters.hpp"

namespace greybox {
namespace {

// The tree as text in prefix form: (+ a (* 2 b)).
std::string shape(const Syntax& syntax) {
  std::string text = syntax.text;
  if (syntax.kind == SyntaxKind::index) text += fmt::format("[{}]", syntax.index);
  if (syntax.kind == SyntaxKind::call) text += "()";
  if (syntax.children.empty()) return text;
  for (const SyntaxPtr& child : syntax.children) text += fmt::format(" {}", shape(*child));
  return fmt::format("({})", text);
}

std::string shape_of(std::string_view equation) {
  return shape(*parse_equation(equation));
}

EquationError error_of(std::string_view equation) {
  try {
    parse_equation(equation);
  } catch (const EquationError& error) {
    return error;
  }
  ADD_FAILURE() << equation << " was accepted";
  return {};
}

std::string marked(std::string_view equation) {
  const TextRange range = error_of(equation).range;
  return std::string(equation.substr(range.begin, range.end - range.begin));
}

TEST(Syntax, PrecedenceAndDirection) {
  EXPECT_EQ(shape_of("a + b * c"), "(+ a (* b c))");
  EXPECT_EQ(shape_of("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(shape_of("a / b * c"), "(* (/ a b) c)");
  EXPECT_EQ(shape_of("a ^ b ^ c"), "(^ a (^ b c))");
  EXPECT_EQ(shape_of("-a^2"), "(- (^ a 2))");
  EXPECT_EQ(shape_of("2^-1"), "(^ 2 (- 1))");
  EXPECT_EQ(shape_of("-a * b"), "(* (- a) b)");
  EXPECT_EQ(shape_of("+a"), "a");
  EXPECT_EQ(shape_of("a + b < c * d"), "(< (+ a b) (* c d))");
  EXPECT_EQ(shape_of("(a + b) * c"), "(* (+ a b) c)");
}

TEST(Syntax, EveryComparison) {
  for (const std::string sign : {"<", "<=", ">", ">=", "==", "!="})
    EXPECT_EQ(shape_of(fmt::format("a{}b", sign)), fmt::format("({} a b)", sign));
}

TEST(Syntax, NamesCallsAndIndices) {
  EXPECT_EQ(shape_of("theory.angle"), "theory.angle");
  EXPECT_EQ(shape_of("enc.z[3] + θ_1 + α₂"), "(+ (+ enc.z[3] θ_1) α₂)");
  EXPECT_EQ(shape_of("where(a < 1, f(), g(x, y))"), "(where() (< a 1) f() (g() x y))");
  EXPECT_EQ(shape_of("pow (a, 2)"), "(pow() a 2)");
}

TEST(Syntax, Numbers) {
  const std::vector<std::pair<std::string, double>> numbers = {
      {"1", 1},       {"1.5", 1.5},      {".5", 0.5},  {"1.", 1},
      {"1e-3", 1e-3}, {"2.5E+4", 2.5e4}, {"0.1", 0.1}, {"1e308", 1e308}};
  for (const auto& [text, value] : numbers) EXPECT_EQ(parse_equation(text)->number, value) << text;
}

TEST(Syntax, RangesCoverWhatTheyName) {
  const auto sum = parse_equation("a + sin( b )*z[2]");
  EXPECT_EQ(sum->range.begin, 0u);
  EXPECT_EQ(sum->range.end, 17u);
  const Syntax& product = *sum->children[1];
  EXPECT_EQ(product.range.begin, 4u);
  EXPECT_EQ(product.children[0]->range.end, 12u);
  EXPECT_EQ(product.children[0]->text_range.end, 7u);
  EXPECT_EQ(product.children[1]->range.begin, 13u);
  EXPECT_EQ(parse_equation(" (a + b) ")->range.begin, 1u);
}

TEST(Syntax, ErrorsMarkTheMistake) {
  EXPECT_EQ(marked("2x + 1"), "2x");
  EXPECT_EQ(marked("a ** 2"), "**");
  EXPECT_EQ(marked("a = b"), "=");
  EXPECT_EQ(marked("α − β"), "−");
  EXPECT_EQ(marked("a < b < c"), "<");
  EXPECT_EQ(error_of("a < b < c").range.begin, 6u);
  EXPECT_EQ(marked("f(a, b"), "(");
  EXPECT_EQ(marked("a + b)"), ")");
  EXPECT_EQ(marked("a * "), "*");
  EXPECT_EQ(marked("1e999"), "1e999");
  EXPECT_EQ(marked("a b"), "b");
  EXPECT_EQ(marked("z[1.5]"), "1.5");
  EXPECT_EQ(marked("z[99999999999]"), "99999999999");
  EXPECT_EQ(marked("a + \xff"), "\xff");
}

TEST(Syntax, ErrorsSayHowToMend) {
  EXPECT_EQ(error_of("2x").help, "write `2*x`");
  EXPECT_EQ(error_of("a**2").help, "write `^`");
  EXPECT_EQ(error_of("sin x").help, "write `sin(x)`");
  EXPECT_EQ(error_of("z.3").help, "write `z[3]`");
  EXPECT_EQ(error_of("0.5e400").message, "the number `0.5e400` is too large");
}

TEST(Syntax, DepthAndLengthAreBounded) {
  const auto nested = [](std::size_t n) { return std::string(n, '(') + "a" + std::string(n, ')'); };
  EXPECT_NO_THROW(parse_equation(nested(199)));
  EXPECT_THROW(parse_equation(nested(200)), EquationError);
  EXPECT_THROW(parse_equation(nested(1'000'000)), EquationError);
  EXPECT_THROW(parse_equation(std::string(1'000'000, '-') + "a"), EquationError);
  std::string sum = "a";
  for (int i = 0; i < 1'000'000; ++i) sum += "+a";
  EXPECT_THROW(parse_equation(sum), EquationError);
  EXPECT_NO_THROW(parse_equation(sum.substr(0, 3999)));
}

TEST(Mathematics, ReadsAsWrittenByHand) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"1.5 * g * sin(angle)", "1.5·g·sin(angle)"},
      {"x^2 + y^-1 + z^10", "x² + y⁻¹ + z¹⁰"},
      {"sqrt(x) + sqrt(a + b)", "√x + √(a + b)"},
      {"a * laplacian(u) + dx(u)", "a·∇²u + ∂u/∂x"},
      {"-a * b - (c - d)", "−a·b − (c − d)"},
      {"a - (-b) + c * (-d)", "a − (−b) + c·(−d)"},
      {"a / (b * c) * (d / e)", "a/(b·c)·(d/e)"},
      {"(a + b) * c ^ (d + 1)", "(a + b)·c^(d + 1)"},
      {"(-a)^2 + (a^b)^c + sqrt(a)^2", "(−a)² + (a^b)^c + (√a)²"},
      {"mean(norm2(network)) + abs(mean(dot(theory, network)))",
       "mean(‖network‖²) + |mean(⟨theory, network⟩)|"},
      {"2.5e-10 * pi + 1e-20", "2.5·10⁻¹⁰·π + 10⁻²⁰"},
      {"enc.z[12] <= pow(a, 2)", "enc.z₁₂ ≤ a²"},
      {"where(a != 1, f(x, y), 0)", "where(a ≠ 1, f(x, y), 0)"},
      {"a + (b < c)", "a + (b < c)"},
  };
  for (const auto& [equation, mathematics] : cases)
    EXPECT_EQ(to_mathematics(*parse_equation(equation)), mathematics) << equation;
}

TEST(Characters, InvalidUtf8IsNoCharacter) {
  for (const std::string bytes : {"\x80", "\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82"})
    EXPECT_EQ(decode_character(bytes, 0).code, Character::invalid);
  EXPECT_EQ(decode_character("€", 0).code, U'€');
  EXPECT_EQ(decode_character("𝛼", 0).n_bytes, 4u);
}

TEST(Characters, Identifiers) {
  for (const std::string name : {"a", "_a1", "θ", "ẋ", "α₂", "größe", "θ̂"})
    EXPECT_TRUE(is_identifier(name)) << name;
  for (const std::string name : {"", "1a", "a-b", "a.b", "a b", "x²", "−", "a\xff", "₂", "🙂"})
    EXPECT_FALSE(is_identifier(name)) << name;
}

}  // namespace
}  // namespace greybox
