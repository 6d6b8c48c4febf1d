// Valleys, ranges and what is found in comparisons.
#include "analysis/reproduce/reproduce_panels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace greybox {
namespace {

// Low along a = 1, for every b.
LandscapeGrid valley_along_b() {
  LandscapeGrid landscape;
  landscape.axes = {{"a", "", "", {0, 1, 2}}, {"b", "", "", {10, 20, 30, 40}}};
  landscape.maps = {{.name = "R",
                     .expression = "…",
                     .values = {5, 5, 5, 5, 0.1, 0.1, 0.1, 9, 5, 5, 5, 5},
                     .minima = {{.theta = {1, 10}, .value = 0.1}}}};
  landscape.rmse = {1, std::numeric_limits<double>::quiet_NaN(), 3, 2, 2, 2, 2, 2, 2, 2, 2, 2};
  landscape.nrmse = landscape.rmse;
  landscape.is_poor.assign(12, 0);
  return landscape;
}

TEST(ReproducePanels, MeasureAValley) {
  const LandscapeGrid landscape = valley_along_b();
  EXPECT_EQ(valley(landscape, "R", 0, 0.05), (std::pair<double, double>{1, 1}));
  EXPECT_EQ(valley(landscape, "R", 1, 0.05), (std::pair<double, double>{10, 30}));
  EXPECT_TRUE(std::isnan(valley(landscape, "R", 1, 0.001).first));
}

TEST(ReproducePanels, CarryWhatIsDrawn) {
  const LandscapeGrid landscape = valley_along_b();
  EXPECT_EQ(panel_of(landscape, "R").map.values, landscape.maps[0].values);
  EXPECT_NE(panel_of(landscape, "R").caption.find("lowest 0.1 at (1, 10)"), std::string::npos);
  EXPECT_EQ(nrmse_panel(landscape).map.values[0], 100);
  EXPECT_EQ(range_of(landscape.rmse), (std::pair<double, double>{1, 3}));
  EXPECT_THROW(panel_of(landscape, "normD"), std::out_of_range);
}

}  // namespace
}  // namespace greybox
