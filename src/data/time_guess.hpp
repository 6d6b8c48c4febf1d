// Which column of a text table is the time, where none has a usual name.
#pragma once

#include <filesystem>
#include <string>

#include "data/table.hpp"

namespace greybox {

// The first one that only rises, except where it begins anew, as `h` of several experiments. Empty: there is
// none, or one has a usual name.
std::string guessed_time_column(const std::filesystem::path& file, const TableOptions& options);

}  // namespace greybox
