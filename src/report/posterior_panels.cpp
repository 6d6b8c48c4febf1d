#include "report/posterior_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/plot_frame.hpp"

namespace greybox {
namespace {

constexpr std::size_t kFewBins = 60;       // fewer are drawn as steps, more as a curve
constexpr std::size_t kTracePoints = 400;  // per chain
constexpr double kFewDraws = 100;          // below it a result at another β is drawn faintly

// Of an axis of this length; what is turned has less room around it.
std::string label_of(Canvas& canvas, const PosteriorParameter& parameter, double length) {
  return axis_label(canvas, {parameter.name, parameter.unit, parameter.about}, length + 30,
                    {.size = kLabelSize});
}

std::vector<Point> outline(const PlotFrame& frame, const std::vector<double>& edges,
                           const std::vector<double>& density) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < density.size(); ++i) {
    const double y = frame.y(density[i]);
    if (density.size() < kFewBins) {
      points.push_back({frame.x(edges[i]), y});
      points.push_back({frame.x(edges[i + 1]), y});
    } else {
      points.push_back({frame.x((edges[i] + edges[i + 1]) / 2), y});
    }
  }
  return points;
}

}  // namespace

void draw_marginal(Canvas& canvas, const Rectangle& area, const PosteriorParameter& parameter) {
  const double highest = std::max(*std::max_element(parameter.density.begin(), parameter.density.end()),
                                  *std::max_element(parameter.prior.begin(), parameter.prior.end()));
  PlotFrame frame = plot_frame(area, parameter.edges.front(), parameter.edges.back(), 0, 1.08 * highest);
  frame.x.is_log = parameter.is_log;
  canvas.clipped(area, [&] {
    canvas.fill({frame.x(parameter.q5), area.y, frame.x(parameter.q95) - frame.x(parameter.q5), area.height},
                {0.93, 0.94, 0.97});
    canvas.line(outline(frame, parameter.edges, parameter.prior), kNoValue, 2);
    canvas.line(outline(frame, parameter.edges, parameter.density), viridis(0.3), 2);
    canvas.line({{frame.x(parameter.median), area.y}, {frame.x(parameter.median), area.bottom()}}, kAccent,
                1);
  });
  draw_frame(
      canvas, frame,
      {.across = label_of(canvas, parameter, area.width), .upward = "density", .has_ticks_upward = false});
}

void draw_trace(Canvas& canvas, const Rectangle& area, const Posterior& posterior, std::size_t parameter) {
  const PosteriorParameter& shown = posterior.parameters[parameter];
  const std::size_t n = posterior.n_draws, stride = std::max<std::size_t>(n / kTracePoints, 1);
  const PlotFrame frame =
      plot_frame(area, 0, static_cast<double>(n), shown.edges.front(), shown.edges.back());
  for (std::size_t chain = 0; chain < posterior.n_chains; ++chain) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < n; i += stride)
      points.push_back({frame.x(static_cast<double>(i)), frame.y(shown.draws[chain * n + i])});
    const double shade = (static_cast<double>(chain) + 0.5) / static_cast<double>(posterior.n_chains);
    canvas.clipped(area, [&] { canvas.line(points, viridis(0.95 * shade), 0.5); });
  }
  draw_frame(canvas, frame, {.across = "draw of each chain", .upward = shown.name});
}

void draw_sensitivity(Canvas& canvas, const Rectangle& area, const Posterior& posterior,
                      std::size_t parameter) {
  double low = posterior.parameters[parameter].q5, high = posterior.parameters[parameter].q95;
  for (const PosteriorAtBeta& at : posterior.sensitivity) {
    low = std::min(low, at.mean[parameter] - at.sd[parameter]);
    high = std::max(high, at.mean[parameter] + at.sd[parameter]);
  }
  const double room = 0.08 * (high - low);
  const auto n = static_cast<double>(posterior.sensitivity.size());
  const PlotFrame frame = plot_frame(area, -0.5, n - 0.5, low - room, high + room);
  for (std::size_t k = 0; k < posterior.sensitivity.size(); ++k) {
    const PosteriorAtBeta& at = posterior.sensitivity[k];
    const double x = frame.x(static_cast<double>(k)), mean = at.mean[parameter], sd = at.sd[parameter];
    const Colour colour = at.ess < kFewDraws ? kNoValue : viridis(0.3);
    canvas.line({{x, frame.y(mean - sd)}, {x, frame.y(mean + sd)}}, colour, 2);
    canvas.disc({x, frame.y(mean)}, 3.5, at.beta == posterior.beta ? kAccent : colour, kPaper);
    canvas.text({x, area.bottom() + 15}, fmt::format("{:.3g}", at.beta), {.size = 9, .align = Align::centre});
  }
  draw_frame(
      canvas, frame,
      {.across = "β (mean ± sd)", .upward = posterior.parameters[parameter].name, .has_ticks_across = false});
}

void draw_pair(Canvas& canvas, const Rectangle& area, const Posterior& posterior, const PosteriorPair& pair) {
  const PosteriorParameter &x = posterior.parameters[pair.across], &y = posterior.parameters[pair.upward];
  const std::size_t n_x = x.density.size(), n_y = y.density.size();
  const double highest = *std::max_element(pair.density.begin(), pair.density.end());
  std::vector<Colour> pixels;
  for (std::size_t row = 0; row < n_y; ++row)  // upward in the picture, and pixels run down
    for (std::size_t column = 0; column < n_x; ++column)
      pixels.push_back(viridis(pair.density[column * n_y + (n_y - 1 - row)] / highest));
  canvas.image(area, pixels, n_x);
  PlotFrame frame = plot_frame(area, x.edges.front(), x.edges.back(), y.edges.front(), y.edges.back());
  frame.x.is_log = x.is_log;
  frame.y.is_log = y.is_log;
  draw_frame(canvas, frame,
             {.across = label_of(canvas, x, area.width), .upward = label_of(canvas, y, area.height)});
}

}  // namespace greybox
