// Curves of predictions as a picture.
#include <gtest/gtest.h>

#include <limits>

#include "data/scratch_folder.hpp"
#include "greybox/predicted_curves.hpp"

namespace greybox::test {
namespace {

class PredictionsPicture : public ScratchFolder {
 protected:
  static PredictedCurves curves(std::size_t n_windows) {
    PredictedCurves all;
    all.model = "swing";
    all.on = "test";
    all.across = "time (s)";
    all.theta = {{"k", -1.5}};
    all.parameters = {"k"};
    for (std::size_t w = 0; w < n_windows; ++w)
      all.windows.push_back({"run " + std::to_string(w),
                             {{.name = "angle",
                               .measured_at = {0, 1, 2},
                               .measured = {0, kMissing, 1},
                               .at = {0, 0.5, 1, 1.5, 2},
                               .predicted = {0, 0.2, 0.5, 0.8, 1}}}});
    return all;
  }
  static void add_bands(PredictedCurves& all) {
    all.n_networks = 3;
    all.n_draws = 50;
    for (CurvesOfWindow& window : all.windows) {
      PredictedCurve& curve = window.curves.front();
      curve.networks = {{-0.1, 0.1, 0.4, 0.7, 0.9}, {0.1, 0.3, 0.6, 0.9, 1.1}};
      curve.draws = {{-0.05, 0.15, kMissing, 0.75, 0.95}, {0.05, 0.25, kMissing, 0.85, 1.05}};
    }
  }
  std::string svg() const { return bytes_of(path("predictions.svg")); }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
  static constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
};

TEST_F(PredictionsPicture, SaysWhatItShows) {
  const auto files = draw_pictures(curves(2), path(""));
  ASSERT_EQ(files.size(), 2U);
  for (const char* text : {">swing: predictions<", ">On 2 test windows<", ">At k = −1.5<", ">measured<",
                           ">predicted<", ">angle<", ">run 0<", ">run 1<", ">time (s)<"})
    EXPECT_TRUE(has(svg(), text)) << text;
  EXPECT_FALSE(has(svg(), "networks<"));
  EXPECT_FALSE(has(svg(), "draws of θ<"));
}

TEST_F(PredictionsPicture, BandsAreNamedAndDrawn) {
  PredictedCurves all = curves(1);
  draw_pictures(all, path(""));
  const std::string without = svg();
  add_bands(all);
  draw_pictures(all, path(""));
  EXPECT_TRUE(has(svg(), ">range of 3 networks<"));
  EXPECT_TRUE(has(svg(), ">90 % of 50 draws of θ<"));
  // Of networks; on both sides of the value that is missing, of draws; two in the key.
  const auto areas = [](const std::string& text) {
    std::size_t n = 0;
    for (std::size_t at = text.find("fill-rule"); at != std::string::npos;
         at = text.find("fill-rule", at + 1))
      ++n;
    return n;
  };
  EXPECT_EQ(areas(svg()), areas(without) + 5);
}

TEST_F(PredictionsPicture, AColumnOfAJournalHasOnePlotBesideTheOther) {
  const auto files = draw_pictures(curves(3), path(""), {.width = 85});
  ASSERT_EQ(files.size(), 3U);
  EXPECT_TRUE(has(svg(), "width=\"240.94"));
  EXPECT_TRUE(has(bytes_of(path("predictions.pdf")), "%PDF"));
}

TEST_F(PredictionsPicture, WithoutWindowsThereIsNone) {
  EXPECT_TRUE(draw_pictures(curves(0), path("")).empty());
}

}  // namespace
}  // namespace greybox::test
