// Pictures for print: their width, their title, their files.
#include <gtest/gtest.h>

#include <limits>

#include "data/scratch_folder.hpp"
#include "greybox/error.hpp"
#include "greybox/picture.hpp"
#include "report/canvas.hpp"

namespace greybox::test {
namespace {

class PictureStyles : public ScratchFolder {
 protected:
  static Landscape landscape() {
    LandscapeGrid grid;
    grid.model = "toy";
    grid.split = "validation";
    grid.n_windows = 4;
    for (const char* name : {"a", "c"}) {
      LandscapeAxis axis;
      axis.name = name;
      axis.values = {0, 1};
      grid.axes.push_back(axis);
    }
    grid.seeds = {0};
    for (const char* name : {"normD", "corr", "both"}) {
      LandscapeMap map;
      map.name = map.expression = name;
      map.values = {1, 2, 3, 4};
      grid.maps.push_back(map);
    }
    grid.rmse = grid.nrmse = {0.1, 0.1, 0.1, 0.1};
    grid.is_poor = grid.is_excluded = {0, 0, 0, 0};
    Landscape whole;
    whole.grids.push_back(grid);
    return whole;
  }
  static std::vector<EpochReport> epochs() {
    std::vector<EpochReport> all(30);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].epoch = i + 1;
      all[i].loss = 1 / static_cast<double>(i + 1);
      all[i].regularizer = 2;
      all[i].validation_loss = i % 10 == 0 ? 0.5 : std::numeric_limits<double>::quiet_NaN();
      all[i].validation_regularizer = std::numeric_limits<double>::quiet_NaN();
    }
    return all;
  }
  std::string svg(const std::string& name) const { return bytes_of(path(name)); }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_F(PictureStyles, ALandscapeHasTheWidthOfAColumn) {
  const auto files = draw_pictures(landscape(), path(""), {.width = 85});
  ASSERT_EQ(files.size(), 3U);
  EXPECT_TRUE(has(svg("landscape.svg"), "width=\"240.94")) << "85 mm in points";
  EXPECT_TRUE(has(svg("landscape.svg"), ">toy<")) << "a title that fits";
  EXPECT_TRUE(has(svg("landscape.pdf"), "%PDF"));
}

TEST_F(PictureStyles, ATitleMayBeLeftOut) {
  draw_pictures(landscape(), path(""), {.has_title = false});
  EXPECT_FALSE(has(svg("landscape.svg"), "landscapes of the regularizers"));
  EXPECT_TRUE(has(svg("landscape.svg"), "R: normD") || has(svg("landscape.svg"), ">normD<"));
}

TEST_F(PictureStyles, CurvesAreDrawnWithWhatWasValidated) {
  const auto files = draw_curves(epochs(), "toy: training", path(""), {.width = 85});
  ASSERT_EQ(files.size(), 3U);
  const std::string drawn = svg("curves.svg");
  EXPECT_TRUE(has(drawn, "toy: training"));
  EXPECT_TRUE(has(drawn, ">epoch<"));
  EXPECT_TRUE(has(drawn, ">validation<"));
  EXPECT_EQ(drawn.find(">validation<"), drawn.rfind(">validation<")) << "R was never validated";
  EXPECT_TRUE(draw_curves({}, "", path("")).empty());
}

TEST_F(PictureStyles, WidthsThatNoPageHasAreRefused) {
  EXPECT_THROW(draw_pictures(landscape(), path(""), {.width = 3}), InputError);
  EXPECT_THROW(draw_curves(epochs(), "", path(""), {.width = 1e5}), InputError);
}

TEST_F(PictureStyles, ImagesThatWouldBeTooTallAreDrawnSmaller) {
  draw_picture({path("tall.png")}, 10, 100000, [](Canvas& canvas) {
    canvas.fill({0, 0, 10, 100000}, {0, 0, 0});
  });
  const std::string image = bytes_of(path("tall.png"));
  ASSERT_GT(image.size(), 24U);
  const auto byte = [&](std::size_t at) {
    return static_cast<unsigned>(static_cast<unsigned char>(image[at]));
  };
  EXPECT_EQ(byte(22) << 8U | byte(23), 32000U);  // the height
}
}  // namespace
}  // namespace greybox::test
