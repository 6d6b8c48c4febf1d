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

// A map over two parameters, or a line over one; without values the place stays empty.
struct FigurePanel {
  std::string title, subtitle, caption;
  std::vector<LandscapeAxis> axes;
  LandscapeMap map;  // of its parts, those that are known are drawn
  std::vector<std::uint8_t> is_poor;
  std::vector<double> truth;  // one value per axis; empty: nobody knows
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
  std::string label;           // empty: none
  std::vector<double> values;  // one per place of `SeriesFigure::x`
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
  std::vector<double> values;  // row by row, the first on top
};

// Images whose colours can be compared within a row.
struct FieldRow {
  std::string title;
  std::vector<FieldImage> images;
  bool is_signed = false;  // colours are centred at 0
};

struct FieldFigure {
  std::string title;
  std::vector<std::string> notes;
  std::size_t width = 0;  // points of a field along a row
  std::vector<FieldRow> rows;
};

struct Figure {
  std::string name;  // of the files, without ending
  std::variant<PanelFigure, SeriesFigure, FieldFigure, Comparison> content;
};

// Writes NAME.svg and NAME.png into the folder; returns what was written.
std::vector<std::filesystem::path> write_figure(const Figure& figure, const std::filesystem::path& folder);

}  // namespace greybox
