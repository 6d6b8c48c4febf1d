// Errors and likelihood fold by fold.
#pragma once

#include <filesystem>
#include <vector>

#include "greybox/compare.hpp"
#include "greybox/picture.hpp"

namespace greybox {

// To .svg and .png files, by their endings. There must be folds.
void draw_folds(const Comparison& comparison, const std::vector<std::filesystem::path>& files,
                const PictureStyle& style = {});

}  // namespace greybox
