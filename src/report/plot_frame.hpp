// A plot with two axes: its frame, ticks and labels.
#pragma once

#include <string>

#include "report/canvas.hpp"
#include "report/scale.hpp"

namespace greybox {

// Of the axes of most plots.
inline constexpr double kTickLength = 4, kTickSize = 9.5, kLabelSize = 11;

// What an axis shows.
struct Quantity {
  std::string name{}, unit{}, about{};
};

// "c [rad], phase", or what of it fits: first the explanation goes, whole.
std::string axis_label(Canvas& canvas, const Quantity& quantity, double room, const TextStyle& style);

struct PlotFrame {
  Rectangle area;
  Scale x, y;  // from numbers to positions; made by `plot_frame`
};

PlotFrame plot_frame(const Rectangle& area, double x_low, double x_high, double y_low, double y_high);

struct AxisLabels {
  std::string across, upward;
  bool has_ticks_across = true, has_ticks_upward = true;
};

// On top of what was drawn inside.
void draw_frame(Canvas& canvas, const PlotFrame& frame, const AxisLabels& labels);

}  // namespace greybox
