// Simulated variables over time, with their bands and what was measured.
#pragma once

#include <filesystem>
#include <vector>

#include "greybox/picture.hpp"
#include "greybox/simulate.hpp"

namespace greybox {

// To .svg and .png files, by their endings. Fields are left out.
void draw_simulation(const Simulation& simulation, const std::vector<std::filesystem::path>& files,
                     const PictureStyle& style = {});

}  // namespace greybox
