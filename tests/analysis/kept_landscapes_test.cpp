// Landscapes kept in files come back as they were.
#include "analysis/reproduce/kept_landscapes.hpp"

#include <cmath>
#include <limits>

#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

using KeptLandscapes = test::ScratchFolder;

LandscapeGrid small_landscape() {
  LandscapeGrid landscape;
  landscape.model = "toy";
  landscape.split = "test";
  landscape.n_windows = 3;
  landscape.axes = {{"a", "m", "length", {0, 0.1}}};
  landscape.held = {{"c", 2.5}};
  landscape.maps = {{.name = "normD",
                     .expression = "mean(norm2(network))",
                     .values = {1.0 / 3, std::numeric_limits<double>::quiet_NaN()},
                     .minima = {{.theta = {0}, .value = 1.0 / 3, .spread = 0.1, .parameters = {{"a", 0}}}},
                     .band = {.spread = {0.1, 0.2}, .networks = {{0.2, 0.3}, {0.4, 0.5}}},
                     .network_minima = {{{.theta = {0}, .value = 0.2}}, {}},
                     .may_be_lowest = {1, 0}}};
  landscape.rmse = {0.1, 0.2};
  landscape.nrmse = {0.01, 0.02};
  landscape.is_poor = {0, 1};
  landscape.adaptivity = "adapts";
  landscape.nrmse_band = {.spread = {0.1, 0.2}, .networks = {{1, 2}}};
  landscape.seeds = {3, 4};
  return landscape;
}

KeptLandscape kept_of(std::vector<LandscapeGrid> grids) {
  KeptLandscape kept;
  kept.landscape.grids = std::move(grids);
  return kept;
}

TEST_F(KeptLandscapes, ComeBackToTheBit) {
  keep_landscape(path("kept/one.json"), "key", kept_of({small_landscape(), small_landscape()}));
  const std::optional<KeptLandscape> kept = read_kept_landscape(path("kept/one.json"), "key");
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->landscape.grids.size(), 2U);
  const LandscapeGrid &back = kept->landscape.grids[1], expected = small_landscape();
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

TEST_F(KeptLandscapes, BringTheirBandsBack) {
  keep_landscape(path("one.json"), "key", kept_of({small_landscape()}));
  const LandscapeGrid back = read_kept_landscape(path("one.json"), "key").value().landscape.grids.at(0);
  const LandscapeMap &map = back.maps[0], expected = small_landscape().maps[0];
  EXPECT_EQ(map.band.spread, expected.band.spread);
  EXPECT_EQ(map.band.networks, expected.band.networks);
  EXPECT_EQ(map.minima[0].spread, 0.1);
  EXPECT_EQ(map.minima[0].parameters, expected.minima[0].parameters);
  EXPECT_EQ(map.network_minima.at(0).at(0).value, 0.2);
  EXPECT_TRUE(map.network_minima.at(1).empty());
  EXPECT_EQ(map.may_be_lowest, expected.may_be_lowest);
  EXPECT_EQ(back.nrmse_band.networks, small_landscape().nrmse_band.networks);
  EXPECT_EQ(back.seeds, small_landscape().seeds);
}

TEST_F(KeptLandscapes, BringTheirVerdictsBack) {
  KeptLandscape kept = kept_of({small_landscape()});
  Verdict verdict;
  verdict.parameter = "a";
  verdict.regularizer = "normD";
  verdict.finding = Finding::one_sided;
  verdict.sentence = "a ≤ 1";
  verdict.evidence = {"because"};
  verdict.best = std::numeric_limits<double>::quiet_NaN();
  verdict.interval = {0, 1};
  verdict.profile = {{0, 1}, {2, 3}, {1, 2}, {3, std::numeric_limits<double>::quiet_NaN()}};
  kept.verdicts.emplace();
  kept.verdicts->verdicts = {verdict};
  kept.verdicts->combinations = {{"normD", "a·b", {{"a", 1}, {"b", 1}}, "only a·b"}};
  keep_landscape(path("one.json"), "key", kept);
  const Verdicts back = read_kept_landscape(path("one.json"), "key").value().verdicts.value();
  EXPECT_EQ(to_json(back), to_json(*kept.verdicts));
  EXPECT_EQ(back.verdicts.at(0).finding, Finding::one_sided);
  EXPECT_TRUE(std::isnan(back.verdicts[0].best));
  EXPECT_EQ(back.combinations.at(0).text, "a·b");
}

TEST_F(KeptLandscapes, AreNotThoseOfAnotherKeyOrAnUnsoundFile) {
  keep_landscape(path("one.json"), "key", kept_of({small_landscape()}));
  EXPECT_FALSE(read_kept_landscape(path("one.json"), "other"));
  EXPECT_FALSE(read_kept_landscape(path("none.json"), "key"));
  write("half.json", "{\"key\": \"key\", \"landsc");
  EXPECT_FALSE(read_kept_landscape(path("half.json"), "key"));
}

}  // namespace
}  // namespace greybox
