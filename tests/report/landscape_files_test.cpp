#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "data/npz.hpp"
#include "data/scratch_folder.hpp"
#include "data/table.hpp"
#include "greybox/landscape.hpp"
#include "report/landscape_panel.hpp"

namespace greybox::test {
namespace {

class LandscapeFiles : public ScratchFolder {
 protected:
  static LandscapeGrid plane(const std::string& first, const std::string& second) {
    LandscapeGrid landscape;
    landscape.model = "made";
    landscape.split = "test";
    landscape.axes = {{first, "m", "length", {0, 1, 2}}, {second, "", "", {5, 6}}};
    const double nan = std::numeric_limits<double>::quiet_NaN();
    landscape.maps = {{"normD", "mean(norm2(network))", {3, 2, 1, 4, 5, nan}, {{{1, 5}, 1}}},
                      {"rmse", "mean(x)", {1, 1, 1, 1, 1, 1}, {}}};
    landscape.rmse = {1, 1, 1, 1, 4, nan};
    landscape.nrmse = {.1, .1, .1, .1, .4, nan};
    landscape.is_poor = {0, 0, 0, 0, 1, 1};
    return landscape;
  }
};

TEST_F(LandscapeFiles, HaveTheDocumentedArrays) {
  write_grids({plane("a", "c")}, path("out"));
  const std::vector<NamedArray> arrays = read_npz(path("out/landscape.npz"));
  std::vector<std::string> names;
  for (const auto& [name, array] : arrays) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "c", "normD", "R.rmse", "rmse", "nrmse", "is_poor"}));
  EXPECT_EQ(arrays[0].second.shape, (std::vector<std::size_t>{3}));
  EXPECT_EQ(arrays[2].second.shape, (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ(arrays[2].second.to_doubles()[4], 5);
}

TEST_F(LandscapeFiles, HaveOneRowPerPoint) {
  write_grids({plane("a", "c")}, path("out"));
  const DataTable table = read_table(path("out/landscape.csv"));
  ASSERT_EQ(table.n_rows(), 6U);
  EXPECT_EQ(table.find("a")->at(3), 1);
  EXPECT_EQ(table.find("c")->at(3), 6);
  EXPECT_EQ(table.find("normD")->at(3), 4);
  EXPECT_TRUE(std::isnan(table.find("normD")->at(5)));
}

TEST_F(LandscapeFiles, HaveTheBandsOfSeveralNetworks) {
  LandscapeGrid landscape = plane("a", "c");
  landscape.seeds = {7, 8};
  LandscapeMap& map = landscape.maps[0];
  map.band = {{1, 1, 1, 1, 1, 1}, {{2, 1, 0, 3, 4, 0}, {4, 3, 2, 5, 6, 0}}};
  map.network_minima = {{{{2, 5}, 0}}, {}};
  map.may_be_lowest = {0, 0, 1, 1, 0, 0};
  write_grids({landscape}, path("out"));
  const std::vector<NamedArray> arrays = read_npz(path("out/landscape.npz"));
  EXPECT_EQ(arrays[3].first, "normD.sd");
  EXPECT_EQ(arrays[4].first, "normD.networks");
  EXPECT_EQ(arrays[4].second.shape, (std::vector<std::size_t>{2, 3, 2}));
  EXPECT_EQ(arrays[4].second.to_doubles()[6], 4);
  EXPECT_EQ(arrays.back().first, "seeds");
  EXPECT_EQ(arrays.back().second.to_doubles(), (std::vector<double>{7, 8}));
  const DataTable table = read_table(path("out/landscape.csv"));
  EXPECT_EQ(table.find("normD.sd")->at(3), 1);
  EXPECT_EQ(table.find("normD.network1")->at(3), 5);
  EXPECT_EQ(table.find("rmse.sd"), nullptr);  // this one was made without
}

TEST_F(LandscapeFiles, HaveTheDirectionsOfAView) {
  LandscapeGrid landscape = plane("view.1", "view.2");
  landscape.view = {"random", {"a", "b", "c"}, {1, 2, 3}, {{1, 0, 0}, {0, 0.5, 0.5}}};
  write_grids({landscape}, path("out"));
  const std::vector<NamedArray> arrays = read_npz(path("out/landscape.npz"));
  EXPECT_EQ(arrays.back().first, "view.directions");
  EXPECT_EQ(arrays.back().second.shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(arrays.back().second.to_doubles()[4], 0.5);
}

TEST_F(LandscapeFiles, TellOfRetrainedNetworks) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Landscape report;
  report.grids = {plane("a", "c")};
  report.retrained = {{{{"a", 1}}, 0.1, 0.2, {{"normD", 3, 0.5, 1.5, 3.5, true}}},
                      {{{"a", 2}}, 0.1, 0.2, {{"normD", 4, nan, nan, 9, false}}}};
  report.retrained_summary = {{"normD", 2, 1, 0.1, 1}};
  const auto files = write_landscape(report, path("out"));
  for (const std::filesystem::path& file : files) EXPECT_GT(std::filesystem::file_size(file), 0U) << file;
  EXPECT_EQ(bytes_of(path("out/landscape.json")), to_json(report) + "\n");
  EXPECT_TRUE(bytes_of(path("out/retrained.png")).starts_with("\x89PNG"));
  const DataTable table = read_table(path("out/retrained.csv"), {.series_column = "regularizer"});
  EXPECT_EQ(table.find("retrained")->at(1), 9);
  EXPECT_EQ(table.find("within")->at(0), 1);
  EXPECT_TRUE(std::isnan(table.find("within")->at(1)));
}

TEST_F(LandscapeFiles, AreNamedAfterTheirPairWhereThereAreSeveral) {
  const auto files = write_grids({plane("a", "b"), plane("a", "c")}, path("out"));
  ASSERT_EQ(files.size(), 8U);
  EXPECT_EQ(files[0].filename(), "landscape-a-b.npz");
  for (const std::filesystem::path& file : files) EXPECT_GT(std::filesystem::file_size(file), 0U) << file;
}

TEST_F(LandscapeFiles, HoldPicturesOfOneAndOfTwoParameters) {
  LandscapeGrid line = plane("a", "c");
  line.axes.pop_back();
  line.axes[0].values = {0, 1, 2, 3, 4, 5};
  line.maps[0].minima[0].theta = {2};
  for (const LandscapeGrid& landscape : {plane("a", "c"), line}) {
    write_grids({landscape}, path("out"));
    EXPECT_TRUE(bytes_of(path("out/landscape.png")).starts_with("\x89PNG"));
    const std::string svg = bytes_of(path("out/landscape.svg"));
    EXPECT_NE(svg.find("<svg"), std::string::npos);
    EXPECT_NE(svg.find("</svg>"), std::string::npos);
  }
}

TEST(ColourRange, LeavesOutAFewValuesFarAboveTheRest) {
  std::vector<double> values(100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  EXPECT_EQ(colour_range(values).high, 99);
  EXPECT_FALSE(colour_range(values).is_cut);
  values[99] = 1e6;
  EXPECT_EQ(colour_range(values).high, 95);
  EXPECT_TRUE(colour_range(values).is_cut);
}

TEST(ColourRange, OfNoNumbersIsHarmless) {
  const ColourRange range = colour_range({std::numeric_limits<double>::quiet_NaN()});
  EXPECT_LT(range.low, range.high);
}

}  // namespace
}  // namespace greybox::test
