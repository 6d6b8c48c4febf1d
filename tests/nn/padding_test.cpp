// Borders of images: copied from the right pixels, and the adjoint that adds them back.
#include "nn/padding.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace greybox {
namespace {

// One row of three pixels of one channel, values 1 2 3, in a border of two.
std::vector<float> bordered_row(Padding padding) {
  const ImageShape shape{.height = 1, .width = 3, .border = 2, .stride = 1};
  std::vector<float> image(shape.size(), -1.0f);
  std::iota(image.begin() + static_cast<std::ptrdiff_t>(shape.inside(0)),
            image.begin() + static_cast<std::ptrdiff_t>(shape.inside(0) + 3), 1.0f);
  fill_border(padding, shape, image.data());
  // With a single row, rows above and below are that row again, or zero.
  for (std::size_t y = 0; y < 5; ++y) {
    for (std::size_t x = 0; x < 7; ++x) {
      const bool outside = y != 2;
      EXPECT_EQ(image[y * 7 + x], padding == Padding::zero && outside ? 0.0f : image[14 + x]);
    }
  }
  return {image.begin() + 14, image.begin() + 21};
}

TEST(Padding, FillsFromTheRightPixels) {
  EXPECT_EQ(bordered_row(Padding::replicate), (std::vector<float>{1, 1, 1, 2, 3, 3, 3}));
  EXPECT_EQ(bordered_row(Padding::zero), (std::vector<float>{0, 0, 1, 2, 3, 0, 0}));
  EXPECT_EQ(bordered_row(Padding::periodic), (std::vector<float>{2, 3, 1, 2, 3, 1, 2}));
}

TEST(Padding, PeriodicBorderWiderThanTheImageRepeatsIt) {
  const ImageShape shape{.height = 1, .width = 2, .border = 3, .stride = 1};
  std::vector<double> image(shape.size());
  image[shape.inside(0)] = 1, image[shape.inside(0) + 1] = 2;
  fill_border(Padding::periodic, shape, image.data());
  const std::vector<double> row(image.begin(), image.begin() + 8);
  EXPECT_EQ(row, (std::vector<double>{2, 1, 2, 1, 2, 1, 2, 1}));
}

// ⟨fill(u), v⟩ = ⟨u, fold(v)⟩ for every u and v.
void expect_adjoint(Padding padding, const ImageShape& shape) {
  for (std::size_t i = 0; i < shape.height * shape.width * shape.stride; ++i) {
    const std::size_t row_size = shape.width * shape.stride;
    const std::size_t at = shape.inside(i / row_size) + i % row_size;
    std::vector<double> filled(shape.size()), folded(shape.size());
    filled[at] = 1;
    fill_border(padding, shape, filled.data());
    std::iota(folded.begin(), folded.end(), 1.0);
    const double expected = std::inner_product(filled.begin(), filled.end(), folded.begin(), 0.0);
    fold_border(padding, shape, 0, shape.height + 2 * shape.rim(), folded.data());
    EXPECT_EQ(folded[at], expected) << "value " << i;
  }
}

TEST(Padding, FoldIsTheAdjointOfFill) {
  for (const Padding padding : {Padding::replicate, Padding::zero, Padding::periodic}) {
    expect_adjoint(padding, {.height = 3, .width = 5, .border = 1, .stride = 2});
    expect_adjoint(padding, {.height = 4, .width = 3, .border = 3, .stride = 3});
    expect_adjoint(padding, {.height = 1, .width = 2, .border = 3, .stride = 1});
    expect_adjoint(padding, {.height = 2, .width = 2, .border = 0, .stride = 4});
    expect_adjoint(padding, {.height = 1, .width = 5, .border = 2, .stride = 3, .is_line = true});
  }
}

}  // namespace
}  // namespace greybox
