// Whether a text table has one value per row, where nobody said.
#pragma once

#include <filesystem>

#include "data/table.hpp"

namespace greybox {

// Sets `variable_column` and `value_column` where one column of words and one of numbers have names that say
// so, such as `parameter` and `result`.
void guess_long_format(const std::filesystem::path& file, TableOptions& options);

}  // namespace greybox
