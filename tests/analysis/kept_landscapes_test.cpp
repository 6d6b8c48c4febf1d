// Landscapes kept in files come back as they were.
#include "analysis/run/kept_landscapes.hpp"

#include <cmath>
#include <limits>

#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

using KeptLandscapes = test::ScratchFolder;

Landscape small_landscape() {
  Landscape landscape;
  landscape.model = "toy";
  landscape.split = "test";
  landscape.n_windows = 3;
  landscape.axes = {{"a", "m", "length", {0, 0.1}}};
  landscape.held = {{"c", 2.5}};
  landscape.maps = {{.name = "normD",
                     .expression = "mean(norm2(network))",
                     .values = {1.0 / 3, std::numeric_limits<double>::quiet_NaN()},
                     .minima = {{.theta = {0}, .value = 1.0 / 3}}}};
  landscape.rmse = {0.1, 0.2};
  landscape.nrmse = {0.01, 0.02};
  landscape.is_poor = {0, 1};
  landscape.adaptivity = "adapts";
  return landscape;
}

TEST_F(KeptLandscapes, ComeBackToTheBit) {
  keep_landscapes(path("kept/one.json"), "key", {small_landscape(), small_landscape()});
  const std::vector<Landscape> kept = read_kept_landscapes(path("kept/one.json"), "key");
  ASSERT_EQ(kept.size(), 2U);
  const Landscape &back = kept[1], expected = small_landscape();
  EXPECT_EQ(back.model, expected.model);
  EXPECT_EQ(back.n_windows, 3U);
  EXPECT_EQ(back.axes[0].values, expected.axes[0].values);
  EXPECT_EQ(back.held, expected.held);
  EXPECT_EQ(back.maps[0].values[0], 1.0 / 3);
  EXPECT_TRUE(std::isnan(back.maps[0].values[1]));
  EXPECT_EQ(back.maps[0].minima[0].value, 1.0 / 3);
  EXPECT_EQ(back.is_poor, expected.is_poor);
  EXPECT_EQ(back.adaptivity, "adapts");
}

TEST_F(KeptLandscapes, AreNotThoseOfAnotherKeyOrAnUnsoundFile) {
  keep_landscapes(path("one.json"), "key", {small_landscape()});
  EXPECT_TRUE(read_kept_landscapes(path("one.json"), "other").empty());
  EXPECT_TRUE(read_kept_landscapes(path("none.json"), "key").empty());
  write("half.json", "{\"key\": \"key\", \"landsc");
  EXPECT_TRUE(read_kept_landscapes(path("half.json"), "key").empty());
}

}  // namespace
}  // namespace greybox
