// UTF-8 decoding and the classes of characters in names.
#include "language/lexer_characters.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace greybox {

namespace {

struct CodeRange {
  char32_t first, last;
};

// Blocks of letters. Coarse on purpose: what matters is that punctuation and mathematical signs stay out.
constexpr std::array letters = std::to_array<CodeRange>({
    {'A', 'Z'},       {'_', '_'},       {'a', 'z'},       {0xAA, 0xAA},       {0xB5, 0xB5},
    {0xBA, 0xBA},     {0xC0, 0xD6},     {0xD8, 0xF6},     {0xF8, 0x2C1},      {0x370, 0x374},
    {0x376, 0x37D},   {0x37F, 0x383},   {0x386, 0x386},   {0x388, 0x481},     {0x48A, 0x559},
    {0x560, 0x588},   {0x5D0, 0x5F2},   {0x620, 0x64A},   {0x671, 0x6D3},     {0x904, 0x939},
    {0xE01, 0xE30},   {0x10A0, 0x10FF}, {0x1E00, 0x1FBC}, {0x2102, 0x2102},   {0x210A, 0x2115},
    {0x2119, 0x211D}, {0x2124, 0x212D}, {0x212F, 0x2139}, {0x3041, 0x3096},   {0x30A1, 0x30FA},
    {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}, {0x1D400, 0x1D7FF}, {0x20000, 0x3134F},
});

constexpr std::array other_name_characters = std::to_array<CodeRange>({
    {'0', '9'},
    {0x300, 0x36F},    // combining accents
    {0x2080, 0x2089},  // subscript digits
    {0x2090, 0x209C},  // subscript letters
});

bool contains(std::span<const CodeRange> ranges, char32_t code) {
  return std::ranges::any_of(ranges, [&](CodeRange r) { return r.first <= code && code <= r.last; });
}

std::size_t length_from_lead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

// Overlong forms, surrogates and codes beyond Unicode are not characters.
bool is_scalar_value(char32_t code, std::size_t n_bytes) {
  constexpr std::array<char32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  return code >= smallest[n_bytes] && code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF);
}

}  // namespace

Character decode_character(std::string_view text, std::size_t position) {
  const auto lead = static_cast<unsigned char>(text[position]);
  const std::size_t n_bytes = length_from_lead(lead);
  if (n_bytes == 0 || position + n_bytes > text.size()) return {};
  if (n_bytes == 1) return {lead, 1};
  char32_t code = lead & (0xFFu >> (n_bytes + 1));
  for (std::size_t i = 1; i < n_bytes; ++i) {
    const auto byte = static_cast<unsigned char>(text[position + i]);
    if ((byte & 0xC0) != 0x80) return {};
    code = code << 6 | (byte & 0x3F);
  }
  if (!is_scalar_value(code, n_bytes)) return {};
  return {code, n_bytes};
}

bool begins_name(char32_t code) {
  return contains(letters, code);
}

bool continues_name(char32_t code) {
  return contains(letters, code) || contains(other_name_characters, code);
}

bool is_identifier(std::string_view text) {
  if (text.empty() || !begins_name(decode_character(text, 0).code)) return false;
  for (std::size_t i = 0; i < text.size();) {
    const Character character = decode_character(text, i);
    if (!continues_name(character.code)) return false;
    i += character.n_bytes;
  }
  return true;
}

}  // namespace greybox
