// A table out of an npz archive: a wide one, or arrays with an axis for the series.
#pragma once

#include <filesystem>

#include "data/npz_axes.hpp"
#include "data/table.hpp"

namespace greybox {

// Shapes as read_table describes them; throws InputError with file and array.
// Arrays of coordinates `x` and `y` are no variables. Where such an array, the time and all other arrays, as
// (steps × width), are of one run, its fields get the axis of the series that they lack.
DataTable read_npz_table(const std::filesystem::path& file, const TableOptions& options);

// Of the points of its fields; empty for a file that says nothing of them, and for one of another kind.
std::vector<GridAxis> read_npz_axes(const std::filesystem::path& file, const TableOptions& options);

}  // namespace greybox
