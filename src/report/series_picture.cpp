// Rows of lines stacked over one axis, usually time.
#include <algorithm>
#include <array>
#include <cmath>

#include "report/figure_picture.hpp"
#include "report/plot_frame.hpp"

namespace greybox {
namespace {

constexpr double kSeriesWidth = 820, kSeriesLeft = 126, kSeriesRight = 24, kSeriesHeight = 66,
                 kSeriesGap = 12, kSeriesFooter = 50;
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
              const Scale& across) {
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
  const TextStyle name{.size = kLabelSize, .align = Align::right, .is_bold = true};
  canvas.text({plot.x - 42, plot.y + plot.height / 2 + 4}, row.title, name);
}

}  // namespace

void draw_series(const SeriesFigure& figure, const std::vector<std::filesystem::path>& files) {
  const double header = header_height(figure.notes);
  const auto n_rows = static_cast<double>(figure.rows.size());
  const double height = header + n_rows * (kSeriesHeight + kSeriesGap) + kSeriesFooter;
  draw_picture(files, kSeriesWidth, height, [&](Canvas& canvas) {
    draw_header(canvas, figure.title, figure.notes, kSeriesWidth);
    Rectangle plot{kSeriesLeft, header, kSeriesWidth - kSeriesLeft - kSeriesRight, kSeriesHeight};
    const Scale across{figure.x.front(), figure.x.back(), plot.x, plot.right()};
    for (const SeriesRow& row : figure.rows) {
      draw_row(canvas, figure, row, plot, across);
      plot.y += kSeriesHeight + kSeriesGap;
    }
    const double bottom = plot.y - kSeriesGap;
    for (const Tick& tick : ticks(across.low, across.high, 9)) {
      canvas.line({{across(tick.value), bottom}, {across(tick.value), bottom + 4}}, kInk);
      canvas.text({across(tick.value), bottom + 16}, tick.label, {.size = kTickSize, .align = Align::centre});
    }
    canvas.text({plot.x + plot.width / 2, bottom + 34}, figure.x_label,
                {.size = kLabelSize, .align = Align::centre});
  });
}

}  // namespace greybox
