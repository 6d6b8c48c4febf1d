// Splits in the order of time, leaks between splits, and windows measured in time.
#include <algorithm>

#include "data/made_table.hpp"
#include "data/scratch_folder.hpp"
#include "data/windows.hpp"

namespace greybox {
namespace {

using test::made_table;

SplitOptions by_time(double gap = 0) {
  return {.train = 0.6, .validation = 0.2, .test = 0.2, .by = SplitBy::time, .held_out = {}, .gap = gap};
}

TEST(SplitsByTime, KeepThePartsOfASeriesInOrder) {
  const DataTable table = made_table({20, 20});
  std::vector<Window> windows = make_windows(table, {.length = 3});
  const std::size_t n_all = windows.size();
  const std::size_t n_dropped = drop_straddling(table, windows, by_time());
  EXPECT_EQ(n_dropped, n_all - windows.size());
  const std::vector<Split> splits = split_windows(table, windows, by_time());
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const std::size_t first = windows[i].first_row - table.series[windows[i].series].first_row;
    const std::size_t last = first + windows[i].n_rows - 1;
    const auto part = [](std::size_t row) {
      return row < 12 ? Split::train : row < 16 ? Split::validation : Split::test;
    };
    EXPECT_EQ(splits[i], part(first));
    EXPECT_EQ(part(first), part(last));
  }
  EXPECT_EQ(count_leaks(windows, splits), 0U);
  EXPECT_EQ(windows.size(), 2 * (10U + 2U + 2U));
}

TEST(SplitsByTime, LeaveOutWhatComesAfterTheShareThatIsUsed) {
  const DataTable table = made_table({20, 10});
  SplitOptions options = {.train = 0.5, .validation = 0, .test = 0.5, .by = SplitBy::time, .held_out = {}};
  options.until = 0.6;
  std::vector<Window> windows = make_windows(table, {.length = 2});
  drop_straddling(table, windows, options);
  const std::vector<Split> splits = split_windows(table, windows, options);
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const Series& series = table.series[windows[i].series];
    const std::size_t first = windows[i].first_row - series.first_row, n_used = series.n_rows * 6 / 10;
    EXPECT_LT(first + 1, n_used);
    EXPECT_EQ(splits[i], first < n_used / 2 ? Split::train : Split::test);
  }
  EXPECT_EQ(windows.size(), 2 * 5 + 2 * 2U);
}

TEST(SplitsByTime, LeaveAGap) {
  const DataTable table = made_table({40});
  std::vector<Window> windows = make_windows(table, {.length = 3});
  drop_straddling(table, windows, by_time(4));
  const std::vector<Split> splits = split_windows(table, windows, by_time(4));
  std::size_t first = 100;
  for (std::size_t i = 0; i < windows.size(); ++i)
    if (splits[i] == Split::validation) first = std::min(first, windows[i].first_row);
  EXPECT_EQ(first, 23 + 4U);  // training ends with row 23
}

TEST(SplitsByTime, RefuseWindowsThatFitIntoNoPart) {
  const DataTable table = made_table({20});
  std::vector<Window> windows = make_windows(table, {.length = 6});
  drop_straddling(table, windows, by_time());
  test::expect_refused([&] { split_windows(table, windows, by_time()); }, "made.csv", "",
                       "no window for validation");
}

TEST(SplitsByWindow, LeakWhereWindowsOverlap) {
  const DataTable table = made_table({50});
  const SplitOptions options = {
      .train = 0.5, .validation = 0.25, .test = 0.25, .by = SplitBy::window, .held_out = {}};
  const std::vector<Window> overlapping = make_windows(table, {.length = 5});
  EXPECT_GT(count_leaks(overlapping, split_windows(table, overlapping, options)), 0U);
  const std::vector<Window> apart = make_windows(table, {.length = 5, .stride = 4});
  EXPECT_EQ(count_leaks(apart, split_windows(table, apart, options)), 0U);
}

TEST(WindowsInTime, HaveTheSnapshotsOfTheirDuration) {
  DataTable table = made_table({8});
  table.time = {0, 1, 2, 5, 6, 7, 8, 20};
  const std::vector<Window> windows = make_windows(table, {.duration = 3, .time_stride = 4});
  std::vector<std::size_t> firsts, lengths;
  for (const Window& window : windows) {
    firsts.push_back(window.first_row);
    lengths.push_back(window.n_rows);
  }
  EXPECT_EQ(firsts, (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(lengths, (std::vector<std::size_t>{3, 4}));
  test::expect_refused([&] { make_windows(table, {.duration = 30}); }, "made.csv", "", "no window lasts 30");
}

}  // namespace
}  // namespace greybox
