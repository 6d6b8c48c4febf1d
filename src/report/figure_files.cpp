// Figures as files.
#include "greybox/figure.hpp"
#include "report/comparison_picture.hpp"
#include "report/figure_picture.hpp"

namespace greybox {
namespace {

struct Drawing {
  const std::vector<std::filesystem::path>& files;
  void operator()(const PanelFigure& figure) const { draw_panels(figure, files); }
  void operator()(const SeriesFigure& figure) const { draw_series(figure, files); }
  void operator()(const FieldFigure& figure) const { draw_fields(figure, files); }
  void operator()(const Comparison& figure) const { draw_comparison(figure, files); }
};

}  // namespace

std::vector<std::filesystem::path> write_figure(const Figure& figure, const std::filesystem::path& folder) {
  const std::vector<std::filesystem::path> files = {folder / (figure.name + ".svg"),
                                                    folder / (figure.name + ".png")};
  std::visit(Drawing{files}, figure.content);
  return files;
}

}  // namespace greybox
