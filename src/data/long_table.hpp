// Tables with one value per row, made wide.
#pragma once

#include "data/table.hpp"

namespace greybox {

// Rows of the same series and time become one; a variable that has no value there is missing. Columns besides
// those of series, time, variable and value are not read.
DataTable read_long_table(const std::filesystem::path& file, const TableOptions& options);

}  // namespace greybox
