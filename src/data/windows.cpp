// Windows cut out of series.
#include "data/windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

// Times are compared with some slack: 0.1 + 0.2 is not less than 0.3.
constexpr double kTimeSlack = 1e-9;

// Windows of one series by time; rows need not be evenly spaced.
class TimedWindows {
 public:
  TimedWindows(const DataTable& table, const WindowOptions& options, std::uint32_t series)
      : time_(table.time), options_(options), series_(series) {
    row_ = table.series[series].first_row;
    end_ = row_ + table.series[series].n_rows;
  }

  void add_to(std::vector<Window>& windows) {
    while (row_ < end_ && reaches_end_of_window()) {
      const std::size_t n = first_row_after(time_[row_] + options_.duration) - row_;
      if (n >= std::max<std::size_t>(options_.observed, 2)) windows.push_back({series_, row_, n});
      row_ = options_.time_stride > 0 ? first_row_from(time_[row_] + options_.time_stride)
                                      : row_ + options_.stride;
    }
  }

 private:
  double slack() const { return kTimeSlack * std::max(options_.duration, options_.time_stride); }
  bool reaches_end_of_window() const { return time_[end_ - 1] >= time_[row_] + options_.duration - slack(); }
  std::size_t first_row_from(double time) const {
    std::size_t row = row_ + 1;
    while (row < end_ && time_[row] < time - slack()) ++row;
    return row;
  }
  std::size_t first_row_after(double time) const {
    std::size_t row = row_ + 1;
    while (row < end_ && time_[row] <= time + slack()) ++row;
    return row;
  }

  const std::vector<double>& time_;
  const WindowOptions& options_;
  std::uint32_t series_;
  std::size_t row_ = 0, end_ = 0;
};

std::vector<Window> make_timed_windows(const DataTable& table, const WindowOptions& options) {
  std::vector<Window> windows;
  for (std::size_t s = 0; s < table.series.size(); ++s)
    TimedWindows(table, options, static_cast<std::uint32_t>(s)).add_to(windows);
  if (!windows.empty()) return windows;
  double longest = 0;
  for (const Series& series : table.series)
    longest =
        std::max(longest, table.time[series.first_row + series.n_rows - 1] - table.time[series.first_row]);
  Place{table.file, ""}.refuse(
      fmt::format("no window lasts {:g}{}{}: the longest series lasts {:g}", options.duration,
                  table.time_unit.empty() ? "" : " ", table.time_unit, longest),
      "make the window shorter, or check the time column and its unit");
}

// Rows from one window's start to the next, at the least.
std::size_t rows_at_time(const DataTable& table, const Series& series, std::size_t row, double time) {
  const auto end = table.time.begin() + static_cast<std::ptrdiff_t>(series.first_row + series.n_rows);
  const auto from = table.time.begin() + static_cast<std::ptrdiff_t>(row + 1);
  return static_cast<std::size_t>(std::lower_bound(from, end, time - kTimeSlack * std::abs(time)) -
                                  table.time.begin());
}

}  // namespace

std::vector<Window> make_windows(const DataTable& table, const WindowOptions& options) {
  check_options(table, options);
  if (options.duration > 0) return make_timed_windows(table, options);
  const std::size_t needed = std::max(options.length, options.observed);
  std::vector<Window> windows;
  for (std::size_t s = 0; s < table.series.size(); ++s) {
    const Series& series = table.series[s];
    if (series.n_rows < needed) continue;
    const std::size_t length = options.length > 0 ? options.length : series.n_rows;
    for (std::size_t i = 0; i <= series.n_rows - length;) {
      const std::size_t row = series.first_row + i;
      windows.push_back({static_cast<std::uint32_t>(s), row, length});
      i = options.time_stride > 0
              ? rows_at_time(table, series, row, table.time[row] + options.time_stride) - series.first_row
              : i + options.stride;
    }
  }
  if (windows.empty()) refuse_short_series(table, needed);
  return windows;
}

}  // namespace greybox
