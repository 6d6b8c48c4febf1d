// All maps of a landscape side by side.
#pragma once

#include <filesystem>
#include <vector>

#include "greybox/landscape.hpp"
#include "greybox/picture.hpp"

namespace greybox {

// To .svg, .png and .pdf files, by their endings.
void draw_landscape(const LandscapeGrid& landscape, const std::vector<std::filesystem::path>& files,
                    const PictureStyle& style = {});

}  // namespace greybox
