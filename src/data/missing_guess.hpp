// Which words of a text table stand for missing values, where nobody said.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/table.hpp"

namespace greybox {

// Words in columns that have numbers in a fifth of their other cells or more, such as `BLQ` or `***`; without
// those that are known or given. Empty for files that are no text tables.
std::vector<std::string> guessed_missing_words(const std::filesystem::path& file,
                                               const TableOptions& options);

}  // namespace greybox
