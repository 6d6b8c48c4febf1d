// Drawing with Cairo: one drawing, several file formats. Lengths are in points of the picture, y runs down.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "report/colour_map.hpp"

struct _cairo;

namespace greybox {

struct Rectangle {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

struct Point {
  double x = 0, y = 0;
};

enum class Align : std::uint8_t { left, centre, right };

struct TextStyle {
  double size = 11;
  Colour colour = kInk;
  Align align = Align::left;
  bool is_bold = false;
  bool is_upward = false;  // turned to be read from below
};

class Canvas {
 public:
  // Where `texts` is given, text is not drawn but added to it as elements of SVG.
  explicit Canvas(_cairo* context, std::string* texts = nullptr) : context_(context), texts_(texts) {}

  void fill(const Rectangle& area, const Colour& colour);
  void frame(const Rectangle& area, const Colour& colour, double width = 1);
  void line(const std::vector<Point>& points, const Colour& colour, double width = 1);
  void area(const std::vector<Point>& corners, const Colour& colour);
  void disc(Point centre, double radius, const Colour& inside, const Colour& edge);
  // Diagonal lines over the areas, seen on light and on dark ground: / or, falling, \.
  void hatch(std::span<const Rectangle> areas, bool is_falling = false);
  // `pixels` are rows of colours, the first row on top.
  void image(const Rectangle& area, std::span<const Colour> pixels, std::size_t n_columns);

  // The point is on the text's base line.
  void text(Point at, const std::string& text, const TextStyle& style = {});
  double text_width(const std::string& text, const TextStyle& style = {});
  // The text, or as much of it as fits, with an ellipsis.
  std::string fitted(const std::string& text, double width, const TextStyle& style);
  // In as many lines as it needs and may have; the last is fitted.
  void paragraph(Point at, const std::string& text, double width, std::size_t n_lines,
                 const TextStyle& style = {});

  // What `draw` draws shows inside the area only.
  void clipped(const Rectangle& area, const std::function<void()>& draw);

 private:
  void set(const Colour& colour);
  void choose_font(const TextStyle& style);

  _cairo* context_;
  std::string* texts_;
};

// Draws once per file, by its ending .svg, .pdf or .png, on white; files appear complete or not at all. Text
// of SVG stays text. With a scale other than 1 the files have that size in print, and PNG the pixels for it.
// Throws std::runtime_error with the reason.
void draw_picture(const std::vector<std::filesystem::path>& files, double width, double height,
                  const std::function<void(Canvas&)>& draw, double scale = 1);

}  // namespace greybox
