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
  // In time instead of snapshots, where they are positive: a window has the snapshots up to `duration` after
  // its first.
  double duration = 0;
  double time_stride = 0;
};

struct Window {
  std::uint32_t series = 0;
  std::size_t first_row = 0;
  std::size_t n_rows = 0;
};

// All windows of a table, series by series; series that are too short have none. Throws InputError when no
// window is left.
std::vector<Window> make_windows(const DataTable& table, const WindowOptions& options);

enum class SplitBy { series, window, time };

struct SplitOptions {
  double train = 1;
  double validation = 0;
  double test = 0;
  SplitBy by = SplitBy::series;
  std::vector<std::string> held_out;  // series that go to test whatever the fractions say
  std::uint64_t seed = 0;
  bool shuffle = true;  // false: in the file's order
  double gap = 0;       // by time: what is left out between two parts
  double until = 1;     // by time: the share of each series' rows that is used at all
};

// The split of each window. Fractions are of series or of windows, without those held out; what is left over
// by rounding goes to the largest remainders, with ties in favour of train, then validation. Throws
// InputError when the fractions do not add up to 1, when a part that should have something gets nothing, or
// when a held-out series does not exist.
std::vector<Split> split_windows(const DataTable& table, const std::vector<Window>& windows,
                                 const SplitOptions& options);

// By time the rows of each series are cut in order: the first part trains, the last tests. Leaves out windows
// that reach from one part into the next or beyond `until`, or start within `gap` of the part before; gives
// their number.
std::size_t drop_straddling(const DataTable& table, std::vector<Window>& windows,
                            const SplitOptions& options);

// Pairs of windows in different parts that share more than a border.
std::size_t count_leaks(const std::vector<Window>& windows, const std::vector<Split>& splits);

// What to do with missing values: leave them out of the loss one by one, refuse them, drop the rows that have
// any, or interpolate linearly in time within each series (rows at a series' ends that cannot be interpolated
// are dropped).
enum class Missing { skip, error, drop, interpolate };
// Only `columns` (names) matter; throws InputError under Missing::error, naming file, row and column.
// Missing::skip leaves everything as it is.
void treat_missing(DataTable& table, Missing rule, const std::vector<std::string>& columns);
// Interpolates all columns from `first_column` on, and drops rows at a series' ends that cannot be
// interpolated; gives their number.
std::size_t bridge_missing(DataTable& table, std::size_t first_column);

std::size_t count_missing(const Column& column);
// Whether any point of the row is missing.
bool is_missing(const Column& column, std::size_t row);

}  // namespace greybox
