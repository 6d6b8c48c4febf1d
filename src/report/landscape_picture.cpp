#include "report/landscape_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "greybox/counted.hpp"
#include "report/landscape_panel.hpp"
#include "report/picture_style.hpp"
#include "report/picture_text.hpp"

namespace greybox {
namespace {

constexpr double kLandscapeTitle = 30, kNotesLine = 16, kNotesSize = 11, kLandscapeFooter = 16;

// In the order of the axes or, in a plane through many parameters, of the model file.
std::string place_text(const LandscapeGrid& landscape, const LandscapeMinimum& minimum) {
  std::vector<std::string> names = landscape.view.parameters;
  for (const LandscapeAxis& axis : landscape.axes) names.push_back(axis.name);
  std::string text;
  for (const std::string& name : names)
    if (const auto found = minimum.parameters.find(name); found != minimum.parameters.end())
      text += fmt::format("{}{} = {:.3g}", text.empty() ? "" : ", ", name, found->second);
  return text;
}

std::string caption_of(const LandscapeGrid& landscape, const LandscapeMap& map) {
  if (map.minima.empty()) return map.unconstrained ? "no θ fits the data" : "no finite value";
  const LandscapeMinimum& best = map.minima[0];
  const std::string spread = best.spread > 0 ? fmt::format(" ± {:.2g}", best.spread) : "";
  const std::string lowest =
      fmt::format("lowest {:.3g}{} at {}", best.value, spread, place_text(landscape, best));
  return map.minima.size() == 1 ? lowest : fmt::format("{} minima, {}", map.minima.size(), lowest);
}

Panel panel_of(const LandscapeGrid& landscape, const LandscapeMap& map) {
  return {.title = map.name == map.expression ? map.expression : "R: " + map.name,
          .subtitle = map.name == map.expression ? "" : map.expression,
          .caption = caption_of(landscape, map),
          .axes = &landscape.axes,
          .values = &map.values,
          .is_poor = &landscape.is_poor,
          .is_excluded = &landscape.is_excluded,
          .minima = &map.minima,
          .range = colour_range(landscape.axes.size(), map.values, map.band),
          .band = &map.band,
          .networks = &map};
}

// From 0 to twice the median: an error that is the same everywhere looks the same everywhere.
ColourRange error_range(const std::vector<double>& rmse) {
  std::vector<double> sorted;
  for (double value : rmse)
    if (std::isfinite(value)) sorted.push_back(value);
  if (sorted.empty()) return {};
  std::sort(sorted.begin(), sorted.end());
  const double high = 2 * sorted[sorted.size() / 2];
  return {0, high > 0 ? high : 1, sorted.back() > high};
}

Panel error_panel(const LandscapeGrid& landscape) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (double value : landscape.nrmse) {
    low = std::fmin(low, value);
    high = std::fmax(high, value);
  }
  return {.title = "RMSE",
          .subtitle = "error of the predictions; hatched where it does not fit",
          .caption = fmt::format("NRMSE {:.3g} % to {:.3g} %", 100 * low, 100 * high),
          .axes = &landscape.axes,
          .values = &landscape.rmse,
          .is_poor = &landscape.is_poor,
          .is_excluded = &landscape.is_excluded,
          .minima = nullptr,
          .range = error_range(landscape.rmse),
          .band = &landscape.rmse_band,
          .networks = nullptr};
}

std::string source_text(const LandscapeGrid& landscape) {
  std::string text = fmt::format("{} ({})", landscape.split, counted(landscape.n_windows, "window"));
  for (const std::string& name : landscape.held_names)
    text += fmt::format(", {} = {:.4g}", name, landscape.held.at(name));
  for (std::size_t p = 0; p < landscape.view.parameters.size(); ++p)
    text += fmt::format("{}{} = {:.4g}", p == 0 ? ", through " : ", ", landscape.view.parameters[p],
                        landscape.view.origin[p]);
  return text;
}

// How the panels stand; a narrow picture has fewer beside each other, so that its text can still be read.
struct LandscapeLayout {
  std::size_t n_columns = 1;
  double width = 0, header = 0, height = 0, scale = 1;
};

std::vector<std::string> notes_of(const LandscapeGrid& landscape) {
  std::vector<std::string> notes = {"On " + source_text(landscape), sentence_text(landscape.adaptivity)};
  if (landscape.seeds.size() > 1)
    notes.push_back(networks_note(landscape.seeds.size(), landscape.axes.size()));
  return notes;
}

LandscapeLayout layout_of(const LandscapeGrid& landscape, std::size_t n_panels, const PictureStyle& style) {
  const std::size_t n_most = n_columns_for(style, kPanelWidth, 2 * kPicturePadding, kMostColumns);
  const std::size_t n_rows = (n_panels + n_most - 1) / n_most;
  LandscapeLayout layout{.n_columns = (n_panels + n_rows - 1) / n_rows};
  layout.width = 2 * kPicturePadding + static_cast<double>(layout.n_columns) * kPanelWidth;
  layout.header = style.has_title ? kLandscapeTitle + 22 : 8;
  const double room = layout.width - 2 * kPicturePadding - 10;
  if (style.has_title)
    for (const std::string& note : notes_of(landscape))
      layout.header += kNotesLine * static_cast<double>(n_lines_of(note, room, kNotesSize));
  layout.height = layout.header + static_cast<double>(n_rows) * kPanelHeight + kLandscapeFooter;
  layout.scale = fit_picture(style, layout.width).scale;
  return layout;
}

void draw_title(Canvas& canvas, const LandscapeGrid& landscape, double width) {
  const TextStyle title{.size = 17, .is_bold = true}, line{.size = kNotesSize, .colour = kFaintInk};
  const double room = width - 2 * kPicturePadding - 10, left = kPicturePadding + 10;
  // A narrow picture says less rather than half of it.
  const std::string whole = landscape.model + ": landscapes of the regularizers";
  canvas.text({left, kLandscapeTitle},
              canvas.text_width(whole, title) <= room ? whole : canvas.fitted(landscape.model, room, title),
              title);
  double y = kLandscapeTitle + 20;
  for (const std::string& note : notes_of(landscape)) {
    const std::size_t n_lines = n_lines_of(note, room, kNotesSize);
    canvas.paragraph({left, y}, note, room, n_lines, line);
    y += kNotesLine * static_cast<double>(n_lines);
  }
}

}  // namespace

void draw_landscape(const LandscapeGrid& landscape, const std::vector<std::filesystem::path>& files,
                    const PictureStyle& style) {
  std::vector<Panel> panels;
  for (const LandscapeMap& map : landscape.maps) panels.push_back(panel_of(landscape, map));
  panels.push_back(error_panel(landscape));
  const LandscapeLayout layout = layout_of(landscape, panels.size(), style);
  const auto draw = [&](Canvas& canvas) {
    if (style.has_title) draw_title(canvas, landscape, layout.width);
    for (std::size_t k = 0; k < panels.size(); ++k) {
      const std::size_t column = k % layout.n_columns, row = k / layout.n_columns;
      draw_panel(canvas,
                 {kPicturePadding + static_cast<double>(column) * kPanelWidth,
                  layout.header + static_cast<double>(row) * kPanelHeight},
                 panels[k]);
    }
  };
  draw_picture(files, layout.width, layout.height, draw, layout.scale);
}

}  // namespace greybox
