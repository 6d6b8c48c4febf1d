#include "report/landscape_band.hpp"

#include <cmath>

namespace greybox {
namespace {

constexpr Colour kBand{0.83, 0.87, 0.93}, kThin{0.55, 0.62, 0.74};
constexpr Colour kMatchedBand{0.93, 0.93, 0.9};
constexpr double kDot = 2.1;
// Points of a curve.
constexpr std::size_t kDash = 3;

// Calls `piece` for every stretch of places without NaN.
template <class F>
void for_pieces(std::span<const double> values, F&& piece) {
  std::size_t first = 0;
  for (std::size_t i = 0; i <= values.size(); ++i) {
    if (i < values.size() && !std::isnan(values[i])) continue;
    if (i > first + 1) piece(first, i);
    first = i + 1;
  }
}

// Edges of cells at which a map of flags changes.
std::vector<std::vector<Point>> outline(const Rectangle& plot, std::size_t n_x, std::size_t n_y,
                                        const std::vector<std::uint8_t>& flags) {
  const double width = plot.width / static_cast<double>(n_x), height = plot.height / static_cast<double>(n_y);
  const auto left = [&](std::size_t x) { return plot.x + static_cast<double>(x) * width; };
  const auto bottom = [&](std::size_t y) { return plot.bottom() - static_cast<double>(y) * height; };
  std::vector<std::vector<Point>> edges;
  for (std::size_t x = 0; x < n_x; ++x)
    for (std::size_t y = 0; y < n_y; ++y) {
      const std::uint8_t own = flags[x * n_y + y];
      if (x + 1 < n_x && own != flags[(x + 1) * n_y + y])
        edges.push_back({{left(x + 1), bottom(y)}, {left(x + 1), bottom(y + 1)}});
      if (y + 1 < n_y && own != flags[x * n_y + y + 1])
        edges.push_back({{left(x), bottom(y + 1)}, {left(x + 1), bottom(y + 1)}});
    }
  return edges;
}

void fill_between(Canvas& canvas, const CurvePlaces& places, std::span<const double> low,
                  std::span<const double> high, const Colour& colour) {
  for_pieces(low, [&](std::size_t begin, std::size_t end) {
    std::vector<Point> corners;
    for (std::size_t i = begin; i < end; ++i)
      corners.push_back({places.x(places.theta[i]), places.y(high[i])});
    for (std::size_t i = end; i-- > begin;) corners.push_back({places.x(places.theta[i]), places.y(low[i])});
    canvas.area(corners, colour);
  });
}

}  // namespace

void draw_curve(Canvas& canvas, const CurvePlaces& places, std::span<const double> values,
                const Colour& colour, double width) {
  for_pieces(values, [&](std::size_t begin, std::size_t end) {
    std::vector<Point> points;
    for (std::size_t i = begin; i < end; ++i)
      points.push_back({places.x(places.theta[i]), places.y(values[i])});
    canvas.line(points, colour, width);
  });
}

void draw_band(Canvas& canvas, const CurvePlaces& places, std::span<const double> mean,
               const LandscapeBand& band) {
  if (band.networks.empty()) return;
  std::vector<double> low(mean.begin(), mean.end()), high = low;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    low[i] -= band.spread[i];
    high[i] += band.spread[i];
  }
  fill_between(canvas, places, low, high, kBand);
  for (const std::vector<double>& values : band.networks) draw_curve(canvas, places, values, kThin, 0.7);
}

void draw_matched(Canvas& canvas, const CurvePlaces& places, const LandscapeMap& map) {
  fill_between(canvas, places, map.low, map.high, kMatchedBand);
  // Dashes: every other piece of the curve.
  for (std::size_t i = 0; i + 1 < map.matched.size(); ++i)
    if (i / kDash % 2 == 0 && std::isfinite(map.matched[i]) && std::isfinite(map.matched[i + 1]))
      canvas.line({{places.x(places.theta[i]), places.y(map.matched[i])},
                   {places.x(places.theta[i + 1]), places.y(map.matched[i + 1])}},
                  kInk, 1);
}

void draw_networks(Canvas& canvas, const Rectangle& plot, const MapPlaces& places, const LandscapeMap& map) {
  if (map.may_be_lowest.empty()) return;
  const auto edges = outline(plot, places.across.size(), places.upward.size(), map.may_be_lowest);
  for (const std::vector<Point>& edge : edges) canvas.line(edge, kInk, 2.4);
  for (const std::vector<Point>& edge : edges) canvas.line(edge, kPaper, 1.2);
  for (const std::vector<LandscapeMinimum>& minima : map.network_minima)
    if (!minima.empty())
      canvas.disc({places.x(minima[0].theta[0]), places.y(minima[0].theta[1])}, kDot, kPaper, kAccent);
}

}  // namespace greybox
