// Mistakes in a data file, as diagnostics.
#include "data/mistakes.hpp"

#include <fmt/format.h>

#include <utility>

namespace greybox {
namespace {

constexpr std::size_t kLongestExcerpt = 60;
constexpr std::size_t kMostShown = 10;

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// At most kLongestExcerpt bytes, never half a UTF-8 character.
std::string_view shortened(std::string_view text) {
  if (text.size() <= kLongestExcerpt) return text;
  std::size_t end = kLongestExcerpt;
  while (end > 0 && is_continuation(text[end])) --end;
  return text.substr(0, end);
}

}  // namespace

std::string in_backquotes(std::string_view text) {
  const std::string_view shown = shortened(text);
  std::string result = "`";
  for (const char c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result + (shown.size() < text.size() ? "…`" : "`");
}

Diagnostic Place::diagnostic(std::string message, std::string help) const {
  return {.file = file,
          .span = {},
          .element = element,
          .message = std::move(message),
          .line = {},
          .help = std::move(help)};
}

void Place::refuse(std::string message, std::string help) const {
  throw InputError(diagnostic(std::move(message), std::move(help)));
}

void Mistakes::add(const Place& place, std::string message, std::string help) {
  found_.push_back(place.diagnostic(std::move(message), std::move(help)));
  if (found_.size() == kMostShown) throw InputError(found_);
}

void Mistakes::throw_if_any() const {
  if (!found_.empty()) throw InputError(found_);
}

}  // namespace greybox
