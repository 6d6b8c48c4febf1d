#include "terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "option_text.hpp"

namespace greybox::apps {
namespace {

constexpr std::size_t kUsualWidth = 80;
// Where less is left for a text, breaking it does not help.
constexpr std::size_t kNarrowProse = 20;

int descriptor_of(Stream stream) {
  return stream == Stream::out ? STDOUT_FILENO : STDERR_FILENO;
}

const char* codes_of(Style style) {
  switch (style) {
    case Style::heading:
      return "1";
    case Style::name:
      return "36";
    case Style::error:
      return "1;31";
    case Style::warning:
      return "1;33";
    case Style::help:
      return "1;36";
    case Style::plain:
      break;
  }
  return "0";
}

bool starts_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

}  // namespace

bool is_terminal(Stream stream) {
  return ::isatty(descriptor_of(stream)) == 1;
}

std::size_t width_of(Stream stream) {
  winsize size{};
  if (::ioctl(descriptor_of(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  const auto given = columns != nullptr ? parse_number<std::size_t>(columns) : std::nullopt;
  return given && *given > 0 ? *given : kUsualWidth;
}

bool has_colours(Stream stream) {
  const char* none = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (none != nullptr && *none != '\0') return false;
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return is_terminal(stream);
}

std::string styled(std::string_view text, Style style, bool has_colours) {
  if (!has_colours || style == Style::plain) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", codes_of(style), text);
}

std::size_t n_characters(std::string_view text) {
  std::size_t n = 0;
  for (char c : text)
    if (starts_character(c)) ++n;
  return n;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    begin = end + 1;
    if (word.empty()) continue;
    if (!line.empty() && n_characters(line) + 1 + n_characters(word) > width) {
      lines.push_back(line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + std::string(word);
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

std::string fitted(std::string_view text, std::size_t indent, std::size_t width) {
  const std::string before(indent, ' ');
  if (indent + n_characters(text) <= width || width < indent + kNarrowProse)
    return fmt::format("{}{}\n", before, text);
  std::string lines;
  for (const std::string& line : wrapped(text, width - indent - 2))
    lines += fmt::format("{}{}{}\n", before, lines.empty() ? "" : "  ", line);
  return lines;
}

std::string prose(std::string_view text, std::size_t indent, Stream stream) {
  return fitted(text, indent, is_terminal(stream) ? width_of(stream) : std::string_view::npos);
}

std::string shortened(std::string_view text, std::size_t n_most) {
  if (n_characters(text) <= n_most) return std::string(text);
  if (n_most == 0) return {};
  std::string kept;
  std::size_t n = 0;
  for (char c : text) {
    if (starts_character(c) && ++n == n_most) break;
    kept += c;
  }
  return kept + "…";
}

}  // namespace greybox::apps
