// The figures of reproductions as pictures; files by their endings .svg and .png.
#pragma once

#include <filesystem>
#include <vector>

#include "greybox/figure.hpp"
#include "greybox/picture.hpp"

namespace greybox {

void draw_panels(const PanelFigure& figure, const std::vector<std::filesystem::path>& files,
                 const PictureStyle& style = {});
void draw_series(const SeriesFigure& figure, const std::vector<std::filesystem::path>& files,
                 const PictureStyle& style = {});
void draw_fields(const FieldFigure& figure, const std::vector<std::filesystem::path>& files,
                 const PictureStyle& style = {});

}  // namespace greybox
