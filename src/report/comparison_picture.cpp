#include "report/comparison_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/picture_style.hpp"
#include "report/plot_frame.hpp"

namespace greybox {
namespace {

constexpr const char *kAdaptive = "adaptive", *kInductive = "inductive", *kTransductive = "transductive",
                     *kAphynity = "aphynity", *kTailored = "tailored";
constexpr double kPlotColumn = 350, kPlotLeft = 70, kPlotWidth = 255, kPlotHeight = 200, kLegendLine = 18;
const TextStyle kLegendStyle{.size = 11.5};
constexpr double kLargeTickSize = 10, kLargeLabelSize = 11.5;
constexpr double kMark = 4.5;     // half the size of a mark
constexpr double kSideStep = 13;  // modes stand side by side at each λ
constexpr double kLogFrom = 10;   // a logarithmic axis when the largest is so many times the smallest
constexpr Colour kComparisonGrid{0.91, 0.91, 0.92};

// Blue, vermilion, purple, orange and green of Okabe and Ito, safe for colour-blind readers; the marks differ
// too.
Colour colour_of(const std::string& mode) {
  if (mode == kInductive) return {0, 0.447, 0.698};
  if (mode == kTransductive) return {0.835, 0.369, 0};
  if (mode == kAphynity) return {0.8, 0.475, 0.655};
  if (mode == kTailored) return {0.902, 0.624, 0};
  return {0, 0.62, 0.451};
}

// Corners of the mark, going round.
std::vector<Point> outline(Point at, const std::string& mode) {
  if (mode == kAphynity)
    return {{at.x, at.y - kMark}, {at.x + kMark, at.y}, {at.x, at.y + kMark}, {at.x - kMark, at.y}};
  const double bottom = at.y + 0.7 * kMark;
  if (mode == kTailored)
    return {{at.x, at.y + kMark}, {at.x + kMark, at.y - 0.7 * kMark}, {at.x - kMark, at.y - 0.7 * kMark}};
  return {{at.x, at.y - kMark}, {at.x - kMark, bottom}, {at.x + kMark, bottom}};
}

void draw_mark(Canvas& canvas, Point at, const std::string& mode) {
  const Colour colour = colour_of(mode);
  if (mode == kAdaptive) {
    canvas.disc(at, kMark, colour, colour);
  } else if (mode == kTransductive) {
    canvas.fill({at.x - kMark, at.y - kMark, 2 * kMark, 2 * kMark}, colour);
  } else {
    // The wide line and the disc together fill the triangles and the diamond.
    std::vector<Point> corners = outline(at, mode);
    corners.insert(corners.end(), {corners[0], corners[1]});
    canvas.disc({at.x, at.y + 0.1 * kMark}, kMark / 2, colour, colour);
    canvas.line(corners, colour, 0.6 * kMark);
  }
}

// One of the two quantities of every row.
struct Quantity {
  std::string name;
  MeanAndError ComparedRow::*value;
  bool may_be_logarithmic;
};

// The upward axis of a plot: of the numbers, or of their logarithms.
struct Axis {
  bool is_logarithmic = false;
  Scale scale;
  std::vector<Tick> marks;
  double operator()(double value) const {
    const double place =
        is_logarithmic ? std::log10(std::max(value, std::numeric_limits<double>::min())) : value;
    return scale(std::clamp(place, scale.low, scale.high));
  }
};

std::vector<Tick> decades(double low, double high) {
  std::vector<Tick> marks;
  for (double power = std::floor(low); power <= high; ++power)
    for (int digit = 1; digit < 10; ++digit)
      if (const double value = digit * std::pow(10, power);
          std::log10(value) >= low && std::log10(value) <= high)
        marks.push_back({value, digit == 1 ? fmt::format("{:g}", value) : ""});
  return marks;
}

Axis axis_of(const std::vector<ComparedRow>& rows, const Quantity& quantity, const Rectangle& plot) {
  double lowest = std::numeric_limits<double>::infinity(), bottom = 0, top = 0;
  for (const ComparedRow& row : rows) {
    const MeanAndError& value = row.*quantity.value;
    const double error = std::isnan(value.standard_error) ? 0 : value.standard_error;
    lowest = std::fmin(lowest, value.mean);
    bottom = std::fmin(bottom, value.mean - error);
    top = std::fmax(top, value.mean + error);
  }
  Axis axis;
  axis.is_logarithmic = quantity.may_be_logarithmic && lowest > 0 && top > kLogFrom * lowest;
  axis.scale = {1.12 * bottom, top > bottom ? 1.12 * top : 1, plot.bottom(), plot.y};
  if (axis.is_logarithmic) {
    // Half the lowest mean leaves room for its error bar.
    axis.scale.low = std::log10(lowest / 2);
    axis.scale.high = std::log10(1.5 * top);
    axis.marks = decades(axis.scale.low, axis.scale.high);
  } else {
    axis.marks = ticks(axis.scale.low, axis.scale.high, 5);
  }
  return axis;
}

// Places of λ: logarithmic, or one after the other when one of them is 0. Modes without λ stand at the end.
class LambdaAxis {
 public:
  LambdaAxis(const std::vector<ComparedRow>& rows, const Rectangle& plot) {
    for (const ComparedRow& row : rows) {
      if (row.lambda) lambdas_.push_back(*row.lambda);
      has_rest_ = has_rest_ || !row.lambda;
    }
    std::sort(lambdas_.begin(), lambdas_.end());
    lambdas_.erase(std::unique(lambdas_.begin(), lambdas_.end()), lambdas_.end());
    const double low = lambdas_.empty() ? rest() : place(lambdas_.front());
    const double high = has_rest_ ? rest() : place(lambdas_.back());
    const double margin = high > low ? 0.25 * (high - low) : 1;
    scale_ = {low - margin, high + margin, plot.x, plot.right()};
  }
  std::vector<Tick> ticks() const {
    std::vector<Tick> marks;
    for (double lambda : lambdas_) marks.push_back({(*this)(lambda), fmt::format("{:g}", lambda)});
    if (has_rest_) marks.push_back({(*this)(std::nullopt), "no λ"});
    return marks;
  }
  double operator()(const std::optional<double>& lambda) const {
    return scale_(lambda ? place(*lambda) : rest());
  }

 private:
  double place(double lambda) const {
    if (lambdas_.front() > 0) return std::log10(lambda);
    return static_cast<double>(std::find(lambdas_.begin(), lambdas_.end(), lambda) - lambdas_.begin());
  }
  // A typical step after the last λ.
  double rest() const {
    if (lambdas_.empty()) return 0;
    const double first = place(lambdas_.front()), last = place(lambdas_.back());
    return last + (lambdas_.size() > 1 ? (last - first) / static_cast<double>(lambdas_.size() - 1) : 1);
  }
  std::vector<double> lambdas_;
  bool has_rest_ = false;
  Scale scale_;
};

void draw_axes(Canvas& canvas, const Rectangle& plot, const LambdaAxis& x, const Axis& y,
               const std::string& name) {
  for (const Tick& mark : y.marks) {
    const double at = y(mark.value), length = mark.label.empty() ? kTickLength / 2 : kTickLength;
    if (!mark.label.empty()) canvas.line({{plot.x, at}, {plot.right(), at}}, kComparisonGrid);
    canvas.line({{plot.x - length, at}, {plot.x, at}}, kInk);
    canvas.text({plot.x - 8, at + 3.5}, mark.label, {.size = kLargeTickSize, .align = Align::right});
  }
  for (const Tick& mark : x.ticks()) {
    canvas.line({{mark.value, plot.bottom()}, {mark.value, plot.bottom() + kTickLength}}, kInk);
    canvas.text({mark.value, plot.bottom() + 17}, mark.label,
                {.size = kLargeTickSize, .align = Align::centre});
  }
  canvas.frame(plot, kInk);
  canvas.text({plot.x + plot.width / 2, plot.bottom() + 37}, "λ",
              {.size = kLargeLabelSize, .align = Align::centre});
  canvas.text({plot.x, plot.y - 10}, name + (y.is_logarithmic ? " (logarithmic)" : ""),
              {.size = kLargeLabelSize, .is_bold = true});
}

void draw_error_bar(Canvas& canvas, double x, double top, double bottom, const Colour& colour) {
  constexpr double half = 3.5, width = 1.4;
  canvas.line({{x, top}, {x, bottom}}, colour, width);
  canvas.line({{x - half, top}, {x + half, top}}, colour, width);
  canvas.line({{x - half, bottom}, {x + half, bottom}}, colour, width);
}

Colour faint(const Colour& colour) {
  const auto towards_paper = [](double channel) { return 0.6 + 0.4 * channel; };
  return {towards_paper(colour.red), towards_paper(colour.green), towards_paper(colour.blue)};
}

std::vector<std::string> modes_of(const std::vector<ComparedRow>& rows) {
  std::vector<std::string> modes;
  for (const ComparedRow& row : rows)
    if (std::find(modes.begin(), modes.end(), row.mode) == modes.end()) modes.push_back(row.mode);
  return modes;
}

// A row with its place in the picture.
struct Mark {
  const ComparedRow* row;
  Point at;
};

// How far to the right of its λ a row stands: those at the same λ stand side by side.
double side_step(const std::vector<ComparedRow>& rows, const ComparedRow& row) {
  double n = 0, place = 0;
  for (const ComparedRow& other : rows)
    if (other.lambda == row.lambda) {
      if (&other == &row) place = n;
      ++n;
    }
  return kSideStep * (place - (n - 1) / 2);
}

std::vector<Mark> marks_of(const std::vector<ComparedRow>& rows, const Quantity& quantity,
                           const LambdaAxis& x, const Axis& y) {
  std::vector<Mark> marks;
  for (const ComparedRow& row : rows) {
    const double mean = (row.*quantity.value).mean;
    if (!std::isnan(mean)) marks.push_back({&row, {x(row.lambda) + side_step(rows, row), y(mean)}});
  }
  std::sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.at.x < b.at.x; });
  return marks;
}

void draw_plot(Canvas& canvas, const Rectangle& plot, const std::vector<ComparedRow>& rows,
               const Quantity& quantity) {
  const Axis y = axis_of(rows, quantity, plot);
  const LambdaAxis x(rows, plot);
  draw_axes(canvas, plot, x, y, quantity.name);
  const std::vector<Mark> marks = marks_of(rows, quantity, x, y);
  for (const std::string& mode : modes_of(rows)) {
    std::vector<Point> points;
    for (const Mark& mark : marks)
      if (mark.row->mode == mode) points.push_back(mark.at);
    canvas.line(points, faint(colour_of(mode)), 1.5);
  }
  for (const Mark& mark : marks) {
    const MeanAndError& value = mark.row->*quantity.value;
    if (!std::isnan(value.standard_error))
      draw_error_bar(canvas, mark.at.x, y(value.mean + value.standard_error),
                     y(value.mean - value.standard_error), colour_of(mark.row->mode));
    draw_mark(canvas, mark.at, mark.row->mode);
  }
}

double entry_width(Canvas& canvas, const std::string& mode) {
  return canvas.text_width(mode, kLegendStyle) + 34;
}

void draw_legend(Canvas& canvas, const Rectangle& room, const std::vector<std::string>& modes) {
  Point at{room.x, room.y};
  for (const std::string& mode : modes) {
    if (at.x > room.x && at.x + entry_width(canvas, mode) > room.right()) at = {room.x, at.y + kLegendLine};
    draw_mark(canvas, {at.x + kMark, at.y - 4}, mode);
    canvas.text({at.x + 14, at.y}, mode, kLegendStyle);
    at.x += entry_width(canvas, mode);
  }
}

std::string trials_text(const Comparison& report) {
  std::size_t fewest = report.rows.front().trials, most = fewest;
  for (const ComparedRow& row : report.rows) {
    fewest = std::min(fewest, row.trials);
    most = std::max(most, row.trials);
  }
  if (most == 1) return "One trial: without a standard error.";
  const std::string trials = fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most);
  return fmt::format("Mean over {} {}; bars show the standard error.", trials,
                     report.folds.empty() ? "random trials" : "folds");
}

}  // namespace

void draw_comparison(const Comparison& report, const std::vector<std::filesystem::path>& files,
                     const PictureStyle& style) {
  const bool is_stacked = n_columns_for(style, kPlotColumn, 0, 2) == 1;
  const PictureFit fit = fit_picture(style, is_stacked ? kPlotColumn : 2 * kPlotColumn);
  const FigureHeader above(report.model + ": loss and regularizer on test data",
                           {trials_text(report), report.note}, fit);
  const double legend = above.height() + 12 + (is_stacked ? kLegendLine : 0);
  const Rectangle first{kPlotLeft, legend + 36, kPlotWidth, kPlotHeight};
  Rectangle second = first;
  (is_stacked ? second.y : second.x) += is_stacked ? kPlotHeight + 76 : kPlotColumn;
  const auto draw = [&](Canvas& canvas) {
    above.draw(canvas);
    draw_legend(canvas, {first.x, above.height() + 12, fit.width - first.x, 0}, modes_of(report.rows));
    draw_plot(canvas, first, report.rows, {"L on test windows", &ComparedRow::loss, false});
    const TextStyle name{.size = kLargeLabelSize, .is_bold = true};
    draw_plot(canvas, second, report.rows,
              {canvas.fitted("R, " + report.regularizer, 150, name), &ComparedRow::regularizer, true});
  };
  draw_picture(files, fit.width, second.bottom() + 64, draw, fit.scale);
}

}  // namespace greybox
