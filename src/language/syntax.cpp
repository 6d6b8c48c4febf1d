// Parses equations by recursive descent, one function per level of precedence.
#include "language/syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "language/lexer.hpp"
#include "language/operation.hpp"

namespace greybox {

namespace {

constexpr std::size_t max_depth = 200;
constexpr double max_index = 1e6;

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(tokenize(text)) {}

  SyntaxPtr equation() {
    if (token().kind == TokenKind::end)
      throw EquationError{
          {0, token().range.end}, "the equation is empty", "write an expression, for instance `0`"};
    SyntaxPtr whole = comparison();
    if (token().kind != TokenKind::end) throw left_over();
    return whole;
  }

 private:
  static constexpr std::array<std::string_view, 6> comparisons = {"<", "<=", ">", ">=", "==", "!="};
  static constexpr std::array<std::string_view, 2> sums = {"+", "-"};
  static constexpr std::array<std::string_view, 2> products = {"*", "/"};

  SyntaxPtr comparison() {
    SyntaxPtr left = sum();
    if (!at_one_of(comparisons)) return left;
    left = binary(std::move(left), [this] { return sum(); });
    if (at_one_of(comparisons))
      throw EquationError{token().range, "comparisons cannot be chained",
                          "write `min(a < b, b < c)` for a < b < c: comparisons are 1 or 0"};
    return left;
  }

  SyntaxPtr sum() {
    return left_to_right(sums, [this] { return product(); });
  }
  SyntaxPtr product() {
    return left_to_right(products, [this] { return unary(); });
  }

  template <class Operand>
  SyntaxPtr left_to_right(std::span<const std::string_view> operators, Operand operand) {
    SyntaxPtr left = operand();
    while (at_one_of(operators)) left = binary(std::move(left), operand);
    return left;
  }

  SyntaxPtr unary() {
    const Nesting nesting(*this);
    if (!at("-") && !at("+")) return power();
    const Token sign = take();
    SyntaxPtr operand = unary();
    if (sign.text == "+") return operand;
    auto node = make(SyntaxKind::unary, {sign.range.begin, operand->range.end}, sign);
    node->children.push_back(std::move(operand));
    return node;
  }

  SyntaxPtr power() {
    SyntaxPtr base = operand();
    if (!at("^")) return base;
    return binary(std::move(base), [this] { return unary(); });
  }

  SyntaxPtr operand() {
    switch (token().kind) {
      case TokenKind::number:
        return number();
      case TokenKind::name:
        return name();
      default:
        break;
    }
    if (!at("(")) throw operand_missing();
    return bracket();
  }

  SyntaxPtr number() {
    auto node = make(SyntaxKind::number, token().range, token());
    node->number = take().number;
    return node;
  }

  SyntaxPtr name() {
    const Token word = take();
    if (at("(")) return call(word);
    if (at("[")) return index(word);
    return make(SyntaxKind::name, word.range, word);
  }

  // Brackets leave no node: the tree says it all. The range still covers them, so that carets do.
  SyntaxPtr bracket() {
    const Token open = take();
    SyntaxPtr inside = comparison();
    inside->range = {open.range.begin, close(open, ")")};
    return inside;
  }

  SyntaxPtr call(const Token& function) {
    auto node = make(SyntaxKind::call, function.range, function);
    const Token open = take();
    if (!at(")")) {
      node->children.push_back(comparison());
      while (at(",")) {
        take();
        node->children.push_back(comparison());
      }
    }
    node->range.end = close(open, ")");
    return node;
  }

  SyntaxPtr index(const Token& vector) {
    auto node = make(SyntaxKind::index, vector.range, vector);
    const Token open = take();
    const Token value = token();
    if (value.kind != TokenKind::number || value.number != std::floor(value.number) ||
        value.number > max_index)
      throw EquationError{value.kind == TokenKind::end ? open.range : value.range,
                          fmt::format("the index of `{}` must be a whole number from 0", vector.text),
                          fmt::format("write for instance `{}[0]` for its first component", vector.text)};
    node->index = static_cast<std::size_t>(take().number);
    node->range.end = close(open, "]");
    return node;
  }

  template <class Operand>
  SyntaxPtr binary(SyntaxPtr left, Operand operand) {
    const Token sign = take();
    SyntaxPtr right = operand();
    auto node = make(SyntaxKind::binary, {left->range.begin, right->range.end}, sign);
    node->children.push_back(std::move(left));
    node->children.push_back(std::move(right));
    return node;
  }

  static SyntaxPtr make(SyntaxKind kind, TextRange range, const Token& word) {
    auto node = std::make_unique<Syntax>();
    node->kind = kind;
    node->range = range;
    node->text = word.text;
    node->text_range = word.range;
    return node;
  }

  const Token& token() const { return tokens_[position_]; }
  Token take() { return tokens_[position_++]; }
  bool at(std::string_view symbol) const {
    return token().kind == TokenKind::symbol && token().text == symbol;
  }
  bool at_one_of(std::span<const std::string_view> symbols) const {
    return std::ranges::any_of(symbols, [this](std::string_view s) { return at(s); });
  }

  // Takes the closing bracket and gives its end.
  std::size_t close(const Token& open, std::string_view bracket) {
    if (at(bracket)) return take().range.end;
    if (token().kind != TokenKind::end && bracket == ")") throw left_over();
    throw EquationError{open.range, fmt::format("this `{}` is never closed", open.text),
                        fmt::format("add the missing `{}`", bracket)};
  }

  EquationError left_over() const;
  EquationError operand_missing() const;

  // Counts how deep the parser is; every way down passes through `unary`.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > max_depth)
        throw EquationError{parser_.token().range,
                            fmt::format("brackets and signs are nested more than {} deep", max_depth),
                            "give parts of the equation names of their own in [define]"};
    }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  std::size_t depth_ = 0;
};

// Something stands where an operator or the end should.
EquationError Parser::left_over() const {
  const Token& here = token();
  if (at(")") || at("]"))
    return {here.range, fmt::format("this `{}` closes nothing", here.text),
            "remove it, or open a bracket before"};
  if (at(","))
    return {here.range, "a `,` can only stand between the arguments of a function",
            "write decimals with a point"};
  if (at("[")) return {here.range, "only a name can have an index", "write it as in `z[3]`"};
  const Token& before = tokens_[position_ - 1];
  if (before.kind == TokenKind::name && find_function(before.text))
    return {here.range, fmt::format("the function `{}` needs brackets around its argument", before.text),
            fmt::format("write `{}({})`", before.text, here.text)};
  return {here.range, fmt::format("an operator is missing before `{}`", here.text),
          fmt::format("to multiply, write `{}*{}`", before.kind == TokenKind::symbol ? "(…)" : before.text,
                      here.kind == TokenKind::symbol ? "(…)" : here.text)};
}

EquationError Parser::operand_missing() const {
  const bool is_first = position_ == 0;
  const Token& neighbour = tokens_[is_first ? 0 : position_ - 1];
  return {neighbour.range,
          fmt::format("something is missing {} `{}`", is_first ? "before" : "after", neighbour.text),
          "write a number, a name or a bracket there"};
}

}  // namespace

SyntaxPtr parse_equation(std::string_view text) {
  return Parser(text).equation();
}

}  // namespace greybox
