// Pictures as a publication wants them: of its column's width, without titles, as PDF too.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "greybox/execution.hpp"
#include "greybox/landscape.hpp"

namespace greybox {

struct PictureStyle {
  // Of the whole picture, in millimetres; panels stand below each other where it is narrow. 0: as wide as its
  // panels are.
  double width = 0;
  bool has_title = true;
};

// Widths in millimetres at which something can be read, and that a page has.
inline constexpr double kNarrowestPicture = 40, kWidestPicture = 1000;

// The pictures of a landscape as SVG, PNG and PDF, in place of those that `write_landscape` drew there.
// Returns what was written; throws InputError for another width.
std::vector<std::filesystem::path> draw_pictures(const Landscape& landscape,
                                                 const std::filesystem::path& folder,
                                                 const PictureStyle& style);

// Curves of a training, L and R over its epochs: curves.svg, curves.png and curves.pdf.
std::vector<std::filesystem::path> draw_curves(const std::vector<EpochReport>& epochs,
                                               const std::string& title, const std::filesystem::path& folder,
                                               const PictureStyle& style = {});

}  // namespace greybox
