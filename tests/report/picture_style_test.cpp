// Pictures for print: their width, their title, their files.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <regex>

#include "data/scratch_folder.hpp"
#include "greybox/compare.hpp"
#include "greybox/error.hpp"
#include "greybox/picture.hpp"
#include "greybox/simulate.hpp"
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

// Where the texts of a picture end, in parts of its width, by the usual width of a letter.
double rightmost_text(const std::string& svg) {
  const std::regex shape(R"re(<svg[^>]*width="([0-9.]+))re"), zoom(R"re(scale\(([0-9.]+)\))re");
  const std::regex text(
      R"re(<text transform="translate\(([-0-9.]+) [-0-9.]+\)"[^>]*font-size="([0-9.]+)"[^>]*anchor="(\w+)"[^>]*>([^<]*)<)re");
  std::smatch width, scale;
  EXPECT_TRUE(std::regex_search(svg, width, shape) && std::regex_search(svg, scale, zoom));
  double most = 0;
  for (std::sregex_iterator it(svg.begin(), svg.end(), text), end; it != end; ++it) {
    const double length = 0.5 * std::stod((*it)[2]) * static_cast<double>((*it)[4].length());
    const std::string anchor = (*it)[3];
    most = std::max(most, std::stod((*it)[1]) + (anchor == "end"      ? 0
                                                 : anchor == "middle" ? 0.5
                                                                      : 1) *
                                                    length);
  }
  return most * std::stod(scale[1]) / std::stod(width[1]);
}

Comparison compared() {
  Comparison comparison;
  comparison.model = "two-compartment";
  comparison.regularizer = "normD";
  comparison.note = "Data: simulated, as the published ones are; settings: those of the paper; seed 0.";
  for (const char* mode : {"adaptive", "inductive", "transductive", "aphynity"})
    comparison.rows.push_back({mode, 0.1, 2, {0.5, 0.25}, {4, 1}});
  return comparison;
}

Simulation simulated() {
  Simulation simulation;
  simulation.model = "two-compartment";
  simulation.theta = {{"clearance", 3.0123}, {"exchange", 1.5}};
  simulation.parameters = {"exchange", "clearance"};
  simulation.time = {0, 1, 2, 3};
  simulation.time_unit = "h";
  for (const char* name : {"concentration", "state.peripheral", "theory.central"})
    simulation.variables.push_back({.name = name, .values = {10, 4, 2, 1}});
  return simulation;
}

TEST_F(PictureStyles, ParametersStandInTheOrderOfTheModel) {
  Landscape landscape = PictureStyles::landscape();
  LandscapeGrid& grid = landscape.grids[0];
  std::swap(grid.axes[0], grid.axes[1]);
  LandscapeMinimum minimum;
  minimum.theta = {0.25, 0.5};
  minimum.parameters = {{"a", 0.5}, {"c", 0.25}};
  grid.maps[0].minima = {minimum};
  draw_pictures(landscape, path(""), {});
  EXPECT_TRUE(has(svg("landscape.svg"), "at c = 0.25, a = 0.5"));
  draw_pictures(simulated(), path(""), {});
  EXPECT_TRUE(has(svg("simulation.svg"), "exchange = 1.5, clearance = 3.012"));
}

TEST_F(PictureStyles, OtherPicturesFitAColumnToo) {
  EXPECT_EQ(draw_pictures(compared(), path(""), {.width = 85}).size(), 3U);
  EXPECT_EQ(draw_pictures(simulated(), path(""), {.width = 85}).size(), 3U);
  for (const char* name : {"comparison.svg", "simulation.svg"}) {
    EXPECT_TRUE(has(svg(name), "width=\"240.94")) << name;
    EXPECT_GT(rightmost_text(svg(name)), 0.5) << name;
    EXPECT_LE(rightmost_text(svg(name)), 1) << name;
  }
}

TEST_F(PictureStyles, TextsOfANarrowPictureAreWhole) {
  draw_pictures(compared(), path(""), {.width = 85});
  draw_pictures(simulated(), path(""), {.width = 85});
  EXPECT_FALSE(has(svg("comparison.svg"), "…"));
  EXPECT_FALSE(has(svg("simulation.svg"), "…"));
  EXPECT_TRUE(has(svg("simulation.svg"), ">state.peripheral<"));
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
