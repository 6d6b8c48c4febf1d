// One panel of a landscape picture: a heat map over two parameters, or a line over one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "greybox/landscape.hpp"
#include "report/canvas.hpp"

namespace greybox {

struct ColourRange {
  double low = 0, high = 1;
  bool is_cut = false;  // values above `high` exist
};

// From the lowest value to the highest; when a few values are far above the rest, to where 95 % of the values
// lie.
ColourRange colour_range(const std::vector<double>& values);
// The same of a panel: of a line also what each network says; a map shows the mean alone.
ColourRange colour_range(std::size_t n_axes, const std::vector<double>& mean, const LandscapeBand& band);

// About the marks of several networks; empty for one.
std::string networks_note(std::size_t n_networks, std::size_t n_axes);

struct Panel {
  std::string title, subtitle, caption;
  const std::vector<LandscapeAxis>* axes = nullptr;
  const std::vector<double>* values = nullptr;
  const std::vector<std::uint8_t>* is_poor = nullptr;
  // Null: not known.
  const std::vector<std::uint8_t>* is_excluded = nullptr;
  const std::vector<LandscapeMinimum>* minima = nullptr;  // null: none to mark
  const std::vector<double>* truth = nullptr;             // one value per axis; null: nobody knows
  ColourRange range;
  const LandscapeBand* band = nullptr;     // null: none
  const LandscapeMap* networks = nullptr;  // whose networks' lowest points to mark; null: none
};

inline constexpr double kPanelWidth = 330, kPanelHeight = 340;
// Around the panels of a picture, and how many stand side by side.
inline constexpr double kPicturePadding = 14, kPictureHeader = 80;
inline constexpr std::size_t kMostColumns = 4;

// The panel's top left corner is at `corner`.
void draw_panel(Canvas& canvas, Point corner, const Panel& panel);

}  // namespace greybox
