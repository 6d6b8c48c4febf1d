// Splits: shares, rounding, leakage between series, held-out series, determinism.
#include <algorithm>
#include <map>
#include <numeric>

#include "data/made_table.hpp"
#include "data/scratch_folder.hpp"
#include "data/windows.hpp"

namespace greybox {
namespace {

using test::made_table;
using Counts = std::vector<std::size_t>;

Counts count(const std::vector<Split>& splits) {
  Counts counts(3, 0);
  for (const Split split : splits) ++counts[static_cast<std::size_t>(split)];
  return counts;
}

Counts counts_by_window(std::size_t n, double train, double validation, double test) {
  const DataTable table = made_table({n});
  const auto windows = make_windows(table, {.length = 1});
  return count(split_windows(
      table, windows,
      {.train = train, .validation = validation, .test = test, .by = SplitBy::window, .held_out = {}}));
}

TEST(Splits, HaveTheSharesAskedFor) {
  EXPECT_EQ(counts_by_window(10, 0.4, 0.3, 0.3), (Counts{4, 3, 3}));
  EXPECT_EQ(counts_by_window(120, 1.0 / 3, 1.0 / 3, 1.0 / 3), (Counts{40, 40, 40}));
  EXPECT_EQ(counts_by_window(1000, 0.9, 0.05, 0.05), (Counts{900, 50, 50}));
  EXPECT_EQ(counts_by_window(7, 1, 0, 0), (Counts{7, 0, 0}));
}

TEST(Splits, RoundInFavourOfTrainThenValidation) {
  EXPECT_EQ(counts_by_window(4, 1.0 / 3, 1.0 / 3, 1.0 / 3), (Counts{2, 1, 1}));
  EXPECT_EQ(counts_by_window(5, 1.0 / 3, 1.0 / 3, 1.0 / 3), (Counts{2, 2, 1}));
  EXPECT_EQ(counts_by_window(3, 0.5, 0.5, 0), (Counts{2, 1, 0}));
  EXPECT_EQ(counts_by_window(3, 0.4, 0.3, 0.3), (Counts{1, 1, 1}));
}

TEST(Splits, AlwaysAddUp) {
  for (std::size_t n = 3; n < 200; ++n) {
    const Counts counts = counts_by_window(n, 0.37, 0.315, 0.315);
    EXPECT_EQ(counts[0] + counts[1] + counts[2], n);
    EXPECT_NEAR(static_cast<double>(counts[0]), 0.37 * static_cast<double>(n), 1);
    EXPECT_NEAR(static_cast<double>(counts[2]), 0.315 * static_cast<double>(n), 1);
  }
}

TEST(Splits, BySeriesKeepASeriesTogether) {
  const DataTable table = made_table(std::vector<std::size_t>(100, 20));
  const auto windows = make_windows(table, {.length = 11});
  const auto splits = split_windows(
      table, windows, {.train = 0.4, .validation = 0.3, .test = 0.3, .by = SplitBy::series, .held_out = {}});
  EXPECT_EQ(count(splits), (Counts{400, 300, 300}));
  std::map<std::uint32_t, Split> of_series;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    EXPECT_EQ(of_series.emplace(windows[i].series, splits[i]).first->second, splits[i]);
  }
}

TEST(Splits, SeriesWithoutWindowsTakeNoPart) {
  const DataTable table = made_table({1, 5, 1, 5});
  const auto windows = make_windows(table, {.length = 5});
  EXPECT_EQ(count(split_windows(table, windows, {.train = 0.5, .test = 0.5, .held_out = {}})),
            (Counts{1, 0, 1}));
}

TEST(Splits, DependOnTheSeedAlone) {
  const DataTable table = made_table(std::vector<std::size_t>(50, 1));
  const auto windows = make_windows(table, {.length = 1});
  const auto split = [&](std::uint64_t seed, bool shuffle) {
    return split_windows(table, windows,
                         {.train = 0.5, .test = 0.5, .held_out = {}, .seed = seed, .shuffle = shuffle});
  };
  EXPECT_EQ(split(1, true), split(1, true));
  EXPECT_NE(split(1, true), split(2, true));
  const auto ordered = split(1, false);
  EXPECT_TRUE(std::is_sorted(ordered.begin(), ordered.end()));
}

TEST(Splits, HoldOutSeriesForTest) {
  const DataTable table = made_table(std::vector<std::size_t>(10, 30));
  const auto windows = make_windows(table, {.length = 11});
  const auto splits = split_windows(
      table, windows, {.train = 0.9, .validation = 0.1, .test = 0, .by = SplitBy::window, .held_out = {"7"}});
  EXPECT_EQ(count(splits), (Counts{162, 18, 20}));
  for (std::size_t i = 0; i < windows.size(); ++i)
    EXPECT_EQ(splits[i] == Split::test, windows[i].series == 7);
}

TEST(Splits, RefuseWhatCannotBeSplit) {
  const DataTable table = made_table({3, 3});
  const auto windows = make_windows(table, {.length = 3});
  const auto expect = [&](const SplitOptions& options, const std::string& message) {
    test::expect_refused([&] { split_windows(table, windows, options); }, "made.csv", "", message);
  };
  expect({.train = 0.5, .validation = 0.3, .test = 0.3, .held_out = {}}, "do not make up 1");
  expect({.train = 1.5, .validation = -0.5, .held_out = {}}, "do not make up 1");
  expect({.train = 0.4, .validation = 0.3, .test = 0.3, .held_out = {}},
         "leaves nothing for test: 0.3 of 2 series");
  expect({.train = 1, .held_out = {"seven"}}, "no series `seven`");
}

}  // namespace
}  // namespace greybox
