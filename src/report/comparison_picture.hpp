// L and R against λ for each way of learning, with error bars.
#pragma once

#include <filesystem>
#include <vector>

#include "greybox/compare.hpp"
#include "greybox/picture.hpp"

namespace greybox {

// To .svg and .png files, by their endings.
void draw_comparison(const Comparison& report, const std::vector<std::filesystem::path>& files,
                     const PictureStyle& style = {});

}  // namespace greybox
