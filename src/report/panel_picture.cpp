// Maps and lines over parameters, row by row.
#include <algorithm>

#include "report/figure_picture.hpp"
#include "report/landscape_panel.hpp"

namespace greybox {
namespace {

constexpr double kMargin = 14, kFooter = 8;

ColourRange range_of(const FigurePanel& panel) {
  ColourRange range = colour_range(panel.values);
  // Twice as far as the values reach: what is the same everywhere looks so.
  if (panel.starts_at_zero)
    range = {0, panel.axes.size() == 1 ? 1.3 * range.high : 2 * range.high, range.is_cut};
  return range;
}

Panel to_panel(const FigurePanel& panel) {
  return {.title = panel.title,
          .subtitle = panel.subtitle,
          .caption = panel.caption,
          .axes = &panel.axes,
          .values = &panel.values,
          .is_poor = &panel.is_poor,
          .minima = panel.minima.empty() ? nullptr : &panel.minima,
          .truth = panel.truth.empty() ? nullptr : &panel.truth,
          .range = range_of(panel)};
}

}  // namespace

void draw_panels(const PanelFigure& figure, const std::vector<std::filesystem::path>& files) {
  const std::size_t n_rows = (figure.panels.size() + figure.n_columns - 1) / figure.n_columns;
  const double header = header_height(figure.notes);
  const double width = 2 * kMargin + static_cast<double>(figure.n_columns) * kPanelWidth;
  const double height = header + static_cast<double>(n_rows) * kPanelHeight + kFooter;
  draw_picture(files, width, height, [&](Canvas& canvas) {
    draw_header(canvas, figure.title, figure.notes, width);
    for (std::size_t k = 0; k < figure.panels.size(); ++k) {
      if (figure.panels[k].values.empty()) continue;
      const Point corner{kMargin + static_cast<double>(k % figure.n_columns) * kPanelWidth,
                         header + static_cast<double>(k / figure.n_columns) * kPanelHeight};
      draw_panel(canvas, corner, to_panel(figure.panels[k]));
    }
  });
}

}  // namespace greybox
