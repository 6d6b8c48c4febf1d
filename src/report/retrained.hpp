// Landscapes against networks retrained at fixed θ: a table and a picture.
#pragma once

#include <filesystem>
#include <vector>

#include "greybox/landscape.hpp"
#include "greybox/picture.hpp"

namespace greybox {

// One row per θ and regularizer.
void write_retrained(const std::vector<RetrainedPoint>& points, const std::filesystem::path& csv_file);

// One panel per regularizer, R of the adaptive networks against that of the retrained ones; to .svg and .png
// files, by their endings.
void draw_retrained(const Landscape& report, const std::vector<std::filesystem::path>& files,
                    const PictureStyle& style = {});

}  // namespace greybox
