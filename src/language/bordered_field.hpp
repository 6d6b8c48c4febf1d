// A field copied into a frame one point wide, so that a stencil needs no special cases at the edges.
#pragma once

#include <cstddef>

#include "language/program.hpp"

namespace greybox {

// What stands just outside the grid.
struct Outside {
  enum class Rule { edge, minus_edge, other_side, value };
  Rule rule;
  double value = 0;
};

// Of a field; and of its tangent, which is zero where the field is held fixed.
Outside outside_of_field(const Grid& grid);
Outside outside_of_tangent(const Grid& grid);

// Distance between the rows of a bordered field, and its whole size with room to read a vector past its end.
constexpr std::size_t bordered_stride(const Grid& grid) {
  return grid.width + 2;
}
template <class T>
constexpr std::size_t bordered_size(const Grid& grid) {
  return (grid.height + 2) * bordered_stride(grid) + kAlignment / sizeof(T);
}

// Copies `field` (height × width) to the inside of `bordered` and fills the border; its four corners are left
// as they are. A single row stands above and below itself: on a line nothing changes along y.
template <class T>
void fill_bordered(const Grid& grid, const Outside& outside, const T* field, T* bordered);

extern template void fill_bordered(const Grid&, const Outside&, const float*, float*);
extern template void fill_bordered(const Grid&, const Outside&, const double*, double*);

}  // namespace greybox
