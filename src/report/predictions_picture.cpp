// Predictions beside what was measured: a plot for each window and output, with bands.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "greybox/counted.hpp"
#include "greybox/predicted_curves.hpp"
#include "report/picture_style.hpp"
#include "report/plot_frame.hpp"

namespace greybox {
namespace {

constexpr double kPredictedWidth = 220, kPredictedHeight = 120, kPredictedGapX = 26, kPredictedGapY = 40,
                 kPredictedLeft = 66, kPredictedRight = 24, kPredictedTitle = 32, kPredictedFooter = 44,
                 kPredictedKey = 22;
constexpr std::size_t kMostPredictedColumns = 3;
constexpr Colour kPredictedLine{0, 0.447, 0.698}, kNetworkBand{0.75, 0.86, 0.93}, kDrawBand{0.97, 0.82, 0.66},
    kPredictedGrid{0.92, 0.92, 0.93};

// Plots of one window beside those of the next; wrapped where the picture is narrow.
struct PredictedLayout {
  std::size_t n_windows, n_outputs, n_columns;
  double plot_width;

  std::size_t n_rows() const { return (n_windows + n_columns - 1) / n_columns; }
  double width() const {
    const auto n = static_cast<double>(n_columns);
    return kPredictedLeft + n * plot_width + (n - 1) * kPredictedGapX + kPredictedRight;
  }
  double row_height() const { return kPredictedHeight + kPredictedGapY; }
  double output_height() const { return kPredictedTitle + static_cast<double>(n_rows()) * row_height(); }
};

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void include(const std::vector<double>& values) {
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  bool is_empty() const { return !(high >= low); }
  Range widened(double share) const {
    if (is_empty()) return {0, 1};
    const double margin = high > low ? share * (high - low) : std::max(0.1 * std::abs(high), 1e-9);
    return {low - margin, high + margin};
  }
};

// One scale for all windows, so that large and small look it.
Range range_of_output(const PredictedCurves& curves, std::size_t output) {
  Range range;
  for (const CurvesOfWindow& window : curves.windows) {
    const PredictedCurve& curve = window.curves[output];
    for (const std::vector<double>* values : {&curve.measured, &curve.predicted, &curve.networks.low,
                                              &curve.networks.high, &curve.draws.low, &curve.draws.high})
      range.include(*values);
  }
  return range.widened(0.06);
}

// Calls f(first, end) for each run of places that are all there.
template <class Test, class F>
void for_pieces(std::size_t n, Test&& is_there, F&& f) {
  for (std::size_t i = 0; i < n;) {
    while (i < n && !is_there(i)) ++i;
    const std::size_t first = i;
    while (i < n && is_there(i)) ++i;
    if (i > first) f(first, i);
  }
}

void draw_band(Canvas& canvas, const PlotFrame& frame, const std::vector<double>& at, const CurveBand& band,
               const Colour& colour) {
  for_pieces(
      band.low.size(), [&](std::size_t i) { return std::isfinite(band.high[i] - band.low[i]); },
      [&](std::size_t first, std::size_t end) {
        std::vector<Point> corners;
        for (std::size_t i = first; i < end; ++i) corners.push_back({frame.x(at[i]), frame.y(band.high[i])});
        for (std::size_t i = end; i-- > first;) corners.push_back({frame.x(at[i]), frame.y(band.low[i])});
        canvas.area(corners, colour);
      });
}

void draw_predicted(Canvas& canvas, const PlotFrame& frame, const PredictedCurve& curve, bool is_scattered) {
  if (is_scattered) {
    for (std::size_t i = 0; i < curve.at.size(); ++i)
      if (std::isfinite(curve.predicted[i]))
        canvas.disc({frame.x(curve.at[i]), frame.y(curve.predicted[i])}, 1.6, kPredictedLine, kPredictedLine);
    return;
  }
  for_pieces(
      curve.at.size(), [&](std::size_t i) { return std::isfinite(curve.predicted[i]); },
      [&](std::size_t first, std::size_t end) {
        std::vector<Point> points;
        for (std::size_t i = first; i < end; ++i)
          points.push_back({frame.x(curve.at[i]), frame.y(curve.predicted[i])});
        canvas.line(points, kPredictedLine, 1.6);
      });
}

void draw_curve(Canvas& canvas, const PredictedCurves& curves, const PredictedCurve& curve,
                const PlotFrame& frame, bool has_ticks_upward, const std::string& across) {
  for (const Tick& tick : frame.y.ticks(4))
    canvas.line({{frame.area.x, frame.y(tick.value)}, {frame.area.right(), frame.y(tick.value)}},
                kPredictedGrid);
  canvas.clipped(frame.area, [&] {
    if (!curves.is_scattered) {
      draw_band(canvas, frame, curve.at, curve.networks, kNetworkBand);
      draw_band(canvas, frame, curve.at, curve.draws, kDrawBand);
    }
    draw_predicted(canvas, frame, curve, curves.is_scattered);
    for (std::size_t i = 0; i < curve.measured.size(); ++i)
      if (std::isfinite(curve.measured[i]))
        canvas.disc({frame.x(curve.measured_at[i]), frame.y(curve.measured[i])}, 1.9, kInk, kInk);
  });
  draw_frame(canvas, frame, {.across = across, .upward = "", .has_ticks_upward = has_ticks_upward});
}

// All windows of one output; gives where the next begins.
double draw_output(Canvas& canvas, const PredictedCurves& curves, std::size_t output,
                   const PredictedLayout& layout, double top) {
  const TextStyle bold{.size = kLabelSize, .is_bold = true};
  canvas.text({kPredictedLeft, top + 8}, curves.windows.front().curves[output].name, bold);
  const Range range = range_of_output(curves, output);
  for (std::size_t w = 0; w < curves.windows.size(); ++w) {
    const PredictedCurve& curve = curves.windows[w].curves[output];
    const std::size_t n_above = w / layout.n_columns;
    const auto column = static_cast<double>(w % layout.n_columns), row = static_cast<double>(n_above);
    const Rectangle area{kPredictedLeft + column * (layout.plot_width + kPredictedGapX),
                         top + kPredictedTitle + row * layout.row_height(), layout.plot_width,
                         kPredictedHeight - 6};
    Range across;
    across.include(curve.at);
    across.include(curve.measured_at);
    across = across.widened(0.015);
    const PlotFrame frame = plot_frame(area, across.low, across.high, range.low, range.high);
    const bool is_lowest = w + layout.n_columns >= curves.windows.size() && output + 1 == layout.n_outputs;
    draw_curve(canvas, curves, curve, frame, w % layout.n_columns == 0, is_lowest ? curves.across : "");
    const TextStyle style{.size = kTickSize, .colour = kFaintInk};
    canvas.text({area.x, area.y - 5}, canvas.fitted(curves.windows[w].name, area.width, style), style);
  }
  return top + layout.output_height();
}

struct KeyEntry {
  std::string text;
  Colour colour;
  bool is_band = false, is_disc = false;
};

std::vector<KeyEntry> key_of(const PredictedCurves& curves) {
  std::vector<KeyEntry> key = {{.text = "measured", .colour = kInk, .is_disc = true},
                               {.text = "predicted", .colour = kPredictedLine}};
  key.back().is_disc = curves.is_scattered;
  if (curves.is_scattered) return key;
  if (curves.n_networks > 1)
    key.push_back({fmt::format("range of {} networks", curves.n_networks), kNetworkBand, true});
  if (curves.n_draws > 1)
    key.push_back(
        {fmt::format("{:g} % of {} draws of θ", 100 * curves.level, curves.n_draws), kDrawBand, true});
  return key;
}

constexpr double kKeySign = 22, kKeyGap = 20, kLetterOfKey = 0.56 * kTickSize;

double width_of(const KeyEntry& entry) {
  const auto is_letter = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; };
  return kKeySign + kLetterOfKey * static_cast<double>(std::ranges::count_if(entry.text, is_letter)) +
         kKeyGap;
}

// Where each entry stands, in lines of this width.
std::vector<Point> places_of_key(const std::vector<KeyEntry>& key, double width) {
  std::vector<Point> places;
  Point at{kPredictedLeft, 0};
  for (const KeyEntry& entry : key) {
    if (at.x > kPredictedLeft && at.x + width_of(entry) > width) at = {kPredictedLeft, at.y + 15};
    places.push_back(at);
    at.x += width_of(entry);
  }
  return places;
}

void draw_key(Canvas& canvas, const std::vector<KeyEntry>& key, const std::vector<Point>& places,
              double top) {
  for (std::size_t k = 0; k < key.size(); ++k) {
    const double x = places[k].x, y = top + places[k].y + 6;
    if (key[k].is_disc)
      canvas.disc({x + 9, y}, 2.4, key[k].colour, key[k].colour);
    else if (key[k].is_band)
      canvas.fill({x, y - 5, 18, 10}, key[k].colour);
    else
      canvas.line({{x, y}, {x + 18, y}}, key[k].colour, 1.8);
    canvas.text({x + kKeySign, y + 3.5}, key[k].text, {.size = kTickSize});
  }
}

std::string at_theta(const PredictedCurves& curves) {
  std::string text;
  for (const std::string& name : curves.parameters)
    if (const auto found = curves.theta.find(name); found != curves.theta.end())
      text += fmt::format("{}{} = {:.4g}", text.empty() ? "At " : ", ", name, found->second);
  return text;
}

std::vector<std::string> notes_of_predictions(const PredictedCurves& curves) {
  const bool is_points = curves.windows.size() == 1 && curves.windows.front().name.empty();
  const std::string of = curves.on == "all" ? "" : curves.on + " ";
  return {
      fmt::format("On {}", is_points ? counted(curves.windows.front().curves.front().at.size(), of + "point")
                                     : counted(curves.windows.size(), of + "window")),
      at_theta(curves)};
}

}  // namespace

std::vector<std::filesystem::path> draw_pictures(const PredictedCurves& curves,
                                                 const std::filesystem::path& folder,
                                                 const PictureStyle& style) {
  std::vector<std::filesystem::path> files = picture_files(folder, "predictions", style);
  if (curves.windows.empty() || curves.windows.front().curves.empty()) return {};
  const std::size_t n_most = n_columns_for(style, kPredictedWidth + kPredictedGapX,
                                           kPredictedLeft + kPredictedRight, kMostPredictedColumns);
  const PredictedLayout layout{
      curves.windows.size(), curves.windows.front().curves.size(), std::min(n_most, curves.windows.size()),
      // One alone has room.
      curves.windows.size() == 1 && style.width == 0 ? 2 * kPredictedWidth : kPredictedWidth};
  const PictureFit fit = fit_picture(style, layout.width());
  const FigureHeader above(curves.model + ": predictions", notes_of_predictions(curves), fit);
  const std::vector<KeyEntry> key = key_of(curves);
  const std::vector<Point> places = places_of_key(key, layout.width() - kPredictedRight);
  const double key_top = above.height(), top = key_top + kPredictedKey + places.back().y;
  const double height = top + static_cast<double>(layout.n_outputs) * layout.output_height() +
                        kPredictedFooter - kPredictedGapY;
  const auto draw = [&](Canvas& canvas) {
    above.draw(canvas);
    draw_key(canvas, key, places, key_top);
    double y = top;
    for (std::size_t output = 0; output < layout.n_outputs; ++output)
      y = draw_output(canvas, curves, output, layout, y);
  };
  draw_picture(files, layout.width(), height, draw, fit.scale);
  return files;
}

}  // namespace greybox
