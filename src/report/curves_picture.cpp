// Training curves: L and R over the epochs, each in a plot of its own.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/limits.hpp"
#include "report/picture_style.hpp"
#include "report/plot_frame.hpp"

namespace greybox {
namespace {

constexpr double kCurvesWidth = 400, kCurvesLeft = 70, kCurvesRight = 24, kCurvesHeight = 150,
                 kCurvesGap = 46;
constexpr Colour kCurvesGrid{0.92, 0.92, 0.93};

struct Curve {
  const char* label;
  double EpochReport::*value;
  Colour colour;
};

struct CurvesPlot {
  const char* title;
  std::array<Curve, 2> curves;
};

constexpr Colour kTrained{0, 0.447, 0.698}, kValidated{0.835, 0.369, 0};
constexpr std::array<CurvesPlot, 2> kCurvesPlots = {
    {{"L",
      {{{"training", &EpochReport::loss, kTrained},
        {"validation", &EpochReport::validation_loss, kValidated}}}},
     {"R",
      {{{"training", &EpochReport::regularizer, kTrained},
        {"validation", &EpochReport::validation_regularizer, kValidated}}}}}};

// Logarithmic unless something is not positive.
Scale upward(const std::vector<EpochReport>& epochs, const CurvesPlot& plot, const Rectangle& area) {
  double low = kInfinity, high = -kInfinity;
  for (const EpochReport& epoch : epochs)
    for (const Curve& curve : plot.curves)
      if (const double value = epoch.*curve.value; std::isfinite(value)) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
  if (!(high >= low)) return {0, 1, area.bottom(), area.y};
  if (low > 0) return {low / 1.15, high * 1.15, area.bottom(), area.y, true};
  const double margin = high > low ? 0.06 * (high - low) : 1;
  return {low - margin, high + margin, area.bottom(), area.y};
}

// Validations come every few epochs: those that there are, are joined.
std::vector<Point> points_of(const std::vector<EpochReport>& epochs, const Curve& curve, const Scale& across,
                             const Scale& up) {
  std::vector<Point> points;
  for (const EpochReport& epoch : epochs)
    if (const double value = epoch.*curve.value; std::isfinite(value))
      points.push_back({across(static_cast<double>(epoch.epoch)), up(value)});
  return points;
}

void draw_plot(Canvas& canvas, const std::vector<EpochReport>& epochs, const CurvesPlot& plot,
               const Rectangle& area, const Scale& across) {
  const Scale up = upward(epochs, plot, area);
  for (const Tick& tick : up.ticks(5)) {
    canvas.line({{area.x, up(tick.value)}, {area.right(), up(tick.value)}}, kCurvesGrid);
    canvas.text({area.x - 6, up(tick.value) + 3.5}, tick.label, {.size = kTickSize, .align = Align::right});
  }
  double label_at = area.x;
  for (const Curve& curve : plot.curves) {
    const std::vector<Point> points = points_of(epochs, curve, across, up);
    if (points.empty()) continue;
    canvas.clipped(area, [&] { canvas.line(points, curve.colour, 1.2); });
    const TextStyle style{.size = kTickSize, .colour = curve.colour, .is_bold = true};
    canvas.text({label_at, area.y - 5}, curve.label, style);
    label_at += canvas.text_width(curve.label, style) + 12;
  }
  canvas.frame(area, kInk, 0.8);
  for (const Tick& tick : across.ticks(5)) {
    const double x = across(tick.value);
    canvas.line({{x, area.bottom()}, {x, area.bottom() + kTickLength}}, kInk);
    canvas.text({x, area.bottom() + 15}, tick.label, {.size = kTickSize, .align = Align::centre});
  }
  canvas.text({area.x - 48, area.y + area.height / 2}, plot.title,
              {.size = kLabelSize, .align = Align::centre, .is_bold = true});
}

}  // namespace

std::vector<std::filesystem::path> draw_curves(const std::vector<EpochReport>& epochs,
                                               const std::string& title, const std::filesystem::path& folder,
                                               const PictureStyle& style) {
  std::vector<std::filesystem::path> files;
  if (epochs.empty()) return files;
  for (const char* ending : {".svg", ".png", ".pdf"})
    files.push_back(folder / (std::string("curves") + ending));
  const PictureFit fit = fit_picture(style, kCurvesWidth);
  const FigureHeader above(title, {}, fit);
  // Room for the names of the curves, which stand above their plot.
  const double header = above.height() + 8;
  const double height = header + 2 * (kCurvesHeight + kCurvesGap);
  draw_picture(
      files, kCurvesWidth, height,
      [&](Canvas& canvas) {
        above.draw(canvas);
        Rectangle area{kCurvesLeft, header, kCurvesWidth - kCurvesLeft - kCurvesRight, kCurvesHeight};
        const double last = std::max<double>(2, static_cast<double>(epochs.back().epoch));
        const Scale across{1, last, area.x, area.right()};
        for (const CurvesPlot& plot : kCurvesPlots) {
          draw_plot(canvas, epochs, plot, area, across);
          area.y += kCurvesHeight + kCurvesGap;
        }
        canvas.text({area.x + area.width / 2, area.y - 12}, "epoch",
                    {.size = kLabelSize, .align = Align::centre});
      },
      fit.scale);
  return files;
}

}  // namespace greybox
