// Splits an equation into numbers, names and symbols.
#include "language/lexer.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <string>
#include <system_error>

#include "language/lexer_characters.hpp"
#include "language/lexer_mistakes.hpp"

namespace greybox {

namespace {

// Deep trees grow from long equations too (a + a + a + …), so their length is bounded like their nesting.
constexpr std::size_t max_tokens = 4000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    do {
      if (tokens.size() > max_tokens) throw too_long();
      tokens.push_back(next());
    } while (tokens.back().kind != TokenKind::end);
    return tokens;
  }

 private:
  Token next() {
    while (is_space(peek())) ++position_;
    begin_ = position_;
    if (position_ == text_.size()) return make(TokenKind::end);
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
    if (begins_name(here().code)) return name();
    return symbol();
  }

  Token number() {
    skip_digits();
    if (peek() == '.') ++position_;
    skip_digits();
    if (peek() == 'e' || peek() == 'E') skip_exponent();
    if (peek() == '.') throw two_points();
    if (begins_name(here().code)) throw number_before_name();
    Token token = make(TokenKind::number);
    const auto [end, error] =
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), token.number);
    if (error != std::errc{}) throw number_out_of_range(token);
    return token;
  }

  // The `e` of "2e" or "2exp" belongs to a name, not to an exponent without digits.
  void skip_exponent() {
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if (!is_digit(peek(1 + sign))) return;
    position_ += 1 + sign;
    skip_digits();
  }

  Token name() {
    skip_identifier();
    while (peek() == '.') {
      ++position_;
      if (!begins_name(here().code)) throw component_missing();
      skip_identifier();
    }
    return make(TokenKind::name);
  }

  Token symbol() {
    constexpr std::array<std::string_view, 15> symbols = {"<=", ">=", "==", "!=", "+", "-", "*", "/",
                                                          "^",  "<",  ">",  "(",  ")", "[", "]"};
    if (auto mistake = find_mistaken_sign(text_.substr(position_))) throw mistake->at(position_);
    if (peek() == ',') return symbol_of(1);
    for (std::string_view s : symbols)
      if (text_.substr(position_).starts_with(s)) return symbol_of(s.size());
    throw unknown_character(text_, position_);
  }

  Token symbol_of(std::size_t n_bytes) {
    position_ += n_bytes;
    return make(TokenKind::symbol);
  }

  char peek(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  Character here() const {
    return position_ < text_.size() ? decode_character(text_, position_) : Character{};
  }
  TextRange range() const { return {begin_, position_}; }
  std::string_view word() const { return text_.substr(begin_, position_ - begin_); }
  Token make(TokenKind kind) const { return {.kind = kind, .range = range(), .text = word()}; }

  void skip_digits() {
    while (is_digit(peek())) ++position_;
  }
  void skip_identifier() {
    while (position_ < text_.size() && continues_name(here().code)) position_ += here().n_bytes;
  }

  EquationError two_points() {
    const std::size_t point = position_++;
    skip_digits();
    return {{point, point + 1}, fmt::format("`{}` has two decimal points", word()), "leave one of them out"};
  }

  EquationError number_before_name() {
    const std::size_t n_digits = position_ - begin_;
    skip_identifier();
    const std::string_view digits = word().substr(0, n_digits);
    const std::string_view letters = word().substr(n_digits);
    return {range(), fmt::format("`{}` is neither a number nor a name", word()),
            letters == "e" || letters == "E"
                ? fmt::format("write a number with an exponent as `{}e3`", digits)
                : fmt::format("write `{}*{}`", digits, letters)};
  }

  EquationError number_out_of_range(const Token& token) const {
    const bool is_small = std::strtod(std::string(token.text).c_str(), nullptr) < 1;
    return {token.range, fmt::format("the number `{}` is too {}", token.text, is_small ? "small" : "large"),
            "numbers reach from about 1e-308 to 1e308"};
  }

  EquationError component_missing() {
    if (!is_digit(peek()))
      return {range(), fmt::format("a name is missing after `{}`", word()),
              "remove the dot, or name a component as in `theory.angle`"};
    const std::string_view vector = word().substr(0, word().size() - 1);
    const std::size_t digits = position_;
    skip_digits();
    return {range(), "a component of a vector is chosen with brackets",
            fmt::format("write `{}[{}]`", vector, text_.substr(digits, position_ - digits))};
  }

  EquationError too_long() const {
    return {{0, 0},
            fmt::format("the equation is too long: more than {} numbers, names and signs", max_tokens),
            "give parts of it names of their own in [define]"};
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t begin_ = 0;
};

}  // namespace

std::vector<Token> tokenize(std::string_view equation) {
  return Lexer(equation).run();
}

}  // namespace greybox
