// Figures as files.
#include "greybox/figure.hpp"
#include "report/comparison_picture.hpp"
#include "report/figure_picture.hpp"
#include "report/picture_style.hpp"

namespace greybox {
namespace {

struct Drawing {
  const std::vector<std::filesystem::path>& files;
  const PictureStyle& style;
  void operator()(const PanelFigure& figure) const { draw_panels(figure, files, style); }
  void operator()(const SeriesFigure& figure) const { draw_series(figure, files, style); }
  void operator()(const FieldFigure& figure) const { draw_fields(figure, files, style); }
  void operator()(const Comparison& figure) const { draw_comparison(figure, files, style); }
};

}  // namespace

std::vector<std::filesystem::path> draw_pictures(const Figure& figure, const std::filesystem::path& folder,
                                                 const PictureStyle& style) {
  const std::vector<std::filesystem::path> files = picture_files(folder, figure.name, style);
  std::visit(Drawing{files, style}, figure.content);
  return files;
}

std::vector<std::filesystem::path> write_figure(const Figure& figure, const std::filesystem::path& folder) {
  return draw_pictures(figure, folder, {});
}

}  // namespace greybox
