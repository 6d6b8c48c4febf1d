// Rows of lines stacked over one axis, usually time.
#include <algorithm>
#include <array>
#include <cmath>

#include "report/figure_picture.hpp"
#include "report/picture_style.hpp"
#include "report/stacked_rows.hpp"

namespace greybox {
namespace {

constexpr double kSeriesWidth = 820, kSeriesLeast = 300, kSeriesRight = 24, kSeriesHeight = 66,
                 kSeriesFooter = 50;
constexpr Colour kSeriesGrid{0.92, 0.92, 0.93};
// Blue, vermilion and green of Okabe and Ito, safe for colour-blind readers.
constexpr std::array<Colour, 3> kSeriesColours = {{{0, 0.447, 0.698}, {0.835, 0.369, 0}, {0, 0.62, 0.451}}};

// A little more than the values' range; a constant gets room as well.
Scale upward(const SeriesRow& row, const Rectangle& plot) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const SeriesLine& line : row.lines)
    for (double value : line.values) {
      low = std::fmin(low, value);
      high = std::fmax(high, value);
    }
  if (!(high >= low)) return {0, 1, plot.bottom(), plot.y};
  const double margin = high > low ? 0.08 * (high - low) : std::max(0.1 * std::abs(high), 1e-9);
  return {low - margin, high + margin, plot.bottom(), plot.y};
}

// Pieces of a line between values that are not numbers.
void draw_values(Canvas& canvas, const std::vector<double>& x, const std::vector<double>& values,
                 const Scale& across, const Scale& up, const Colour& colour) {
  std::vector<Point> piece;
  const auto end_piece = [&] {
    if (piece.size() > 1) canvas.line(piece, colour, 1.6);
    piece.clear();
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i]))
      end_piece();
    else
      piece.push_back({across(x[i]), up(values[i])});
  }
  end_piece();
}

void draw_row(Canvas& canvas, const SeriesFigure& figure, const SeriesRow& row, const Rectangle& plot,
              const Scale& across, const RowLayout& layout) {
  const Scale up = upward(row, plot);
  for (const Tick& tick : ticks(up.low, up.high, 3)) {
    canvas.line({{plot.x, up(tick.value)}, {plot.right(), up(tick.value)}}, kSeriesGrid);
    canvas.text({plot.x - 6, up(tick.value) + 3.5}, tick.label, {.size = kTickSize, .align = Align::right});
  }
  double label_at = plot.right() - 6;
  for (std::size_t k = row.lines.size(); k-- > 0;) {
    const Colour& colour = kSeriesColours[k % kSeriesColours.size()];
    draw_values(canvas, figure.x, row.lines[k].values, across, up, colour);
    const TextStyle style{.size = kTickSize, .colour = colour, .align = Align::right, .is_bold = true};
    canvas.text({label_at, plot.y + 11}, row.lines[k].label, style);
    label_at -= canvas.text_width(row.lines[k].label, style) + 12;
  }
  canvas.frame(plot, kInk, 0.8);
  draw_row_title(canvas, row.title, plot, layout);
}

}  // namespace

void draw_series(const SeriesFigure& figure, const std::vector<std::filesystem::path>& files,
                 const PictureStyle& style) {
  const PictureFit fit = fit_picture(style, kSeriesWidth, kSeriesLeast);
  const FigureHeader above(figure.title, figure.notes, fit);
  const RowLayout layout = row_layout(fit.width);
  const auto n_rows = static_cast<double>(figure.rows.size());
  const double top = above.height() + layout.above,
               height = top + n_rows * (kSeriesHeight + layout.gap) + kSeriesFooter;
  const auto draw = [&](Canvas& canvas) {
    above.draw(canvas);
    Rectangle plot{layout.left, top, fit.width - layout.left - kSeriesRight, kSeriesHeight};
    const Scale across{figure.x.front(), figure.x.back(), plot.x, plot.right()};
    for (const SeriesRow& row : figure.rows) {
      draw_row(canvas, figure, row, plot, across, layout);
      plot.y += kSeriesHeight + layout.gap;
    }
    draw_shared_axis(canvas, across, plot, plot.y - layout.gap, figure.x_label);
  };
  draw_picture(files, fit.width, height, draw, fit.scale);
}

}  // namespace greybox
