// A field on a line over time, as colours.
#pragma once

#include <span>
#include <utility>

#include "report/canvas.hpp"

namespace greybox {

// `values` are [time][point]: times stand side by side, the first point at the bottom. Gives the range that
// the colours span.
std::pair<double, double> draw_space_time(Canvas& canvas, const Rectangle& plot,
                                          std::span<const double> values, std::size_t width);

}  // namespace greybox
