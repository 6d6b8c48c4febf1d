#include "report/landscape_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/landscape_panel.hpp"

namespace greybox {
namespace {

constexpr double kNetworksLine = 16, kLandscapeFooter = 16;

std::string place_text(const LandscapeMinimum& minimum) {
  std::string text;
  for (const auto& [name, value] : minimum.parameters)
    text += fmt::format("{}{} = {:.3g}", text.empty() ? "" : ", ", name, value);
  return text;
}

std::string caption_of(const LandscapeMap& map) {
  if (map.minima.empty()) return map.unconstrained ? "no θ fits the data" : "no finite value";
  const LandscapeMinimum& best = map.minima[0];
  const std::string spread = best.spread > 0 ? fmt::format(" ± {:.2g}", best.spread) : "";
  const std::string lowest = fmt::format("lowest {:.3g}{} at {}", best.value, spread, place_text(best));
  return map.minima.size() == 1 ? lowest : fmt::format("{} minima, {}", map.minima.size(), lowest);
}

Panel panel_of(const LandscapeGrid& landscape, const LandscapeMap& map) {
  return {.title = map.name == map.expression ? map.expression : "R: " + map.name,
          .subtitle = map.name == map.expression ? "" : map.expression,
          .caption = caption_of(map),
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
  std::string text = fmt::format("{} ({} window{})", landscape.split, landscape.n_windows,
                                 landscape.n_windows == 1 ? "" : "s");
  for (const auto& [name, value] : landscape.held) text += fmt::format(", {} = {:.4g}", name, value);
  for (std::size_t p = 0; p < landscape.view.parameters.size(); ++p)
    text += fmt::format("{}{} = {:.4g}", p == 0 ? ", through " : ", ", landscape.view.parameters[p],
                        landscape.view.origin[p]);
  return text;
}

}  // namespace

void draw_landscape(const LandscapeGrid& landscape, const std::vector<std::filesystem::path>& files) {
  std::vector<Panel> panels;
  for (const LandscapeMap& map : landscape.maps) panels.push_back(panel_of(landscape, map));
  panels.push_back(error_panel(landscape));
  const std::size_t n_rows = (panels.size() + kMostColumns - 1) / kMostColumns;
  const std::size_t n_columns = (panels.size() + n_rows - 1) / n_rows;
  const double width = 2 * kPicturePadding + static_cast<double>(n_columns) * kPanelWidth;
  const double header = kPictureHeader + (landscape.seeds.size() > 1 ? kNetworksLine : 0);
  const double height = header + static_cast<double>(n_rows) * kPanelHeight + kLandscapeFooter;
  draw_picture(files, width, height, [&](Canvas& canvas) {
    const TextStyle title{.size = 17, .is_bold = true}, line{.size = 11, .colour = kFaintInk};
    const double room = width - 2 * kPicturePadding - 10;
    canvas.text({kPicturePadding + 10, 30},
                canvas.fitted(landscape.model + ": landscapes of the regularizers", room, title), title);
    canvas.text({kPicturePadding + 10, 50}, canvas.fitted("On " + source_text(landscape), room, line), line);
    canvas.text({kPicturePadding + 10, 66}, canvas.fitted(landscape.adaptivity, room, line), line);
    canvas.text({kPicturePadding + 10, 82},
                canvas.fitted(networks_note(landscape.seeds.size(), landscape.axes.size()), room, line),
                line);
    for (std::size_t k = 0; k < panels.size(); ++k)
      draw_panel(canvas,
                 {kPicturePadding + static_cast<double>(k % n_columns) * kPanelWidth,
                  header + static_cast<double>(k / n_columns) * kPanelHeight},
                 panels[k]);
  });
}

}  // namespace greybox
