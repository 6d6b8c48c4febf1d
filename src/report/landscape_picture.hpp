// All maps of a landscape side by side.
#pragma once

#include <filesystem>
#include <vector>

#include "greybox/landscape.hpp"

namespace greybox {

// To .svg and .png files, by their endings.
void draw_landscape(const LandscapeGrid& landscape, const std::vector<std::filesystem::path>& files);

}  // namespace greybox
