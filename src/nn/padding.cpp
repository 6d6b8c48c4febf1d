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
  // The right border of a row and the left border of the next are neighbours in memory.
  for (std::size_t y = 0; y < shape.height; ++y) {
    std::fill_n(image + shape.inside(y) + shape.width * shape.stride, 2 * side, T{0});
  }
  if (shape.border > 0) {
    T* bottom = image + (shape.height + shape.border) * shape.row();
    std::fill_n(bottom, shape.border * shape.row(), T{0});
  }
}

template <class T>
void add(std::size_t n, const T* from, T* to) {
  for (std::size_t i = 0; i < n; ++i) to[i] += from[i];
}

}  // namespace

template <class T>
void fill_border(Padding padding, const ImageShape& shape, T* image) {
  if (padding == Padding::zero) return clear_border(shape, image);
  for (std::size_t y = 0; y < shape.height; ++y) {
    T* row = image + (y + shape.border) * shape.row();
    for_each_copy(padding, shape.width, shape.border, [&](std::size_t outside, std::size_t inside) {
      std::copy_n(row + inside * shape.stride, shape.stride, row + outside * shape.stride);
    });
  }
  for_each_copy(padding, shape.height, shape.border, [&](std::size_t outside, std::size_t inside) {
    std::copy_n(image + inside * shape.row(), shape.row(), image + outside * shape.row());
  });
}

template <class T>
void fold_border(Padding padding, const ImageShape& shape, T* image) {
  if (padding == Padding::zero) return;
  for_each_copy(padding, shape.height, shape.border, [&](std::size_t outside, std::size_t inside) {
    add(shape.row(), image + outside * shape.row(), image + inside * shape.row());
  });
  for (std::size_t y = 0; y < shape.height; ++y) {
    T* row = image + (y + shape.border) * shape.row();
    for_each_copy(padding, shape.width, shape.border, [&](std::size_t outside, std::size_t inside) {
      add(shape.stride, row + outside * shape.stride, row + inside * shape.stride);
    });
  }
}

template void fill_border(Padding, const ImageShape&, float*);
template void fill_border(Padding, const ImageShape&, double*);
template void fold_border(Padding, const ImageShape&, float*);
template void fold_border(Padding, const ImageShape&, double*);

}  // namespace greybox
