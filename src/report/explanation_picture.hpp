// Corrections against what they depend on, with where the data are.
#pragma once

#include <filesystem>
#include <vector>

#include "greybox/explain.hpp"

namespace greybox {

// To .svg and .png files, by their endings.
void draw_explanation(const Explanation& explanation, const std::vector<std::filesystem::path>& files);

}  // namespace greybox
