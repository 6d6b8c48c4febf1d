#include "report/theories_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "greybox/counted.hpp"
#include "report/picture_style.hpp"
#include "report/plot_frame.hpp"

namespace greybox {
namespace {

constexpr double kTheoriesWidth = 900, kTheoriesLeastWidth = 560, kTheoriesName = 150, kTheoriesPlot = 190,
                 kTheoriesGap = 28, kTheoriesLine = 15, kTheoriesLeast = 44, kTheoriesFooter = 66;
constexpr Colour kTheoriesBlue{0, 0.447, 0.698}, kTheoriesOrange{0.835, 0.369, 0},
    kTheoriesGrid{0.92, 0.92, 0.93};

std::vector<std::string> verdict_lines(const ComparedTheory& theory) {
  std::vector<std::string> lines;
  for (const Verdict& verdict : theory.verdicts.verdicts) {
    const bool has_interval = verdict.interval.second > verdict.interval.first;
    const std::string interval =
        has_interval ? fmt::format(", {:.3g} to {:.3g}", verdict.interval.first, verdict.interval.second)
                     : "";
    lines.push_back(fmt::format("{}: {}{}", verdict.parameter, name_of(verdict.finding), interval));
  }
  return lines;
}

double row_height(const ComparedTheory& theory) {
  return std::max(kTheoriesLeast, kTheoriesLine * static_cast<double>(theory.verdicts.verdicts.size()) + 14);
}

double farthest_behind(const TheoryComparison& comparison) {
  double most = 0;
  for (const ComparedTheory& one : comparison.theories) {
    const double error = std::isnan(one.behind_best_error) ? 0 : one.behind_best_error;
    if (std::isfinite(one.behind_best)) most = std::max(most, one.behind_best + 2 * error);
  }
  return most > 0 ? 1.08 * most : 1;
}

void draw_axis(Canvas& canvas, const Rectangle& plot, const Scale& scale, const std::string& label) {
  for (const Tick& tick : ticks(scale.low, scale.high, 4)) {
    canvas.line({{scale(tick.value), plot.y}, {scale(tick.value), plot.bottom()}}, kTheoriesGrid);
    canvas.text({scale(tick.value), plot.bottom() + 15}, tick.label,
                {.size = kTickSize, .align = Align::centre});
  }
  canvas.frame(plot, kInk, 0.8);
  const TextStyle style{.size = kTickSize, .align = Align::centre};
  canvas.paragraph({plot.x + plot.width / 2, plot.bottom() + 33}, label, plot.width + kTheoriesGap - 8, 3,
                   style);
}

struct TheoryColumns {
  Rectangle behind, share;
  Scale behind_scale, share_scale;
  double names = 0, verdicts = 0, end = 0;
};

void draw_theory(Canvas& canvas, const ComparedTheory& theory, const TheoryColumns& columns, double y,
                 double height) {
  const double middle = y + height / 2;
  const TextStyle name{.size = kLabelSize, .is_bold = true};
  canvas.text({24, middle + 4}, canvas.fitted(theory.name, columns.names - 10, name), name);
  if (std::isfinite(theory.behind_best)) {
    const double x = columns.behind_scale(theory.behind_best);
    const double error = std::isnan(theory.behind_best_error) ? 0 : 2 * theory.behind_best_error;
    canvas.clipped(columns.behind, [&] {
      canvas.line({{columns.behind_scale(theory.behind_best - error), middle},
                   {columns.behind_scale(theory.behind_best + error), middle}},
                  kTheoriesBlue, 1.4);
      canvas.disc({x, middle}, 4.5, kTheoriesBlue, kTheoriesBlue);
    });
  }
  if (std::isfinite(theory.network_share))
    canvas.fill(
        {columns.share.x, middle - 8, columns.share_scale(theory.network_share) - columns.share.x, 16},
        kTheoriesOrange);
  const std::vector<std::string> lines = verdict_lines(theory);
  const TextStyle small{.size = kTickSize + 0.5};
  double line_y = middle - kTheoriesLine * (static_cast<double>(lines.size()) - 1) / 2 + 4;
  for (const std::string& line : lines) {
    canvas.text({columns.verdicts, line_y}, canvas.fitted(line, columns.end - columns.verdicts, small),
                small);
    line_y += kTheoriesLine;
  }
}

}  // namespace

void draw_theories(const TheoryComparison& comparison, const std::vector<std::filesystem::path>& files,
                   const PictureStyle& style) {
  const PictureFit fit = fit_picture(style, kTheoriesWidth, kTheoriesLeastWidth);
  const FigureHeader above("Theories of the same data",
                           {fmt::format("on {}; bars of the likelihood are two standard errors over windows",
                                        counted(comparison.n_windows, comparison.split + " window")),
                            "verdicts under the regularizer that each was trained with"},
                           fit);
  const double top = above.height() + 8, share = fit.width / kTheoriesWidth;
  double height = 0;
  for (const ComparedTheory& theory : comparison.theories) height += row_height(theory);
  TheoryColumns columns;
  columns.names = share * kTheoriesName;
  columns.behind = {24 + columns.names, top, share * kTheoriesPlot, height};
  columns.share = {columns.behind.right() + kTheoriesGap, top, share * kTheoriesPlot, height};
  columns.verdicts = columns.share.right() + kTheoriesGap;
  columns.end = fit.width - 20;
  columns.behind_scale = {-0.06 * farthest_behind(comparison), farthest_behind(comparison), columns.behind.x,
                          columns.behind.right()};
  columns.share_scale = {0, 1, columns.share.x, columns.share.right()};
  const auto draw = [&](Canvas& canvas) {
    above.draw(canvas);
    draw_axis(canvas, columns.behind, columns.behind_scale, "log-likelihood per value, behind the best");
    draw_axis(canvas, columns.share, columns.share_scale, "share of the network, |f_D|²");
    double y = top;
    for (const ComparedTheory& theory : comparison.theories) {
      draw_theory(canvas, theory, columns, y, row_height(theory));
      y += row_height(theory);
    }
  };
  draw_picture(files, fit.width, top + height + kTheoriesFooter, draw, fit.scale);
}

}  // namespace greybox
