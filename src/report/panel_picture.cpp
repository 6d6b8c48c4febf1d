// Maps and lines over parameters, row by row.
#include <algorithm>

#include "report/figure_picture.hpp"
#include "report/landscape_panel.hpp"
#include "report/picture_style.hpp"

namespace greybox {
namespace {

constexpr double kPanelsFooter = 8;

ColourRange range_of(const FigurePanel& panel) {
  ColourRange range = colour_range(panel.axes.size(), panel.map.values, panel.map.band);
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
          .values = &panel.map.values,
          .is_poor = &panel.is_poor,
          .minima = panel.map.minima.empty() ? nullptr : &panel.map.minima,
          .truth = panel.truth.empty() ? nullptr : &panel.truth,
          .range = range_of(panel),
          .band = &panel.map.band,
          .networks = &panel.map};
}

std::vector<std::string> notes_of(const PanelFigure& figure) {
  std::vector<std::string> notes = figure.notes;
  for (const FigurePanel& panel : figure.panels)
    if (const std::string note = networks_note(panel.map.band.networks.size(), panel.axes.size());
        !note.empty() && std::find(notes.begin(), notes.end(), note) == notes.end())
      notes.push_back(note);
  return notes;
}

}  // namespace

void draw_panels(const PanelFigure& figure, const std::vector<std::filesystem::path>& files,
                 const PictureStyle& style) {
  const std::size_t n_columns = n_columns_for(style, kPanelWidth, 2 * kPicturePadding, figure.n_columns);
  // Places that stay empty hold rows together; other rows have no need of them.
  std::vector<const FigurePanel*> panels;
  for (const FigurePanel& panel : figure.panels)
    if (n_columns == figure.n_columns || !panel.map.values.empty()) panels.push_back(&panel);
  const std::size_t n_rows = (panels.size() + n_columns - 1) / n_columns;
  const PictureFit fit =
      fit_picture(style, 2 * kPicturePadding + static_cast<double>(n_columns) * kPanelWidth);
  const FigureHeader above(figure.title, notes_of(figure), fit);
  const double height = above.height() + static_cast<double>(n_rows) * kPanelHeight + kPanelsFooter;
  const auto draw = [&](Canvas& canvas) {
    above.draw(canvas);
    for (std::size_t k = 0; k < panels.size(); ++k) {
      if (panels[k]->map.values.empty()) continue;
      const Point corner{kPicturePadding + static_cast<double>(k % n_columns) * kPanelWidth,
                         above.height() + static_cast<double>(k / n_columns) * kPanelHeight};
      draw_panel(canvas, corner, to_panel(*panels[k]));
    }
  };
  draw_picture(files, fit.width, height, draw, fit.scale);
}

}  // namespace greybox
