// Which column of a text table tells trajectories apart, where nobody said.
#pragma once

#include <filesystem>
#include <string>

#include "data/table.hpp"

namespace greybox {

// The one column that changes exactly where the time starts again, of several the one of words; where the
// time never does, the one column of words that each stand in consecutive rows. Empty where there is none, or
// several, or where the file has no time or is no text table.
std::string guessed_series_column(const std::filesystem::path& file, const TableOptions& options);

}  // namespace greybox
