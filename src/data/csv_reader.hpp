// Comma-, semicolon- or tab-separated text as records of fields.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "data/line_reader.hpp"

namespace greybox {

// One row; the fields have no blanks and no quotes around them and are valid until the next record is read.
struct CsvRecord {
  std::size_t line = 0;  // where it starts, counted from 1
  std::vector<std::string_view> fields;
};

// Skips blank lines and lines that start with `#`. The separator is the one that the first record has most
// of.
class CsvReader {
 public:
  explicit CsvReader(const std::filesystem::path& file) : lines_(file) {}

  bool next(CsvRecord& record);  // false after the last one

  char separator() const { return separators_.front(); }
  std::size_t bytes_given() const { return lines_.bytes_given(); }
  std::string digest() { return lines_.digest(); }

 private:
  bool is_skipped(std::string_view line) const;
  std::string_view whole_record(std::string_view line);
  void choose_separator(std::string_view record);
  void split(std::string_view record, CsvRecord& into) const;
  void split_quoted(std::string_view record, CsvRecord& into);
  std::string_view take_quoted(std::string_view& rest);
  [[noreturn]] void refuse_open_quote() const;
  [[noreturn]] void refuse(std::string message, std::string help) const;

  LineReader lines_;
  std::string separators_ = ",;\t";  // the candidates until the first record has been seen
  std::string unescaped_;            // fields that had doubled quotes
};

}  // namespace greybox
