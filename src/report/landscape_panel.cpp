#include "report/landscape_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/landscape_band.hpp"
#include "report/plot_frame.hpp"

namespace greybox {
namespace {

constexpr Rectangle kPanelPlot{58, 46, 205, 205};  // within the panel
constexpr double kBarGap = 10, kBarWidth = 11;
constexpr double kMinRange = 1e-12;  // of colours: a constant map has one colour
constexpr std::size_t kBarSteps = 128;

Scale scale_of(const LandscapeAxis& axis, double begin, double end) {
  return {axis.values.front(), axis.values.back(), begin, end, axis.is_log};
}

// A cell is centred at its value, so that a map reaches half a cell beyond its ends.
Scale cell_scale(const LandscapeAxis& axis, double begin, double end) {
  const double n_halves = 2 * static_cast<double>(axis.values.size() - 1);
  if (axis.is_log) {
    const double half = std::pow(axis.values.back() / axis.values.front(), 1 / n_halves);
    return {axis.values.front() / half, axis.values.back() * half, begin, end, true};
  }
  const double half = (axis.values.back() - axis.values.front()) / n_halves;
  return {axis.values.front() - half, axis.values.back() + half, begin, end};
}

void draw_across(Canvas& canvas, const Rectangle& plot, const LandscapeAxis& axis, const Scale& scale) {
  for (const Tick& tick : scale_of(axis, 0, 1).ticks(5)) {
    const double x = scale(tick.value);
    canvas.line({{x, plot.bottom()}, {x, plot.bottom() + kTickLength}}, kInk);
    canvas.text({x, plot.bottom() + 15}, tick.label, {.size = kTickSize, .align = Align::centre});
  }
  const TextStyle style{.size = kLabelSize, .align = Align::centre};
  canvas.text({plot.x + plot.width / 2, plot.bottom() + 32},
              axis_label(canvas, {axis.name, axis.unit, axis.about}, plot.width + 60, style), style);
}

void draw_upward(Canvas& canvas, const Rectangle& plot, const std::vector<Tick>& marks, const Scale& scale,
                 const Quantity& quantity) {
  for (const Tick& tick : marks) {
    const double y = scale(tick.value);
    canvas.line({{plot.x - kTickLength, y}, {plot.x, y}}, kInk);
    canvas.text({plot.x - 7, y + 3.5}, tick.label, {.size = kTickSize, .align = Align::right});
  }
  const TextStyle style{.size = kLabelSize, .align = Align::centre, .is_upward = true};
  canvas.text({plot.x - 41, plot.y + plot.height / 2}, axis_label(canvas, quantity, plot.height + 40, style),
              style);
}

double share(const ColourRange& range, double value) {
  return (value - range.low) / std::max(range.high - range.low, kMinRange);
}

void draw_cells(Canvas& canvas, const Rectangle& plot, const Panel& panel) {
  const std::size_t n_x = (*panel.axes)[0].values.size(), n_y = (*panel.axes)[1].values.size();
  std::vector<Colour> pixels;
  for (std::size_t row = 0; row < n_y; ++row)  // upward in the picture, and pixels run down
    for (std::size_t column = 0; column < n_x; ++column) {
      const double value = (*panel.values)[column * n_y + (n_y - 1 - row)];
      pixels.push_back(std::isnan(value) ? kNoValue : viridis(share(panel.range, value)));
    }
  canvas.image(plot, pixels, n_x);
  const double width = plot.width / static_cast<double>(n_x), height = plot.height / static_cast<double>(n_y);
  const auto marked = [&](const std::vector<std::uint8_t>& flags) {
    std::vector<Rectangle> cells;
    for (std::size_t i = 0; i < flags.size(); ++i)
      if (flags[i] != 0)
        cells.push_back({plot.x + static_cast<double>(i / n_y) * width,
                         plot.bottom() - static_cast<double>(i % n_y + 1) * height, width, height});
    return cells;
  };
  canvas.hatch(marked(*panel.is_poor));
  if (panel.is_excluded != nullptr) canvas.hatch(marked(*panel.is_excluded), true);
}

void draw_colour_bar(Canvas& canvas, const Rectangle& plot, const ColourRange& range) {
  const Rectangle bar{plot.right() + kBarGap, plot.y, kBarWidth, plot.height};
  std::vector<Colour> colours;
  for (std::size_t k = 0; k < kBarSteps; ++k)
    colours.push_back(viridis(1 - static_cast<double>(k) / (kBarSteps - 1)));
  canvas.image(bar, colours, 1);
  canvas.frame(bar, kInk, 0.8);
  const Scale scale{range.low, range.high, bar.bottom(), bar.y};
  const TextStyle style{.size = kTickSize};
  for (const Tick& tick : ticks(range.low, range.high, 5)) {
    canvas.line({{bar.right(), scale(tick.value)}, {bar.right() + 3, scale(tick.value)}}, kInk);
    canvas.text({bar.right() + 6, scale(tick.value) + 3.5}, tick.label, style);
  }
  const TextStyle arrow{.size = 8.5, .colour = kFaintInk, .align = Align::centre};
  if (range.is_cut) canvas.text({bar.x + bar.width / 2, bar.y - 3}, "▲", arrow);
}

void mark(Canvas& canvas, Point at, bool is_lowest) {
  if (is_lowest)
    canvas.disc(at, 4.5, kAccent, kPaper);
  else
    canvas.disc(at, 3.5, kPaper, kInk);
}

// A cross, seen on light and on dark ground.
void mark_truth(Canvas& canvas, Point at) {
  constexpr double reach = 7;
  for (const auto& [colour, width] : {std::pair{kPaper, 4.0}, std::pair{kInk, 1.6}}) {
    canvas.line({{at.x - reach, at.y}, {at.x + reach, at.y}}, colour, width);
    canvas.line({{at.x, at.y - reach}, {at.x, at.y + reach}}, colour, width);
  }
}

void dashed_upward(Canvas& canvas, double x, const Rectangle& plot) {
  constexpr double dash = 5, gap = 4;
  for (double y = plot.y; y < plot.bottom(); y += dash + gap)
    canvas.line({{x, y}, {x, std::min(y + dash, plot.bottom())}}, kFaintInk, 1.3);
}

void draw_map(Canvas& canvas, const Rectangle& plot, const Panel& panel) {
  const LandscapeAxis &across = (*panel.axes)[0], &upward = (*panel.axes)[1];
  const Scale x = cell_scale(across, plot.x, plot.right()), y = cell_scale(upward, plot.bottom(), plot.y);
  draw_cells(canvas, plot, panel);
  canvas.frame(plot, kInk);
  draw_across(canvas, plot, across, x);
  draw_upward(canvas, plot, scale_of(upward, 0, 1).ticks(6), y, {upward.name, upward.unit, upward.about});
  draw_colour_bar(canvas, plot, panel.range);
  if (panel.truth != nullptr) mark_truth(canvas, {x((*panel.truth)[0]), y((*panel.truth)[1])});
  if (panel.minima == nullptr) return;
  if (panel.networks) draw_networks(canvas, plot, {across.values, upward.values, x, y}, *panel.networks);
  for (std::size_t k = panel.minima->size(); k-- > 0;) {  // the lowest on top
    const std::vector<double>& theta = (*panel.minima)[k].theta;
    mark(canvas, {x(theta[0]), y(theta[1])}, k == 0);
  }
}

void draw_line(Canvas& canvas, const Rectangle& plot, const Panel& panel) {
  const LandscapeAxis& axis = panel.axes->front();
  const double margin = 0.05 * std::max(panel.range.high - panel.range.low, kMinRange);
  const Scale x = scale_of(axis, plot.x, plot.right());
  const Scale y{panel.range.low - margin, panel.range.high + margin, plot.bottom(), plot.y};
  const double half = plot.width / static_cast<double>(axis.values.size() - 1) / 2;
  canvas.clipped(plot, [&] {
    const auto marked = [&](const std::vector<std::uint8_t>& flags) {
      std::vector<Rectangle> strips;
      for (std::size_t i = 0; i < flags.size(); ++i)
        if (flags[i] != 0) strips.push_back({x(axis.values[i]) - half, plot.y, 2 * half, plot.height});
      return strips;
    };
    if (panel.is_excluded != nullptr)
      for (const Rectangle& strip : marked(*panel.is_excluded)) canvas.fill(strip, kNoValue);
    if (panel.networks && !panel.networks->matched.empty())
      draw_matched(canvas, {axis.values, x, y}, *panel.networks);
    canvas.hatch(marked(*panel.is_poor));
    if (panel.band) draw_band(canvas, {axis.values, x, y}, *panel.values, *panel.band);
    if (panel.truth != nullptr) dashed_upward(canvas, x(panel.truth->front()), plot);
    draw_curve(canvas, {axis.values, x, y}, *panel.values, viridis(0.3), 2);
  });
  canvas.frame(plot, kInk);
  draw_across(canvas, plot, axis, x);
  draw_upward(canvas, plot, ticks(y.low, y.high, 5), y, {});
  if (panel.minima == nullptr) return;
  for (std::size_t k = panel.minima->size(); k-- > 0;)
    mark(canvas, {x((*panel.minima)[k].theta[0]), y((*panel.minima)[k].value)}, k == 0);
}

}  // namespace

ColourRange colour_range(const std::vector<double>& values) {
  std::vector<double> sorted;
  for (double value : values)
    if (std::isfinite(value)) sorted.push_back(value);
  if (sorted.empty()) return {};
  std::sort(sorted.begin(), sorted.end());
  const double low = sorted.front(), high = sorted.back(), most = sorted[sorted.size() * 95 / 100];
  const bool is_cut = high - low > 5 * (most - low) && most > low;
  return {low, is_cut ? most : high, is_cut};
}

ColourRange colour_range(std::size_t n_axes, const std::vector<double>& mean, const LandscapeBand& band) {
  std::vector<double> all = mean;
  if (n_axes == 1)
    for (const std::vector<double>& values : band.networks)
      all.insert(all.end(), values.begin(), values.end());
  return colour_range(all);
}

std::string networks_note(std::size_t n_networks, std::size_t n_axes) {
  if (n_networks < 2) return "";
  const char* marks =
      n_axes == 1 ? "the band is one standard deviation between them, thin lines are each of them"
                  : "a dot is the lowest point of one of them; a network trained anew may be lowest anywhere "
                    "within the outline";
  return fmt::format("Mean of {} networks; {}.", n_networks, marks);
}

void draw_panel(Canvas& canvas, Point corner, const Panel& panel) {
  const bool is_map = panel.axes->size() == 2;
  Rectangle plot{corner.x + kPanelPlot.x, corner.y + kPanelPlot.y, kPanelPlot.width + (is_map ? 0 : 40),
                 kPanelPlot.height};
  const double width = kPanelWidth - kPanelPlot.x - 8;
  const TextStyle title{.size = 12.5, .is_bold = true}, subtitle{.size = 9.5, .colour = kFaintInk};
  canvas.text({plot.x, plot.y - 26}, canvas.fitted(panel.title, width, title), title);
  canvas.text({plot.x, plot.y - 12}, canvas.fitted(panel.subtitle, width, subtitle), subtitle);
  if (is_map)
    draw_map(canvas, plot, panel);
  else
    draw_line(canvas, plot, panel);
  const TextStyle caption{.size = 10};
  canvas.paragraph({plot.x - 30, plot.bottom() + 50}, panel.caption, width + 30, 2, caption);
}

}  // namespace greybox
