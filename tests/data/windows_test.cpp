// Windows: where they start, how many there are, and what is refused.
#include "data/windows.hpp"

#include "data/made_table.hpp"
#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

using test::made_table;

TEST(Windows, SlideWithinEachSeries) {
  const auto windows = make_windows(made_table({5, 2, 3}), {.length = 3, .observed = 1, .stride = 2});
  ASSERT_EQ(windows.size(), 3u);
  EXPECT_EQ(windows[0].first_row, 0u);
  EXPECT_EQ(windows[1].first_row, 2u);
  EXPECT_EQ(windows[2].first_row, 7u);
  EXPECT_EQ(windows[2].series, 2u);
  for (const Window& window : windows) EXPECT_EQ(window.n_rows, 3u);
}

TEST(Windows, NeverCrossASeries) {
  for (std::size_t length = 1; length <= 9; ++length) {
    for (std::size_t stride = 1; stride <= 9; ++stride) {
      const DataTable table = made_table({9, 1, 7, 8});
      std::size_t expected = 0;
      for (const Series& series : table.series)
        expected += series.n_rows < length ? 0 : (series.n_rows - length) / stride + 1;
      const auto windows = make_windows(table, {.length = length, .observed = 1, .stride = stride});
      EXPECT_EQ(windows.size(), expected);
      for (const Window& window : windows) {
        const Series& series = table.series[window.series];
        EXPECT_GE(window.first_row, series.first_row);
        EXPECT_LE(window.first_row + window.n_rows, series.first_row + series.n_rows);
      }
    }
  }
}

TEST(Windows, AreWholeSeriesWithoutALength) {
  const auto windows = make_windows(made_table({5, 2, 3}), {.length = 0, .observed = 3, .stride = 1});
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_EQ(windows[0].n_rows, 5u);
  EXPECT_EQ(windows[1].n_rows, 3u);
}

TEST(Windows, RefuseWhatCannotBeCut) {
  const DataTable table = made_table({5, 2});
  const auto expect = [&](const WindowOptions& options, const std::string& message) {
    test::expect_refused([&] { make_windows(table, options); }, "made.csv", "", message);
  };
  expect({.length = 6, .observed = 1, .stride = 1}, "6 rows are needed, the longest has 5");
  expect({.length = 3, .observed = 4, .stride = 1}, "cannot have 4 observed");
  expect({.length = 3, .observed = 0, .stride = 1}, "needs an observed");
  expect({.length = 3, .observed = 1, .stride = 0}, "stride");
  expect({.length = 0, .observed = 6, .stride = 1}, "6 rows are needed");
}

}  // namespace
}  // namespace greybox
