// The picture of the comparison with retrained networks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "greybox/counted.hpp"
#include "report/landscape_panel.hpp"
#include "report/picture_style.hpp"
#include "report/plot_frame.hpp"
#include "report/retrained.hpp"

namespace greybox {
namespace {

constexpr Rectangle kRetrainedPlot{66, 44, 205, 205};  // within the panel
constexpr double kPanelSide = 322, kCap = 3;
constexpr std::size_t kMostTicks = 5;
constexpr Colour kDiagonal{0.72, 0.72, 0.75}, kWithin{0.19, 0.41, 0.56};

// The values of one regularizer at all θ.
std::vector<RetrainedValue> values_of(const std::vector<RetrainedPoint>& points, std::size_t regularizer) {
  std::vector<RetrainedValue> values;
  for (const RetrainedPoint& point : points) values.push_back(point.values[regularizer]);
  return values;
}

double band_or_zero(const RetrainedValue& value) {
  return std::isnan(value.band) ? 0 : value.band;
}

// Both axes run over the same numbers, so that equality is the diagonal.
Scale common_scale(const std::vector<RetrainedValue>& values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const RetrainedValue& value : values) {
    low = std::fmin(low, std::fmin(value.adaptive - band_or_zero(value), value.retrained));
    high = std::fmax(high, std::fmax(value.adaptive + band_or_zero(value), value.retrained));
  }
  if (!(low < high)) return {low - 1, low + 1, 0, 1};
  const double margin = 0.06 * (high - low);
  return {low - margin, high + margin, 0, 1};
}

void draw_axes(Canvas& canvas, const Rectangle& plot, const Scale& x, const Scale& y) {
  for (const Tick& tick : ticks(x.low, x.high, kMostTicks)) {
    const double across = x(tick.value), up = y(tick.value);
    canvas.line({{across, plot.bottom()}, {across, plot.bottom() + kTickLength}}, kInk);
    canvas.text({across, plot.bottom() + 15}, tick.label, {.size = kTickSize, .align = Align::centre});
    canvas.line({{plot.x - kTickLength, up}, {plot.x, up}}, kInk);
    canvas.text({plot.x - 7, up + 3.5}, tick.label, {.size = kTickSize, .align = Align::right});
  }
  canvas.frame(plot, kInk);
  const TextStyle across{.size = kLabelSize, .align = Align::centre};
  const TextStyle upward{.size = kLabelSize, .align = Align::centre, .is_upward = true};
  canvas.text({plot.x + plot.width / 2, plot.bottom() + 32}, "R, retrained at this θ alone", across);
  canvas.text({plot.x - 48, plot.y + plot.height / 2}, "R, adaptive", upward);
}

void draw_value(Canvas& canvas, const RetrainedValue& value, const Scale& x, const Scale& y) {
  if (std::isnan(value.retrained) || std::isnan(value.adaptive)) return;
  const bool has_band = !std::isnan(value.band);
  const Colour colour = has_band && !value.is_within ? kAccent : kWithin;
  const double at = x(value.retrained);
  if (has_band) {
    const double top = y(value.adaptive + value.band), bottom = y(value.adaptive - value.band);
    canvas.line({{at, top}, {at, bottom}}, colour, 1.3);
    canvas.line({{at - kCap, top}, {at + kCap, top}}, colour, 1.3);
    canvas.line({{at - kCap, bottom}, {at + kCap, bottom}}, colour, 1.3);
  }
  canvas.disc({at, y(value.adaptive)}, 3, colour, kPaper);
}

std::string caption_of(const RetrainedSummary& summary, bool has_bands) {
  return fmt::format("off by {:.2g} % of the range (median){}", 100 * summary.median_difference,
                     has_bands ? fmt::format("; {} of {} within", summary.n_within, summary.n_points) : "");
}

void draw_scatter(Canvas& canvas, Point corner, const std::vector<RetrainedValue>& values,
                  const std::string& caption) {
  const Rectangle plot{corner.x + kRetrainedPlot.x, corner.y + kRetrainedPlot.y, kRetrainedPlot.width,
                       kRetrainedPlot.height};
  const Scale common = common_scale(values);
  const Scale x{common.low, common.high, plot.x, plot.right()},
      y{common.low, common.high, plot.bottom(), plot.y};
  const TextStyle title{.size = 12.5, .is_bold = true};
  canvas.text({plot.x, plot.y - 12}, canvas.fitted("R: " + values[0].regularizer, plot.width, title), title);
  canvas.line({{plot.x, plot.bottom()}, {plot.right(), plot.y}}, kDiagonal, 1.2);
  draw_axes(canvas, plot, x, y);
  for (const RetrainedValue& value : values) draw_value(canvas, value, x, y);
  const TextStyle style{.size = 10};
  canvas.text({plot.x, plot.bottom() + 52}, canvas.fitted(caption, plot.width + 35, style), style);
}

std::string about(const Landscape& report) {
  const std::size_t n = report.grids[0].seeds.size();
  if (n < 2) return "One adaptive network: without bands; several give them.";
  return fmt::format(
      "Mean of {} adaptive networks; bars hold one more of them in 95 % of cases; red: outside.", n);
}

}  // namespace

void draw_retrained(const Landscape& report, const std::vector<std::filesystem::path>& files,
                    const PictureStyle& style) {
  const std::size_t n = report.retrained[0].values.size();
  const std::size_t n_most = n_columns_for(style, kPanelSide, 2 * kPicturePadding, kMostColumns);
  const std::size_t n_rows = (n + n_most - 1) / n_most, n_columns = (n + n_rows - 1) / n_rows;
  const PictureFit fit =
      fit_picture(style, 2 * kPicturePadding + static_cast<double>(n_columns) * kPanelSide);
  const FigureHeader above(
      report.grids[0].model + ": the landscape against retraining",
      {fmt::format("At {} of θ, on {}", counted(report.retrained.size(), "value"), report.grids[0].split),
       about(report)},
      fit);
  const auto draw = [&](Canvas& canvas) {
    above.draw(canvas);
    for (std::size_t k = 0; k < n; ++k)
      draw_scatter(canvas,
                   {kPicturePadding + static_cast<double>(k % n_columns) * kPanelSide,
                    above.height() + static_cast<double>(k / n_columns) * kPanelSide},
                   values_of(report.retrained, k),
                   caption_of(report.retrained_summary[k], report.grids[0].seeds.size() > 1));
  };
  draw_picture(files, fit.width, above.height() + static_cast<double>(n_rows) * kPanelSide, draw, fit.scale);
}

}  // namespace greybox
