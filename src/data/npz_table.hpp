// A table out of an npz archive: a wide one, or arrays with an axis for the series.
#pragma once

#include <filesystem>

#include "data/table.hpp"

namespace greybox {

// Shapes as read_table describes them; throws InputError with file and array.
DataTable read_npz_table(const std::filesystem::path& file, const TableOptions& options);

}  // namespace greybox
