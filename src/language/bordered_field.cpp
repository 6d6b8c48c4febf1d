// Filling the border of a field by the grid's boundary rule.
#include "language/bordered_field.hpp"

#include <algorithm>

namespace greybox {
namespace {

template <class T>
T beyond(const Outside& outside, T edge, T other_side) {
  switch (outside.rule) {
    case Outside::Rule::edge:
      return edge;
    case Outside::Rule::minus_edge:
      return -edge;
    case Outside::Rule::other_side:
      return other_side;
    case Outside::Rule::value:
      break;
  }
  return static_cast<T>(outside.value);
}

}  // namespace

Outside outside_of_field(const Grid& grid) {
  switch (grid.boundary) {
    case Boundary::no_flux:
      return {Outside::Rule::edge};
    case Boundary::periodic:
      return {Outside::Rule::other_side};
    case Boundary::fixed:
      break;
  }
  return {Outside::Rule::value, grid.outside};
}

Outside outside_of_tangent(const Grid& grid) {
  return {outside_of_field(grid).rule, 0};
}

template <class T>
void fill_bordered(const Grid& grid, const Outside& outside, const T* field, T* bordered) {
  const std::size_t width = grid.width, height = grid.height, stride = bordered_stride(grid);
  for (std::size_t y = 0; y < height; ++y) {
    const T* from = field + y * width;
    T* row = bordered + (y + 1) * stride;
    row[0] = beyond(outside, from[0], from[width - 1]);
    std::copy_n(from, width, row + 1);
    row[width + 1] = beyond(outside, from[width - 1], from[0]);
  }
  const T* first = field;
  const T* last = field + (height - 1) * width;
  T* above = bordered + 1;
  T* below = bordered + (height + 1) * stride + 1;
  if (height == 1) {
    std::copy_n(first, width, above);
    std::copy_n(first, width, below);
    return;
  }
  for (std::size_t x = 0; x < width; ++x) {
    above[x] = beyond(outside, first[x], last[x]);
    below[x] = beyond(outside, last[x], first[x]);
  }
}

template void fill_bordered(const Grid&, const Outside&, const float*, float*);
template void fill_bordered(const Grid&, const Outside&, const double*, double*);

}  // namespace greybox
