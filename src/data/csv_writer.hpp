// Tables of numbers and text written as CSV.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <variant>

namespace greybox {

// A named column of numbers (NaN is written as an empty cell) or of text; the memory stays the caller's.
struct CsvColumn {
  std::string name;
  std::variant<std::span<const double>, std::span<const std::string>> values;
  // Text that a spreadsheet would take for a formula gets an apostrophe before it; false where it must read
  // back as the same text.
  bool is_shown = true;

  std::size_t size() const;
};

// All columns have the same length. Numbers have the fewest digits that read back as the same number. Throws
// std::runtime_error with the system's reason when the file cannot be written; a good one is then left as it
// was.
void write_csv(const std::filesystem::path& file, std::span<const CsvColumn> columns);

}  // namespace greybox
