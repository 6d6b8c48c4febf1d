// Tables written so that read_table gives them back.
#pragma once

#include <filesystem>

#include "data/table.hpp"

namespace greybox {

// As CSV, or as npz when the name ends so: fields need npz, which needs series of equal length and names them
// by their index. `roles` names the columns of series and time, which are then always written. Throws
// std::runtime_error when it cannot be written.
void write_table(const std::filesystem::path& file, const DataTable& table, const TableOptions& roles = {});

}  // namespace greybox
