#include "analysis/theta/resampling.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "data/independent_windows.hpp"

namespace greybox::test {
namespace {

// `n_windows` windows in each series, of four rows each.
WindowData made_windows(std::uint32_t n_series, std::size_t n_windows, std::size_t stride) {
  WindowData data;
  for (std::uint32_t series = 0; series < n_series; ++series)
    for (std::size_t k = 0; k < n_windows; ++k)
      data.windows.push_back({series, 1000 * series + k * stride, 4});
  return data;
}

std::vector<std::size_t> all_of(const WindowData& data) {
  std::vector<std::size_t> windows(data.windows.size());
  std::iota(windows.begin(), windows.end(), std::size_t{0});
  return windows;
}

TEST(Resampling, TakesWindowsThatDoNotOverlapOneByOne) {
  const WindowData data = made_windows(2, 3, 4);
  EXPECT_EQ(independent_units(data.windows, all_of(data)), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Resampling, TakesWholeSeriesWhoseWindowsOverlap) {
  const WindowData data = made_windows(12, 2, 1);
  const std::vector<std::size_t> units = independent_units(data.windows, all_of(data));
  for (std::size_t i = 0; i < units.size(); ++i) EXPECT_EQ(units[i], i / 2);
}

TEST(Resampling, TakesStretchesOfFewSeries) {
  const WindowData data = made_windows(1, 10, 1);
  EXPECT_EQ(independent_units(data.windows, all_of(data)),
            (std::vector<std::size_t>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2}));
}

TEST(Resampling, DrawsAsManyUnitsAsThereAreAndOthersEachTime) {
  const WindowData data = made_windows(40, 2, 1);
  const Resampling result = resample(data, all_of(data), 20, 3);
  double n_missing = 0;
  for (std::size_t set = 0; set < 20; ++set) {
    const std::span<const double> counts = result.set(set);
    ASSERT_EQ(counts.size(), 80U);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0.0), 80);
    for (std::size_t i = 0; i < 80; i += 2) {
      EXPECT_EQ(counts[i], counts[i + 1]);
      n_missing += counts[i] == 0;
    }
  }
  EXPECT_NEAR(n_missing / (20 * 40), 0.363, 0.05);  // (1 - 1/40)^40
  EXPECT_NE(std::vector(result.set(0).begin(), result.set(0).end()),
            std::vector(result.set(1).begin(), result.set(1).end()));
  EXPECT_EQ(resample(data, all_of(data), 20, 3).counts, result.counts);
  EXPECT_NE(resample(data, all_of(data), 20, 4).counts, result.counts);
}

}  // namespace
}  // namespace greybox::test
