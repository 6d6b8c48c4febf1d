// Arrays of an npz file that are the coordinates of fields' points.
#pragma once

#include <string>
#include <vector>

#include "data/npz.hpp"
#include "data/table.hpp"

namespace greybox {

// The points along one axis, evenly spaced.
struct GridAxis {
  std::string name;
  bool is_y = false;
  std::size_t n_points = 0;
  double first = 0, spacing = 1;
};

// Takes them out of `entries`. A file with such an array, with `time`, and with arrays of these two sizes has
// one run: its fields get the axis of the series that they lack, and that of the steps in its place. Throws
// InputError for points that are not evenly spaced.
std::vector<GridAxis> take_grid_axes(std::vector<NpzEntry>& entries, const NpzEntry* time,
                                     const TableOptions& options, const std::string& file);

}  // namespace greybox
