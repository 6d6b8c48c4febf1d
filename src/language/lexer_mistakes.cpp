// The table of mistaken signs.
#include "language/lexer_mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "language/lexer_characters.hpp"

namespace greybox {

namespace {

constexpr std::string_view assignment = "`=` cannot stand inside an equation";
constexpr std::string_view use_minus = "write the minus sign of the keyboard: `-`";
constexpr std::string_view use_times = "write `*`";
constexpr std::string_view use_over = "write `/`";
constexpr std::string_view no_quotes = "remove the quotation mark";
constexpr std::string_view use_space = "replace it by an ordinary space";
constexpr std::string_view use_brackets = "group with `(` and `)`";
constexpr std::string_view no_logic = "there is no `and`, `or`, `not`";
constexpr std::string_view use_min = "comparisons are 1 or 0: write `min(a < b, c < d)` for \"and\"";
constexpr std::string_view use_max = "comparisons are 1 or 0: write `max(a < b, c < d)` for \"or\"";

// Longer signs before those they start with.
constexpr std::array mistaken_signs = std::to_array<MistakenSign>({
    {"**", "`**` is not a power here", "write `^`"},
    {"=<", "", "write `<=`"},
    {"=>", "", "write `>=`"},
    {"<>", "", "write `!=`"},
    {"&&", no_logic, use_min},
    {"&", no_logic, use_min},
    {"||", no_logic, use_max},
    {"|", "", "write `abs(x)` for |x|"},
    {"%", "", "there is no remainder; for per cent write `/100`"},
    {"{", "", use_brackets},
    {"}", "", use_brackets},
    {"\"", "", no_quotes},
    {"'", "", no_quotes},
    {";", "", "separate arguments by `,`; write decimals with a point"},
    {":", "", "write `where(condition, a, b)` for a choice"},
    {"?", "", "write `where(condition, a, b)` for a choice"},
    {"\\", "", "write functions by name, without a backslash"},
    {"#", "", "put comments outside the quotes"},
    {"−", "`−` is a typographic minus", use_minus},
    {"–", "`–` is a dash", use_minus},
    {"—", "`—` is a dash", use_minus},
    {"‐", "`‐` is a hyphen", use_minus},
    {"‑", "`‑` is a hyphen", use_minus},
    {"·", "", use_times},
    {"⋅", "", use_times},
    {"×", "", use_times},
    {"∗", "", use_times},
    {"•", "", use_times},
    {"÷", "", use_over},
    {"∕", "", use_over},
    {"⁄", "", use_over},
    {"≤", "", "write `<=`"},
    {"≥", "", "write `>=`"},
    {"≠", "", "write `!=`"},
    {"⁰", "", "write `^0`"},
    {"¹", "", "write `^1`"},
    {"²", "", "write `^2`"},
    {"³", "", "write `^3`"},
    {"⁴", "", "write `^4`"},
    {"⁻", "", "write `^-1` for a negative power"},
    {"√", "", "write `sqrt(x)`"},
    {"∇", "", "write `laplacian(u)`, `dx(u)` or `dy(u)`"},
    {"∂", "", "write `dx(u)` or `dy(u)`"},
    {"∞", "", "infinity is not a number here"},
    {"“", "", no_quotes},
    {"”", "", no_quotes},
    {"„", "", no_quotes},
    {"‘", "", no_quotes},
    {"’", "", no_quotes},
    {"′", "", "give the quantity a name without a prime"},
    {"（", "", use_brackets},
    {"）", "", use_brackets},
    {"，", "", "write `,`"},
    {"\u00A0", "a no-break space stands here", use_space},
    {"\u2009", "a thin space stands here", use_space},
    {"\u202F", "a narrow no-break space stands here", use_space},
    {"\u200B", "an invisible character (zero-width space) stands here", "delete it"},
});

bool is_printable(char32_t code) {
  return code >= 0x20 && code != 0x7F && !(code >= 0x80 && code < 0xA0);
}

}  // namespace

EquationError MistakenSign::at(std::size_t position) const {
  const TextRange range = {position, position + sign.size()};
  if (!message.empty()) return {range, std::string(message), std::string(help)};
  return {range, fmt::format("equations do not have the sign `{}`", sign), std::string(help)};
}

std::optional<MistakenSign> find_mistaken_sign(std::string_view text) {
  // A single `=` is a mistake only when it is not the start of `==`.
  if (text.starts_with('=') && !text.starts_with("==") && !text.starts_with("=<") && !text.starts_with("=>"))
    return MistakenSign{"=", assignment, "compare with `==`; an equation gives only its right-hand side"};
  if (text.starts_with('!') && !text.starts_with("!="))
    return MistakenSign{"!", no_logic, "comparisons are 1 or 0: write `1 - (a < b)` for \"not\""};
  const auto found =
      std::ranges::find_if(mistaken_signs, [&](const MistakenSign& s) { return text.starts_with(s.sign); });
  if (found == mistaken_signs.end()) return std::nullopt;
  return *found;
}

EquationError unknown_character(std::string_view text, std::size_t position) {
  const Character character = decode_character(text, position);
  const TextRange range = {position, position + character.n_bytes};
  if (character.code == Character::invalid)
    return {range, "the text is not valid UTF-8 here", "save it with the encoding UTF-8"};
  if (!is_printable(character.code))
    return {
        range,
        fmt::format("an invisible control character (code {}) stands here", std::uint32_t{character.code}),
        "delete it"};
  return {range, fmt::format("equations do not have the sign `{}`", text.substr(position, character.n_bytes)),
          "the signs are + - * / ^ ( ) [ ] , and the comparisons < <= > >= == !="};
}

}  // namespace greybox
