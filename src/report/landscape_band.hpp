// What several networks say, drawn into a panel: a band around a line, marks on a map.
#pragma once

#include <span>

#include "greybox/landscape.hpp"
#include "report/canvas.hpp"
#include "report/scale.hpp"

namespace greybox {

struct CurvePlaces {
  std::span<const double> theta;
  Scale x, y;
};

// Broken where there is no value.
void draw_curve(Canvas& canvas, const CurvePlaces& places, std::span<const double> values,
                const Colour& colour, double width);

// One standard deviation to both sides of the mean, and a thin line for every network.
void draw_band(Canvas& canvas, const CurvePlaces& places, std::span<const double> mean,
               const LandscapeBand& band);

// The band of the true R, and the matched values as a dashed line.
void draw_matched(Canvas& canvas, const CurvePlaces& places, const LandscapeMap& map);

struct MapPlaces {
  std::span<const double> across, upward;
  Scale x, y;
};

// An outline around the points that might be lowest for another network, and a dot at the lowest point of
// each.
void draw_networks(Canvas& canvas, const Rectangle& plot, const MapPlaces& places, const LandscapeMap& map);

}  // namespace greybox
