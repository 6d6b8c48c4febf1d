// Plots stacked over one axis, each with its name: beside it, or above it where the picture is narrow.
#pragma once

#include <string>

#include "report/plot_frame.hpp"

namespace greybox {

struct RowLayout {
  // Of the plots; between two of them; above the first.
  double left = 0, gap = 0, above = 0;
  bool has_titles_above = false;
};

RowLayout row_layout(double width);

void draw_row_title(Canvas& canvas, const std::string& title, const Rectangle& plot, const RowLayout& layout);

// Below the last plot, which ends at `bottom`.
void draw_shared_axis(Canvas& canvas, const Scale& across, const Rectangle& plot, double bottom,
                      const std::string& label);

}  // namespace greybox
