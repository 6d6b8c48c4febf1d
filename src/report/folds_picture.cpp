#include "report/folds_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/picture_style.hpp"
#include "report/plot_frame.hpp"

namespace greybox {
namespace {

constexpr double kFoldsWidth = 900, kFoldsName = 190, kFoldsLeast = 150, kFoldsLine = 20, kFoldsGap = 26,
                 kFoldsFooter = 54;
constexpr std::size_t kFoldsPanels = 4;
constexpr Colour kFoldsGrid{0.92, 0.92, 0.93}, kFoldsMean{0.55, 0.55, 0.58};
constexpr Colour kFoldsColours[] = {
    {0, 0.447, 0.698}, {0.835, 0.369, 0}, {0, 0.62, 0.451}, {0.8, 0.475, 0.655}};

// One number of every fold, and its mean over the folds of a mode and λ.
struct FoldsPanel {
  std::string title;
  std::function<double(const ComparedFold&)> value;
  std::function<const MeanAndError&(const ComparedRow&)> mean;
};

std::vector<FoldsPanel> panels_of(const Comparison& comparison) {
  std::vector<FoldsPanel> panels = {
      {"log-likelihood per value", [](const ComparedFold& f) { return f.log_likelihood; },
       [](const ComparedRow& r) -> const MeanAndError& { return r.log_likelihood; }}};
  const std::vector<ComparedOutput>& outputs = comparison.rows.front().outputs;
  for (std::size_t o = 0; o < outputs.size() && panels.size() < kFoldsPanels; ++o)
    panels.push_back(
        {"NRMSE of " + outputs[o].name,
         [o](const ComparedFold& f) { return o < f.outputs.size() ? f.outputs[o].nrmse : kNotMeasured; },
         [o](const ComparedRow& r) -> const MeanAndError& { return r.outputs[o].nrmse; }});
  return panels;
}

std::string name_of_row(const ComparedRow& row) {
  return row.lambda ? fmt::format("{}, λ = {:g}", row.mode, *row.lambda) : row.mode;
}

std::size_t row_of(const Comparison& comparison, const ComparedFold& fold) {
  std::size_t r = 0;
  while (comparison.rows[r].mode != fold.mode || comparison.rows[r].lambda != fold.lambda) ++r;
  return r;
}

// Rows of the table stand side by side in a fold, so that none hides another.
double fold_step(const Comparison& comparison, std::size_t row) {
  const auto n = static_cast<double>(comparison.rows.size());
  return (static_cast<double>(row) - (n - 1) / 2) * std::min(5.0, kFoldsLine / (n + 1));
}

Scale fold_scale(const Comparison& comparison, const FoldsPanel& panel, const Rectangle& plot) {
  double low = kNotMeasured, high = kNotMeasured;
  for (const ComparedFold& fold : comparison.folds) {
    if (!std::isfinite(panel.value(fold))) continue;
    low = std::fmin(low, panel.value(fold));
    high = std::fmax(high, panel.value(fold));
  }
  if (std::isnan(low)) low = 0, high = 1;
  const double margin = high > low ? 0.08 * (high - low) : std::max(0.05 * std::abs(high), 1e-12);
  return {low - margin, high + margin, plot.x, plot.right()};
}

void draw_fold_panel(Canvas& canvas, const Comparison& comparison, const FoldsPanel& panel,
                     const Rectangle& plot) {
  const Scale scale = fold_scale(comparison, panel, plot);
  for (const Tick& tick : ticks(scale.low, scale.high, 3)) {
    canvas.line({{scale(tick.value), plot.y}, {scale(tick.value), plot.bottom()}}, kFoldsGrid);
    canvas.text({scale(tick.value), plot.bottom() + 15}, tick.label,
                {.size = kTickSize, .align = Align::centre});
  }
  canvas.frame(plot, kInk, 0.8);
  const TextStyle title{.size = kTickSize, .align = Align::centre};
  canvas.text({plot.x + plot.width / 2, plot.bottom() + 33},
              canvas.fitted(panel.title, plot.width + 20, title), title);
  for (const ComparedRow& row : comparison.rows) {
    const double mean = row.outputs.empty() ? kNotMeasured : panel.mean(row).mean;
    if (std::isfinite(mean))
      canvas.line({{scale(mean), plot.y}, {scale(mean), plot.bottom()}}, kFoldsMean, 1.2);
  }
  canvas.clipped(plot, [&] {
    for (const ComparedFold& fold : comparison.folds) {
      if (!std::isfinite(panel.value(fold))) continue;
      const std::size_t row = row_of(comparison, fold);
      const Colour& colour = kFoldsColours[row % std::size(kFoldsColours)];
      const double middle = plot.y + (static_cast<double>(fold.fold) + 0.5) * kFoldsLine;
      canvas.disc({scale(panel.value(fold)), middle + fold_step(comparison, row)}, 3.5, colour, colour);
    }
  });
}

void draw_names(Canvas& canvas, const Comparison& comparison, double top) {
  const TextStyle style{.size = kTickSize + 0.5};
  const ComparedFold& first = comparison.folds.front();
  for (const ComparedFold& fold : comparison.folds)
    if (fold.mode == first.mode && fold.lambda == first.lambda)
      canvas.text({24, top + (static_cast<double>(fold.fold) + 0.5) * kFoldsLine + 4},
                  canvas.fitted(fold.tested_on, kFoldsName - 30, style), style);
}

void draw_row_names(Canvas& canvas, const Comparison& comparison, double y) {
  const TextStyle style{.size = kTickSize + 0.5};
  double x = 24;
  for (std::size_t r = 0; r < comparison.rows.size() && comparison.rows.size() > 1; ++r) {
    const Colour& colour = kFoldsColours[r % std::size(kFoldsColours)];
    canvas.disc({x + 4, y - 4}, 4, colour, colour);
    canvas.text({x + 14, y}, name_of_row(comparison.rows[r]), style);
    x += canvas.text_width(name_of_row(comparison.rows[r]), style) + 34;
  }
}

}  // namespace

void draw_folds(const Comparison& comparison, const std::vector<std::filesystem::path>& files,
                const PictureStyle& style) {
  std::size_t n_folds = 0;
  for (const ComparedFold& fold : comparison.folds) n_folds = std::max(n_folds, fold.fold + 1);
  const std::vector<FoldsPanel> panels = panels_of(comparison);
  const std::size_t n_columns = n_columns_for(style, kFoldsLeast + kFoldsGap, kFoldsName + 24, panels.size());
  const PictureFit fit = fit_picture(style, kFoldsWidth, kFoldsName + 24 + kFoldsLeast);
  const FigureHeader above(
      comparison.model + ": errors fold by fold",
      {fmt::format("{} folds, each tested on what it did not learn from; grey lines are means", n_folds)},
      fit);
  const double top = above.height() + (comparison.rows.size() > 1 ? 30 : 8);
  const double height = kFoldsLine * static_cast<double>(n_folds), line = height + kFoldsFooter;
  const auto n = static_cast<double>(n_columns);
  const double width = (fit.width - kFoldsName - 24 - kFoldsGap * (n - 1)) / n;
  const auto draw = [&](Canvas& canvas) {
    above.draw(canvas);
    draw_row_names(canvas, comparison, top - 12);
    for (std::size_t p = 0; p < panels.size(); ++p) {
      const double y = top + static_cast<double>(p / n_columns) * line;
      if (p % n_columns == 0) draw_names(canvas, comparison, y);
      draw_fold_panel(
          canvas, comparison, panels[p],
          {kFoldsName + static_cast<double>(p % n_columns) * (width + kFoldsGap), y, width, height});
    }
  };
  const std::size_t n_lines = (panels.size() + n_columns - 1) / n_columns;
  draw_picture(files, fit.width, top + static_cast<double>(n_lines) * line, draw, fit.scale);
}

}  // namespace greybox
