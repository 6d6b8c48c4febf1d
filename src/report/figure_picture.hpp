// The figures of reproductions as pictures; files by their endings .svg and .png.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "greybox/figure.hpp"
#include "report/canvas.hpp"

namespace greybox {

void draw_panels(const PanelFigure& figure, const std::vector<std::filesystem::path>& files);
void draw_series(const SeriesFigure& figure, const std::vector<std::filesystem::path>& files);
void draw_fields(const FieldFigure& figure, const std::vector<std::filesystem::path>& files);

// Title and notes at the top of a picture of this width.
void draw_header(Canvas& canvas, const std::string& title, const std::vector<std::string>& notes,
                 double width);
double header_height(const std::vector<std::string>& notes);

}  // namespace greybox
