// Images inside a border: filling the border by the boundary rule, and the adjoint of that.
#pragma once

#include <cstddef>
#include <optional>

namespace greybox {

enum class Padding { replicate, zero, periodic };

// How an image of height × width pixels lies in memory: row after row, channels innermost, with a border on
// all sides, or for a line of one row at its two ends alone.
struct ImageShape {
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t border = 0;  // pixels on each side
  std::size_t stride = 0;  // values per pixel
  bool is_line = false;

  // Rows of the border above the image, and as many below.
  std::size_t rim() const { return is_line ? 0 : border; }
  std::size_t row() const { return (width + 2 * border) * stride; }
  std::size_t size() const { return (height + 2 * rim()) * row(); }
  // Where the first pixel inside the border of row y lies.
  std::size_t inside(std::size_t y) const { return (y + rim()) * row() + border * stride; }
};

// Fills the border from the pixels inside. The image may be smaller than its border: a periodic one then
// repeats.
template <class T>
void fill_border(Padding padding, const ImageShape& shape, T* image);

// The same for one row, which starts at its border: fills its two ends.
template <class T>
void fill_sides(Padding padding, const ImageShape& shape, T* row);

// The row of the image that row `y` of the bordered one repeats; none where the border is zero.
std::optional<std::size_t> source_row(Padding padding, const ImageShape& shape, std::size_t y);

// The adjoint: adds every border value to the pixel it was copied from. The border itself is left undefined.
// `rows` are the rows [first, end) of the bordered image, with those that their border rows were copied from.
template <class T>
void fold_border(Padding padding, const ImageShape& shape, std::size_t first, std::size_t end, T* rows);

extern template void fill_border(Padding, const ImageShape&, float*);
extern template void fill_border(Padding, const ImageShape&, double*);
extern template void fill_sides(Padding, const ImageShape&, float*);
extern template void fill_sides(Padding, const ImageShape&, double*);
extern template void fold_border(Padding, const ImageShape&, std::size_t, std::size_t, float*);
extern template void fold_border(Padding, const ImageShape&, std::size_t, std::size_t, double*);

}  // namespace greybox
