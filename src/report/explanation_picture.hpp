// Corrections against what they depend on, with where the data are.
#pragma once

#include <filesystem>
#include <vector>

#include "greybox/explain.hpp"
#include "greybox/picture.hpp"

namespace greybox {

// To .svg and .png files, by their endings.
void draw_explanation(const Explanation& explanation, const std::vector<std::filesystem::path>& files,
                      const PictureStyle& style = {});

}  // namespace greybox
