// A wide text table: a header with names, then one line per row.
#pragma once

#include <filesystem>

#include "data/table.hpp"

namespace greybox {

// `time` and `series` columns are optional; every other column is a variable. Throws InputError.
DataTable read_csv_table(const std::filesystem::path& file, const TableOptions& options);

}  // namespace greybox
