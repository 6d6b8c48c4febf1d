// What a publication asks of a picture, in terms of a drawing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "greybox/picture.hpp"
#include "report/canvas.hpp"

namespace greybox {

// A drawing of so many points, and how large it is printed.
struct PictureFit {
  double width = 0, scale = 1;
  bool has_title = true;
};

// The width that is asked for, in points; 0 for none. Throws InputError for widths at which nothing can be
// read or that no page has.
double points_wide(const PictureStyle& style);

// Narrower than `natural` where it is printed so small that its text could not be read otherwise; what is
// narrower than `least` would not hold together, and is printed smaller all the same.
PictureFit fit_picture(const PictureStyle& style, double natural, double least);
// A drawing of this width, whatever is asked for.
inline PictureFit fit_picture(const PictureStyle& style, double width) {
  return fit_picture(style, width, width);
}

// How many columns stand side by side, beside margins of `fixed`: one at least, `n_most` at most.
std::size_t n_columns_for(const PictureStyle& style, double column, double fixed, std::size_t n_most);

// Lines that a text takes, by the usual width of a letter.
std::size_t n_lines_of(const std::string& text, double width, double size);

// Files of one picture: SVG and PNG, and PDF where a style is asked for.
std::vector<std::filesystem::path> picture_files(const std::filesystem::path& folder, const std::string& name,
                                                 const PictureStyle& style);

// Title and notes at the top of a picture; a margin where none are wanted.
class FigureHeader {
 public:
  FigureHeader(std::string title, std::vector<std::string> notes, const PictureFit& fit);
  double height() const { return height_; }
  void draw(Canvas& canvas) const;

 private:
  std::string title_;
  std::vector<std::string> notes_;
  double room_ = 0, height_ = 0;
  bool is_shown_ = true;
};

}  // namespace greybox
