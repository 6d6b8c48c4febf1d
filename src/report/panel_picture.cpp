// Maps and lines over parameters, row by row.
#include <algorithm>

#include "report/figure_picture.hpp"
#include "report/landscape_panel.hpp"

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

void draw_panels(const PanelFigure& figure, const std::vector<std::filesystem::path>& files) {
  const std::size_t n_rows = (figure.panels.size() + figure.n_columns - 1) / figure.n_columns;
  const std::vector<std::string> notes = notes_of(figure);
  const double header = header_height(notes);
  const double width = 2 * kPicturePadding + static_cast<double>(figure.n_columns) * kPanelWidth;
  const double height = header + static_cast<double>(n_rows) * kPanelHeight + kPanelsFooter;
  draw_picture(files, width, height, [&](Canvas& canvas) {
    draw_header(canvas, figure.title, notes, width);
    for (std::size_t k = 0; k < figure.panels.size(); ++k) {
      if (figure.panels[k].map.values.empty()) continue;
      const Point corner{kPicturePadding + static_cast<double>(k % figure.n_columns) * kPanelWidth,
                         header + static_cast<double>(k / figure.n_columns) * kPanelHeight};
      draw_panel(canvas, corner, to_panel(figure.panels[k]));
    }
  });
}

}  // namespace greybox
