// Theories side by side: held-out likelihood, size of the correction, and verdicts.
#pragma once

#include <filesystem>
#include <vector>

#include "greybox/picture.hpp"
#include "greybox/theories.hpp"

namespace greybox {

// To .svg and .png files, by their endings.
void draw_theories(const TheoryComparison& comparison, const std::vector<std::filesystem::path>& files,
                   const PictureStyle& style = {});

}  // namespace greybox
