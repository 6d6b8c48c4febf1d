// Figures of every kind become pictures whose text says what they show.
#include <cmath>
#include <limits>

#include "data/scratch_folder.hpp"
#include "greybox/figure.hpp"

namespace greybox {
namespace {

class FigureFiles : public test::ScratchFolder {
 protected:
  // Both files are there; how many letters the SVG shows.
  std::size_t n_letters(const Figure& figure) const {
    const std::vector<std::filesystem::path> files = write_figure(figure, path(""));
    EXPECT_EQ(files.size(), 2U);
    for (const std::filesystem::path& file : files)
      EXPECT_GT(std::filesystem::file_size(file), 1000U) << file;
    const std::string svg = bytes_of(path(figure.name + ".svg"));
    std::size_t n = 0;
    for (std::size_t at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at + 1))
      n += svg.find("</text>", at) - svg.find('>', at) - 1;
    return n;
  }
};

FigurePanel panel(std::vector<double> truth) {
  return {.title = "R",
          .subtitle = "",
          .caption = "low",
          .axes = {{"a", "", "", {0, 1}}, {"b", "", "", {0, 1, 2}}},
          .map = {.name = "R",
                  .expression = "",
                  .values = {1, 2, 3, 4, 5, std::numeric_limits<double>::quiet_NaN()},
                  .minima = {{.theta = {0, 0}, .value = 1}}},
          .is_poor = {0, 0, 0, 0, 0, 1},
          .truth = std::move(truth),
          .starts_at_zero = false};
}

TEST_F(FigureFiles, PanelsMayBeMissing) {
  const std::size_t one = n_letters({"one", PanelFigure{"title", {"note"}, 2, {panel({})}}});
  const std::size_t gap = n_letters({"gap", PanelFigure{"title", {"note"}, 2, {FigurePanel{}, panel({})}}});
  EXPECT_EQ(one, gap);
  EXPECT_GT(n_letters({"two", PanelFigure{"title", {"note"}, 2, {panel({}), panel({})}}}), one + 10);
}

TEST_F(FigureFiles, TheTruthIsMarked) {
  n_letters({"without", PanelFigure{"title", {}, 1, {panel({})}}});
  n_letters({"with", PanelFigure{"title", {}, 1, {panel({0.5, 1})}}});
  EXPECT_GT(bytes_of(path("with.svg")).size(), bytes_of(path("without.svg")).size() + 100);
}

TEST_F(FigureFiles, SeriesHaveRowsAndGaps) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  SeriesFigure figure{"title", "day", {"note"}, {0, 1, 2, 3}, {{"prey", {{"observed", {1, nan, 2, 3}}}}}};
  const std::size_t one = n_letters({"one", figure});
  figure.rows.push_back({"constant", {{"", {2, 2, 2, 2}}}});
  EXPECT_GT(n_letters({"two", figure}), one + 8);
}

TEST_F(FigureFiles, FieldsAreImages) {
  const FieldFigure figure{
      "title",
      {"note"},
      2,
      {{"u", {{"t = 1", {1, 2, 3, 4}}}, false}, {"error", {{"t = 1", {0, -1, 0, 1}}}, true}}};
  EXPECT_GT(n_letters({"fields", figure}), 10U);
}

}  // namespace
}  // namespace greybox
