// Borders of images: columns first, then whole rows; the adjoint goes the other way round.
#include "nn/padding.hpp"

#include <algorithm>

namespace greybox {
namespace {

// The position in [0, size) that position `i` outside of it repeats.
std::size_t source(Padding padding, std::ptrdiff_t i, std::size_t size) {
  const auto n = static_cast<std::ptrdiff_t>(size);
  const std::ptrdiff_t inside =
      padding == Padding::replicate ? std::clamp<std::ptrdiff_t>(i, 0, n - 1) : (i % n + n) % n;
  return static_cast<std::size_t>(inside);
}

// Calls visit(outside, inside) for every border position of a line, both counted from the start of the
// border.
template <class Visit>
void for_each_copy(Padding padding, std::size_t size, std::size_t border, const Visit& visit) {
  for (std::size_t i = 0; i < border; ++i) {
    const auto before = static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(border);
    const auto after = static_cast<std::ptrdiff_t>(size + i);
    visit(i, border + source(padding, before, size));
    visit(border + size + i, border + source(padding, after, size));
  }
}

template <class T>
void clear_border(const ImageShape& shape, T* image) {
  const std::size_t side = shape.border * shape.stride;
  std::fill_n(image, shape.inside(0), T{0});
  // The right border of a row and the left border of the next are neighbours in memory; a line has no next.
  const std::size_t between = shape.is_line ? side : 2 * side;
  for (std::size_t y = 0; y < shape.height; ++y) {
    std::fill_n(image + shape.inside(y) + shape.width * shape.stride, between, T{0});
  }
  if (shape.rim() > 0) {
    T* bottom = image + (shape.height + shape.rim()) * shape.row();
    std::fill_n(bottom, shape.rim() * shape.row(), T{0});
  }
}

template <class T>
void add(std::size_t n, const T* from, T* to) {
  for (std::size_t i = 0; i < n; ++i) to[i] += from[i];
}

}  // namespace

template <class T>
void fill_sides(Padding padding, const ImageShape& shape, T* row) {
  if (padding == Padding::zero) {
    std::fill_n(row, shape.border * shape.stride, T{0});
    std::fill_n(row + (shape.border + shape.width) * shape.stride, shape.border * shape.stride, T{0});
    return;
  }
  for_each_copy(padding, shape.width, shape.border, [&](std::size_t outside, std::size_t inside) {
    std::copy_n(row + inside * shape.stride, shape.stride, row + outside * shape.stride);
  });
}

std::optional<std::size_t> source_row(Padding padding, const ImageShape& shape, std::size_t y) {
  const bool is_inside = y >= shape.rim() && y < shape.rim() + shape.height;
  if (padding == Padding::zero && !is_inside) return std::nullopt;
  return source(padding, static_cast<std::ptrdiff_t>(y) - static_cast<std::ptrdiff_t>(shape.rim()),
                shape.height);
}

template <class T>
void fill_border(Padding padding, const ImageShape& shape, T* image) {
  if (padding == Padding::zero) return clear_border(shape, image);
  for (std::size_t y = 0; y < shape.height; ++y)
    fill_sides(padding, shape, image + (y + shape.rim()) * shape.row());
  for_each_copy(padding, shape.height, shape.rim(), [&](std::size_t outside, std::size_t inside) {
    std::copy_n(image + inside * shape.row(), shape.row(), image + outside * shape.row());
  });
}

template <class T>
void fold_border(Padding padding, const ImageShape& shape, std::size_t first, std::size_t end, T* rows) {
  if (padding == Padding::zero) return;
  const auto row = [&](std::size_t y) { return rows + (y - first) * shape.row(); };
  const std::size_t first_inside = std::max(first, shape.rim()),
                    end_inside = std::min(end, shape.rim() + shape.height);
  for_each_copy(padding, shape.height, shape.rim(), [&](std::size_t outside, std::size_t inside) {
    if (outside >= first && outside < end) add(shape.row(), row(outside), row(inside));
  });
  for (std::size_t y = first_inside; y < end_inside; ++y) {
    for_each_copy(padding, shape.width, shape.border, [&](std::size_t outside, std::size_t inside) {
      add(shape.stride, row(y) + outside * shape.stride, row(y) + inside * shape.stride);
    });
  }
}

template void fill_border(Padding, const ImageShape&, float*);
template void fill_border(Padding, const ImageShape&, double*);
template void fill_sides(Padding, const ImageShape&, float*);
template void fill_sides(Padding, const ImageShape&, double*);
template void fold_border(Padding, const ImageShape&, std::size_t, std::size_t, float*);
template void fold_border(Padding, const ImageShape&, std::size_t, std::size_t, double*);

}  // namespace greybox
