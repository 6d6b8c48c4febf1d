// CSV as text in memory, then written in one go.
#include "data/csv_writer.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <iterator>
#include <string_view>

#include "core/atomic_file.hpp"
#include "data/number.hpp"

namespace greybox {
namespace {

// An empty text is quoted so that a line never looks blank, a `#` so that it never looks like a comment.
bool needs_quotes(std::string_view text) {
  return text.empty() || text.find_first_of(",;\t\"\r\n#") != std::string_view::npos || text != trimmed(text);
}

// A spreadsheet would take the text for a formula.
bool looks_like_formula(std::string_view text) {
  if (text.find_first_of("=+-@") != 0) return false;
  return parse_cell(text).kind == CellKind::text;
}

void append_text(std::string& out, std::string_view text) {
  if (!needs_quotes(text)) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_cell(std::string& out, const CsvColumn& column, std::size_t row, bool is_only) {
  if (const auto* text = std::get_if<1>(&column.values)) {
    const std::string& value = (*text)[row];
    return append_text(out, column.is_shown && looks_like_formula(value) ? "'" + value : value);
  }
  const double value = std::get<0>(column.values)[row];
  if (!std::isnan(value)) {
    fmt::format_to(std::back_inserter(out), "{}", value);
  } else if (is_only) {
    out += "NA";  // an empty line would not count as a row
  }
}

}  // namespace

std::size_t CsvColumn::size() const {
  return std::visit([](const auto& kept) { return kept.size(); }, values);
}

void write_csv(const std::filesystem::path& file, std::span<const CsvColumn> columns) {
  assert(!columns.empty());
  std::string out;
  const auto append_row = [&](const auto& append) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) out += ',';
      append(columns[i]);
    }
    out += '\n';
  };
  append_row([&](const CsvColumn& column) { append_text(out, column.name); });
  for (std::size_t row = 0; row < columns[0].size(); ++row) {
    append_row([&](const CsvColumn& column) {
      assert(column.size() == columns[0].size());
      append_cell(out, column, row, columns.size() == 1);
    });
  }
  write_file_atomically(file, out);
}

}  // namespace greybox
