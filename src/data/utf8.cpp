// UTF-8 checked and written.
#include "data/utf8.hpp"

#include <cstdint>
#include <cstring>

#include "core/refuse.hpp"

namespace greybox {
namespace {

bool is_character(char32_t code_point) {
  return code_point < 0xD800 || (code_point > 0xDFFF && code_point <= 0x10FFFF);
}

// Length of the plain ASCII text at the start, eight bytes at a time: nearly all of a data file.
std::size_t ascii_prefix(std::string_view text) {
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    if ((word & 0x8080808080808080u) != 0) break;
  }
  while (i < text.size() && static_cast<unsigned char>(text[i]) < 0x80) ++i;
  return i;
}

// Length of the valid multi-byte character at the start, or 0.
std::size_t character_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  char32_t code_point = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80) return 0;
    code_point = (code_point << 6) | (byte & 0x3Fu);
  }
  const char32_t smallest = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  return code_point >= smallest && is_character(code_point) ? length : 0;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (text.remove_prefix(ascii_prefix(text)); !text.empty(); text.remove_prefix(ascii_prefix(text))) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool has_control_characters(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F) return true;
    const bool is_second_set =
        byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (is_second_set) return true;
  }
  return false;
}

std::string path_text(const std::filesystem::path& path) {
  std::string text = path.string();
  if (is_utf8(text)) return text;
  for (char& c : text)
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  refuse(text, "the name of this path is not UTF-8, and cannot be written down",
         "rename the file or its folder");
}

bool append_utf8(std::string& text, char32_t code_point) {
  if (!is_character(code_point)) return false;
  const auto continuation = [&](int shift) {
    return static_cast<char>(0x80 | ((code_point >> shift) & 0x3F));
  };
  if (code_point < 0x80) {
    text += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    text += {static_cast<char>(0xC0 | (code_point >> 6)), continuation(0)};
  } else if (code_point < 0x10000) {
    text += {static_cast<char>(0xE0 | (code_point >> 12)), continuation(6), continuation(0)};
  } else {
    text +=
        {static_cast<char>(0xF0 | (code_point >> 18)), continuation(12), continuation(6), continuation(0)};
  }
  return true;
}

}  // namespace greybox
