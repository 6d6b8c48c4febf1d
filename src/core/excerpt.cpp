// Lays a line out as one-column cells, so that carets stay under the right characters.
#include "core/excerpt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace greybox {
namespace {

constexpr std::size_t kTabWidth = 4;
constexpr std::size_t kMaxWidth = 100;  // cells of the line that are shown
constexpr std::size_t kLeadWidth = 40;  // of which before the span, when the line is cut
constexpr std::string_view kUnprintable = "\uFFFD";

// One printed column: what is printed, and the byte of the line it stems from.
struct Cell {
  std::string_view text;
  std::size_t byte;
};

// The range [begin, end) of cells.
struct CellRange {
  std::size_t begin;
  std::size_t end;
};

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// Bytes of the UTF-8 character at the start of `text`, or 0 when it is malformed.
std::size_t character_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF8 ? 0 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (length == 0 || length > text.size()) return 0;
  return std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length), is_continuation)
             ? length
             : 0;
}

// Control characters (ASCII, and U+0080 … U+009F) could steer the reader's terminal.
bool is_control(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return lead < 0x20 || lead == 0x7F;
  return lead == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

std::vector<Cell> to_cells(std::string_view line) {
  std::vector<Cell> cells;
  for (std::size_t byte = 0; byte < line.size();) {
    const std::size_t length = character_length(line.substr(byte));
    const std::string_view character = line.substr(byte, std::max<std::size_t>(length, 1));
    if (character == "\t") {
      cells.insert(cells.end(), kTabWidth, Cell{" ", byte});
    } else {
      cells.push_back({length == 0 || is_control(character) ? kUnprintable : character, byte});
    }
    byte += character.size();
  }
  return cells;
}

// The cells of bytes [begin, begin + length), at least one; just past the line when the span lies outside it.
CellRange cells_of(const std::vector<Cell>& cells, std::size_t begin, std::size_t length) {
  const auto index_of = [&](std::size_t byte) {
    const auto found =
        std::find_if(cells.begin(), cells.end(), [&](const Cell& cell) { return cell.byte >= byte; });
    return static_cast<std::size_t>(found - cells.begin());
  };
  const std::size_t first = index_of(begin);
  const std::size_t last = begin + length < begin ? cells.size() : index_of(begin + length);
  return {first, std::max(last, first + 1)};
}

// The part of the line that is shown.
CellRange shown_part(std::size_t n_cells, const CellRange& marked) {
  if (n_cells <= kMaxWidth) return {0, n_cells};
  const std::size_t latest = n_cells - kMaxWidth;
  const std::size_t begin = marked.begin <= kLeadWidth ? 0 : std::min(marked.begin - kLeadWidth, latest);
  return {begin, begin + kMaxWidth};
}

std::string text_of(const std::vector<Cell>& cells, const CellRange& shown) {
  std::string text = shown.begin > 0 ? "…" : "";
  for (std::size_t i = shown.begin; i < shown.end; ++i) text += cells[i].text;
  if (shown.end < cells.size()) text += "…";
  return text;
}

std::string carets(const CellRange& marked, const CellRange& shown) {
  const std::size_t indent = marked.begin - shown.begin + (shown.begin > 0 ? 1 : 0);
  const std::size_t end = std::min(marked.end, std::max(shown.end, marked.begin + 1));
  return std::string(indent, ' ') + std::string(end - marked.begin, '^');
}

}  // namespace

std::string excerpt(std::string_view line, const SourceSpan& span) {
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  const std::vector<Cell> cells = to_cells(line);
  const CellRange marked = cells_of(cells, std::max<std::size_t>(span.column, 1) - 1, span.length);
  const CellRange shown = shown_part(cells.size(), marked);

  const std::string number = fmt::format("{}", span.line);
  std::string result = fmt::format("  {} | {}", number, text_of(cells, shown));
  if (span.column > 0) result += fmt::format("\n  {:{}} | {}", "", number.size(), carets(marked, shown));
  return result;
}

}  // namespace greybox
