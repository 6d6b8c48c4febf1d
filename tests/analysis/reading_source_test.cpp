// Clouds of many regularizers are made in groups, each regularizer is read from its own.
#include "analysis/verdict/reading_source.hpp"

#include <gtest/gtest.h>

#include "analysis/made_cloud.hpp"

namespace greybox::test {
namespace {

// Regularizer r is lowest at r / 10.
ThetaCloud cloud_of(const CloudRange& range) {
  ThetaCloud cloud = made_cloud(1, 1, [](std::size_t, double, double) { return 0; });
  std::vector<std::vector<double>>& values = cloud.replicates[0].regularizers;
  values.clear();
  for (std::size_t r = range.first; r < range.first + range.n; ++r) {
    values.emplace_back();
    for (std::size_t i = 0; i < cloud.size(); ++i)
      values.back().push_back(std::pow(cloud.at(i, 0) - 0.1 * static_cast<double>(r), 2));
  }
  return cloud;
}

TEST(CloudSource, TakesRegularizersInGroups) {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  CloudSource source(
      [&](const CloudRange& range) {
        ranges.emplace_back(range.first, range.n);
        return cloud_of(range);
      },
      7, 3);
  for (std::size_t r = 0; r < 7; ++r) {
    ASSERT_TRUE(source.has_values(r));
    EXPECT_NEAR(source.read(0).best, 0.1 * static_cast<double>(r), 1e-9) << r;
    EXPECT_NEAR(source.valley().best[0], 0.1 * static_cast<double>(r), 1e-9) << r;
  }
  const std::vector<std::pair<std::size_t, std::size_t>> expected = {{0, 3}, {3, 3}, {6, 1}};
  EXPECT_EQ(ranges, expected);
}

}  // namespace
}  // namespace greybox::test
