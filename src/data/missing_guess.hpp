// What the words of a text table are, where nobody said: codes of missing values, or remarks.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/table.hpp"

namespace greybox {

struct WordGuess {
  // In columns that have numbers in a fifth of their other cells or more, such as `BLQ` or `***`; without
  // those that are known or given.
  std::vector<std::string> missing_words;
  // Without any number, such as remarks; without those of times and series.
  std::vector<std::string> columns_of_words;
  // All others.
  std::vector<std::string> columns_of_numbers;
};

// Empty for files that are no text tables.
WordGuess guess_words(const std::filesystem::path& file, const TableOptions& options);

// Columns of a text table that its reader left out, because they hold words that nothing reads. Reads the
// header again.
std::vector<std::string> columns_left_out(const DataTable& table, const TableOptions& options);

}  // namespace greybox
