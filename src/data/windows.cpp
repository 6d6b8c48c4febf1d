// Windows cut out of series.
#include "data/windows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/mistakes.hpp"

namespace greybox {
namespace {

void check_options(const DataTable& table, const WindowOptions& options) {
  const Place place{table.file, ""};
  if (options.stride == 0)
    place.refuse("windows need a stride of at least 1", "set `stride = 1` in the window");
  if (options.observed == 0)
    place.refuse("a window needs an observed snapshot", "set `observed = 1` in the window");
  if (options.length > 0 && options.observed > options.length) {
    place.refuse(fmt::format("a window of {} snapshots cannot have {} observed ones", options.length,
                             options.observed),
                 "make `observed` at most `length`");
  }
}

[[noreturn]] void refuse_short_series(const DataTable& table, std::size_t needed) {
  std::size_t longest = 0;
  for (const Series& series : table.series) longest = std::max(longest, series.n_rows);
  Place{table.file, ""}.refuse(
      fmt::format("no series is long enough for a window: {} rows are needed, the longest has {}", needed,
                  longest),
      "make the window shorter, or check the column that tells series apart");
}

}  // namespace

std::vector<Window> make_windows(const DataTable& table, const WindowOptions& options) {
  check_options(table, options);
  const std::size_t needed = std::max(options.length, options.observed);
  std::vector<Window> windows;
  for (std::size_t s = 0; s < table.series.size(); ++s) {
    const Series& series = table.series[s];
    if (series.n_rows < needed) continue;
    const std::size_t length = options.length > 0 ? options.length : series.n_rows;
    for (std::size_t i = 0; i <= series.n_rows - length; i += options.stride) {
      windows.push_back({static_cast<std::uint32_t>(s), series.first_row + i, length});
    }
  }
  if (windows.empty()) refuse_short_series(table, needed);
  return windows;
}

}  // namespace greybox
