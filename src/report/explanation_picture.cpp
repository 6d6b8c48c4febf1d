#include "report/explanation_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "greybox/counted.hpp"
#include "report/picture_style.hpp"
#include "report/plot_frame.hpp"

namespace greybox {
namespace {

constexpr double kExplainWidth = 190, kExplainHeight = 130, kExplainGapX = 58, kExplainGapY = 66,
                 kExplainPanelGap = 48, kExplainLeft = 70, kExplainRight = 24;
constexpr std::size_t kMostExplainPanels = 6, kMostRugLines = 200;
constexpr Colour kExplainLine{0.835, 0.369, 0}, kExplainBand{0.98, 0.89, 0.8}, kExplainTheory{0, 0.62, 0.451},
    kExplainRug{0.35, 0.35, 0.4};

struct ExplainedRow {
  const ComponentShare* share;
  const FormulaCandidate* candidate;
  // The strongest first.
  std::vector<const PartialDependence*> dependences;
};

std::vector<ExplainedRow> explained_rows(const Explanation& explanation) {
  std::vector<ExplainedRow> rows;
  for (const FormulaCandidate& candidate : explanation.candidates) {
    ExplainedRow row{nullptr, &candidate, {}};
    for (const ComponentShare& share : explanation.shares)
      if (share.component == candidate.component) row.share = &share;
    for (const PartialDependence& one : explanation.dependences)
      if (one.component == candidate.component) row.dependences.push_back(&one);
    std::ranges::stable_sort(row.dependences,
                             [](const auto* a, const auto* b) { return a->strength > b->strength; });
    if (row.dependences.size() > kMostExplainPanels) row.dependences.resize(kMostExplainPanels);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::pair<double, double> range_of(std::initializer_list<const std::vector<double>*> all) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const std::vector<double>* values : all)
    for (const double value : *values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  if (!(high >= low)) return {0, 1};
  const double margin = high > low ? 0.08 * (high - low) : std::max(0.1 * std::abs(high), 1e-9);
  return {low - margin, high + margin};
}

std::vector<Point> points_of(const std::vector<double>& x, const std::vector<double>& y,
                             const PlotFrame& frame) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < x.size(); ++i) points.push_back({frame.x(x[i]), frame.y(y[i])});
  return points;
}

void draw_rug(Canvas& canvas, const ExplainedVariable& variable, const PlotFrame& frame) {
  const std::size_t n = std::min(variable.data.size(), kMostRugLines);
  for (std::size_t i = 0; i < n; ++i) {
    const double x = variable.data[i * variable.data.size() / n];
    if (x < frame.x.low || x > frame.x.high) continue;
    canvas.line({{frame.x(x), frame.area.bottom() - 6}, {frame.x(x), frame.area.bottom()}}, kExplainRug, 0.4);
  }
}

void draw_dependence(Canvas& canvas, const Explanation& explanation, const PartialDependence& one,
                     const Rectangle& area) {
  const auto [low, high] = range_of({&one.low, &one.high, &one.mean});
  const double x_low = one.x.front(), x_high = one.x.back() > x_low ? one.x.back() : x_low + 1;
  const PlotFrame frame = plot_frame(area, x_low, x_high, low, high);
  canvas.clipped(area, [&] {
    std::vector<Point> corners = points_of(one.x, one.high, frame);
    const std::vector<Point> back = points_of(one.x, one.low, frame);
    corners.insert(corners.end(), back.rbegin(), back.rend());
    canvas.area(corners, kExplainBand);
    canvas.line(points_of(one.x, one.mean, frame), kExplainLine, 1.8);
    for (const ExplainedVariable& variable : explanation.variables)
      if (variable.name == one.variable) draw_rug(canvas, variable, frame);
  });
  draw_frame(canvas, frame, {.across = one.variable, .upward = ""});
}

void draw_share(Canvas& canvas, const ComponentShare& share, const Rectangle& area) {
  const std::vector<double> zero = {0};
  const auto [low, high] = range_of({&share.theory_over_time, &share.network_over_time, &zero});
  const double first = share.time.front(), last = share.time.back() > first ? share.time.back() : first + 1;
  const PlotFrame frame = plot_frame(area, first, last, std::max(low, 0.0), high);
  canvas.clipped(area, [&] {
    canvas.line(points_of(share.time, share.theory_over_time, frame), kExplainTheory, 1.8);
    canvas.line(points_of(share.time, share.network_over_time, frame), kExplainLine, 1.8);
  });
  draw_frame(canvas, frame, {.across = "t, rms of theory and network", .upward = ""});
}

std::vector<std::string> explanation_notes(const Explanation& explanation) {
  std::string theta;
  for (const std::string& name : explanation.parameters)
    theta += fmt::format("{}{} = {:.4g}", theta.empty() ? ", at " : ", ", name, explanation.theta.at(name));
  return {fmt::format("{} of {}{}", counted(explanation.n_points, "point"),
                      counted(explanation.n_windows, explanation.on + " window"), theta),
          "Orange: f_D with one variable set and all others as in the data (mean, 5 % to 95 % of the "
          "points); green: f_T; "
          "ticks: where the data are"};
}

std::string title_of(const ExplainedRow& row) {
  return fmt::format("f_D of {}: {:.2g} % of the squares; ≈ {}   (R² {:.3f})", row.share->component,
                     100 * row.share->share, row.candidate->formula, row.candidate->r2);
}

// Rows whose panels wrap where the picture is narrow, each below its title.
struct ExplainLayout {
  std::size_t n_columns = 1;
  double width = 0;

  static std::size_t n_panels(const ExplainedRow& row) {
    return row.dependences.size() + (row.share->time.empty() ? 0 : 1);
  }
  double title_height(const ExplainedRow& row) const {
    return 22 +
           1.25 * kLabelSize * static_cast<double>(n_lines_of(title_of(row), width - 48, kLabelSize) - 1);
  }
  double height(const ExplainedRow& row) const {
    const std::size_t n_lines = std::max<std::size_t>(1, (n_panels(row) + n_columns - 1) / n_columns);
    return title_height(row) + static_cast<double>(n_lines) * (kExplainHeight + kExplainPanelGap) +
           kExplainGapY - kExplainPanelGap - 22;
  }
};

void draw_explained(Canvas& canvas, const Explanation& explanation, const ExplainedRow& row,
                    const ExplainLayout& layout, double top) {
  const TextStyle bold{.size = kLabelSize, .is_bold = true};
  const std::string title = title_of(row);
  canvas.paragraph({24, top + 10}, title, layout.width - 48, n_lines_of(title, layout.width - 48, kLabelSize),
                   bold);
  for (std::size_t k = 0; k < ExplainLayout::n_panels(row); ++k) {
    const auto column = static_cast<double>(k % layout.n_columns),
               line = static_cast<double>(k / layout.n_columns);
    const Rectangle area{kExplainLeft + column * (kExplainWidth + kExplainGapX),
                         top + layout.title_height(row) + line * (kExplainHeight + kExplainPanelGap),
                         kExplainWidth, kExplainHeight};
    if (k < row.dependences.size())
      draw_dependence(canvas, explanation, *row.dependences[k], area);
    else
      draw_share(canvas, *row.share, area);
  }
}

}  // namespace

void draw_explanation(const Explanation& explanation, const std::vector<std::filesystem::path>& files,
                      const PictureStyle& style) {
  const std::vector<ExplainedRow> rows = explained_rows(explanation);
  std::size_t n_most = 2;
  for (const ExplainedRow& row : rows) n_most = std::max(n_most, ExplainLayout::n_panels(row));
  constexpr double kPanel = kExplainWidth + kExplainGapX,
                   kMargins = kExplainLeft + kExplainRight - kExplainGapX;
  const std::size_t n_columns = n_columns_for(style, kPanel, kMargins, n_most);
  const PictureFit fit = fit_picture(style, kMargins + static_cast<double>(n_columns) * kPanel);
  const ExplainLayout layout{n_columns, fit.width};
  const FigureHeader above(explanation.model + ": what the network learned", explanation_notes(explanation),
                           fit);
  double height = above.height();
  for (const ExplainedRow& row : rows) height += layout.height(row);
  const auto draw = [&](Canvas& canvas) {
    above.draw(canvas);
    double top = above.height();
    for (const ExplainedRow& row : rows) {
      draw_explained(canvas, explanation, row, layout, top);
      top += layout.height(row);
    }
  };
  draw_picture(files, fit.width, height, draw, fit.scale);
}

}  // namespace greybox
