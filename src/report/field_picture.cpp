// Fields as images, in rows that share their colours.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/figure_picture.hpp"
#include "report/picture_style.hpp"

namespace greybox {
namespace {

constexpr double kFieldSize = 128, kFieldGap = 12, kFieldLeft = 108, kFieldRight = 96, kFieldTitleSize = 10.5;
constexpr std::size_t kFieldBarSteps = 96;

struct Range {
  double low = 0, high = 1;
};

Range range_of(const FieldRow& row) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const FieldImage& image : row.images)
    for (double value : image.values) {
      low = std::fmin(low, value);
      high = std::fmax(high, value);
    }
  if (!(high >= low)) return {};
  if (row.is_signed)
    return {-std::max(std::abs(low), std::abs(high)), std::max(std::abs(low), std::abs(high))};
  return {low, high};
}

// Blue below 0, white at 0, red above: for what may have either sign; else viridis.
Colour colour_of(double share, bool is_signed) {
  if (!is_signed) return viridis(share);
  const double away = std::min(1.0, std::abs(2 * share - 1));
  const Colour end = share < 0.5 ? Colour{0.13, 0.4, 0.67} : Colour{0.7, 0.09, 0.17};
  const auto mixed = [&](double channel) { return 1 - away * (1 - channel); };
  return {mixed(end.red), mixed(end.green), mixed(end.blue)};
}

void draw_bar(Canvas& canvas, const Rectangle& bar, const Range& range, bool is_signed) {
  std::vector<Colour> colours;
  for (std::size_t k = 0; k < kFieldBarSteps; ++k)
    colours.push_back(colour_of(1 - static_cast<double>(k) / (kFieldBarSteps - 1), is_signed));
  canvas.image(bar, colours, 1);
  canvas.frame(bar, kInk, 0.8);
  canvas.text({bar.right() + 6, bar.y + 9}, fmt::format("{:.2g}", range.high), {.size = 9.5});
  canvas.text({bar.right() + 6, bar.bottom()}, fmt::format("{:.2g}", range.low), {.size = 9.5});
}

void draw_row(Canvas& canvas, const FieldRow& row, double y, std::size_t width) {
  const Range range = range_of(row);
  const double span = std::max(range.high - range.low, 1e-300);
  const TextStyle name{.size = 11, .align = Align::right, .is_bold = true};
  canvas.text({kFieldLeft - 12, y + kFieldSize / 2}, row.title, name);
  Rectangle area{kFieldLeft, y, kFieldSize, kFieldSize};
  for (const FieldImage& image : row.images) {
    std::vector<Colour> pixels;
    for (double value : image.values)
      pixels.push_back(std::isnan(value) ? kNoValue : colour_of((value - range.low) / span, row.is_signed));
    canvas.image(area, pixels, width);
    canvas.frame(area, kInk, 0.8);
    canvas.text({area.x, y - 5}, image.title, {.size = kFieldTitleSize});
    area.x += kFieldSize + kFieldGap;
  }
  draw_bar(canvas, {area.x, y, 11, kFieldSize}, range, row.is_signed);
}

}  // namespace

void draw_fields(const FieldFigure& figure, const std::vector<std::filesystem::path>& files,
                 const PictureStyle& style) {
  std::size_t n_columns = 0;
  for (const FieldRow& row : figure.rows) n_columns = std::max(n_columns, row.images.size());
  const PictureFit fit = fit_picture(
      style,
      std::max(640.0, kFieldLeft + static_cast<double>(n_columns) * (kFieldSize + kFieldGap) + kFieldRight));
  const FigureHeader above(figure.title, figure.notes, fit);
  const double top = above.height() + 12, row_height = kFieldSize + 30;
  const auto draw = [&](Canvas& canvas) {
    above.draw(canvas);
    for (std::size_t r = 0; r < figure.rows.size(); ++r)
      draw_row(canvas, figure.rows[r], top + static_cast<double>(r) * row_height, figure.width);
  };
  draw_picture(files, fit.width, top + static_cast<double>(figure.rows.size()) * row_height, draw, fit.scale);
}

}  // namespace greybox
