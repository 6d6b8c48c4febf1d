// Pictures as a publication wants them: of its column's width, without titles, as PDF too.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "greybox/execution.hpp"
#include "greybox/landscape.hpp"

namespace greybox {

struct Comparison;
struct Explanation;
struct Figure;
struct Posterior;
struct Simulation;
struct TheoryComparison;

struct PictureStyle {
  // Of the whole picture, in millimetres; panels stand below each other where it is narrow. 0: as wide as its
  // panels are.
  double width = 0;
  bool has_title = true;

  bool operator==(const PictureStyle&) const = default;
};

// Widths in millimetres at which something can be read, and that a page has.
inline constexpr double kNarrowestPicture = 40, kWidestPicture = 1000;

// The pictures of a result as SVG, PNG and PDF, in place of those that its `write_…` drew there. Panels stand
// below each other where the picture is narrow; what cannot be made narrower is printed smaller. Returns what
// was written; throws InputError for another width.
std::vector<std::filesystem::path> draw_pictures(const Landscape& landscape,
                                                 const std::filesystem::path& folder,
                                                 const PictureStyle& style);
std::vector<std::filesystem::path> draw_pictures(const Simulation& simulation,
                                                 const std::filesystem::path& folder,
                                                 const PictureStyle& style);
std::vector<std::filesystem::path> draw_pictures(const Explanation& explanation,
                                                 const std::filesystem::path& folder,
                                                 const PictureStyle& style);
std::vector<std::filesystem::path> draw_pictures(const Posterior& posterior,
                                                 const std::filesystem::path& folder,
                                                 const PictureStyle& style);
std::vector<std::filesystem::path> draw_pictures(const Comparison& comparison,
                                                 const std::filesystem::path& folder,
                                                 const PictureStyle& style);
std::vector<std::filesystem::path> draw_pictures(const TheoryComparison& comparison,
                                                 const std::filesystem::path& folder,
                                                 const PictureStyle& style);
std::vector<std::filesystem::path> draw_pictures(const Figure& figure, const std::filesystem::path& folder,
                                                 const PictureStyle& style);

// Curves of a training, L and R over its epochs: curves.svg, curves.png and curves.pdf.
std::vector<std::filesystem::path> draw_curves(const std::vector<EpochReport>& epochs,
                                               const std::string& title, const std::filesystem::path& folder,
                                               const PictureStyle& style = {});

}  // namespace greybox
