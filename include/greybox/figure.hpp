// Figures as plain data: what a picture shows, before it is drawn.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "greybox/compare.hpp"
#include "greybox/landscape.hpp"

namespace greybox {

// A map over two parameters, or a line over one; without values the panel stays empty.
struct FigurePanel {
  std::string title, subtitle, caption;
  std::vector<LandscapeAxis> axes;
  // Values, minima and bands, where they are not empty.
  LandscapeMap map;
  // As in LandscapeGrid: where the network did not adapt; drawn hatched.
  std::vector<std::uint8_t> is_poor;
  // True values, one per axis; empty: not known.
  std::vector<double> truth;
  // Of a line: the axis of its values.
  bool starts_at_zero = false;
};

// Panels row by row.
struct PanelFigure {
  std::string title;
  std::vector<std::string> notes;
  std::size_t n_columns = 1;
  std::vector<FigurePanel> panels;
};

struct SeriesLine {
  // Empty: none.
  std::string label;
  // One per value of `SeriesFigure::x`.
  std::vector<double> values;
};

struct SeriesRow {
  std::string title;
  std::vector<SeriesLine> lines;
};

// Rows of lines stacked over one axis.
struct SeriesFigure {
  std::string title, x_label;
  std::vector<std::string> notes;
  std::vector<double> x;
  std::vector<SeriesRow> rows;
};

struct FieldImage {
  std::string title;
  // Row by row, the first on top.
  std::vector<double> values;
};

// Images whose colours can be compared within a row.
struct FieldRow {
  std::string title;
  std::vector<FieldImage> images;
  // Colours are centred at 0.
  bool is_signed = false;
};

struct FieldFigure {
  std::string title;
  std::vector<std::string> notes;
  // Points of a field along a row.
  std::size_t width = 0;
  std::vector<FieldRow> rows;
};

struct Figure {
  // Of the files, without ending.
  std::string name;
  std::variant<PanelFigure, SeriesFigure, FieldFigure, Comparison> content;
};

// Writes NAME.svg and NAME.png into the folder; returns what was written.
std::vector<std::filesystem::path> write_figure(const Figure& figure, const std::filesystem::path& folder);

}  // namespace greybox
