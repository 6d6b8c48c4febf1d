// Windows: the pieces of series that are samples, and which split each belongs to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/table.hpp"
#include "greybox/selection.hpp"

namespace greybox {

struct WindowOptions {
  std::size_t length = 0;    // snapshots per window; 0 for whole series
  std::size_t observed = 1;  // the first snapshots, which make up x; those after the first are y
  std::size_t stride = 1;
};

struct Window {
  std::uint32_t series = 0;
  std::size_t first_row = 0;
  std::size_t n_rows = 0;
};

// All windows of a table, series by series; series that are too short have none. Throws InputError when no
// window is left.
std::vector<Window> make_windows(const DataTable& table, const WindowOptions& options);

enum class SplitBy { series, window };

struct SplitOptions {
  double train = 1;
  double validation = 0;
  double test = 0;
  SplitBy by = SplitBy::series;
  std::vector<std::string> held_out;  // series that go to test whatever the fractions say
  std::uint64_t seed = 0;
  bool shuffle = true;  // false: in the file's order
};

// The split of each window. Fractions are of series or of windows, without those held out; what is left over
// by rounding goes to the largest remainders, with ties in favour of train, then validation. Throws
// InputError when the fractions do not add up to 1, when a part that should have something gets nothing, or
// when a held-out series does not exist.
std::vector<Split> split_windows(const DataTable& table, const std::vector<Window>& windows,
                                 const SplitOptions& options);

// What to do with missing values: refuse them, drop the rows that have any, or interpolate linearly in time
// within each series (rows at a series' ends that cannot be interpolated are dropped).
enum class Missing { error, drop, interpolate };
// Only `columns` (names) matter; throws InputError under Missing::error, naming file, row and column.
void treat_missing(DataTable& table, Missing rule, const std::vector<std::string>& columns);

}  // namespace greybox
