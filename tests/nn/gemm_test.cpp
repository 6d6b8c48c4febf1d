// Every product against a plain triple loop, over odd shapes, strides and epilogues.
#include "nn/gemm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/aligned_buffer.hpp"
#include "support/simd_targets.hpp"

namespace greybox {
namespace {

template <class T>
class GemmTest : public ::testing::Test {
 public:
  // Of a sum of n products of numbers below one.
  static double tolerance(std::size_t n) {
    return (4 + 0.5 * static_cast<double>(n)) * std::numeric_limits<T>::epsilon();
  }

  AlignedBuffer<T> random(std::size_t size) {
    AlignedBuffer<T> values(size);
    std::uniform_real_distribution<T> uniform(-1, 1);
    for (T& x : values.span()) x = uniform(engine_);
    return values;
  }

 private:
  std::mt19937 engine_{7};
};

using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(GemmTest, Scalars);

enum class Init { none, bias, rows, accumulate };

struct Shape {
  std::size_t rows, columns, n_outer, n_inner;
};

const std::vector<Shape> kShapes = {{1, 1, 1, 1},    {1, 16, 1, 5},    {2, 3, 1, 0},    {3, 17, 2, 4},
                                    {5, 8, 3, 7},    {6, 33, 1, 16},   {7, 64, 1, 3},   {13, 5, 1, 128},
                                    {14, 32, 3, 48}, {15, 100, 1, 11}, {25, 128, 1, 9}, {50, 20, 1, 31},
                                    {29, 48, 2, 6},  {64, 2, 1, 10},   {97, 65, 1, 2}};

double epilogue_of(Epilogue epilogue, double x, double mask, double slope) {
  switch (epilogue) {
    case Epilogue::none:
      return x;
    case Epilogue::leaky:
      return x > 0 ? x : slope * x;
    case Epilogue::leaky_mask:
      return mask > 0 ? x : slope * x;
  }
  return 0;
}

template <class T>
double naive(const Product<T>& p, std::size_t r, std::size_t panel, std::size_t v) {
  double sum = p.init ? p.init[r * p.init_row + panel * p.init_panel + v] : 0;
  for (std::size_t o = 0; o < p.n_outer; ++o) {
    for (std::size_t k = 0; k < p.n_inner; ++k) {
      sum += static_cast<double>(p.a[r * p.a_row + o * p.a_outer + k * p.a_inner]) *
             p.b[panel * p.b_panel + o * p.b_outer + k * p.b_inner + v];
    }
  }
  const double mask = p.mask ? p.mask[r * p.mask_row + panel * p.mask_panel + v] : 0;
  return epilogue_of(p.epilogue, sum, mask, p.slope);
}

TYPED_TEST(GemmTest, PanelWidthCoversColumnsWithOneOrTwoVectors) {
  const std::size_t vector = panel_width<TypeParam>(1);
  for (std::size_t columns : {1, 2, 15, 16, 17, 33, 64, 128, 129}) {
    const std::size_t width = panel_width<TypeParam>(columns);
    EXPECT_TRUE(width == vector || width == 2 * vector) << columns;
  }
  EXPECT_EQ(panel_width<TypeParam>(128), 2 * vector);
}

// A product of random matrices with gaps between their rows, and what must come out of it.
template <class T>
class RandomProduct {
 public:
  RandomProduct(const Shape& s, Epilogue epilogue, Init init, GemmTest<T>& source)
      : width_(panel_width<T>(s.columns)),
        used_((s.columns + width_ - 1) / width_ * width_),
        stride_(used_ + 3),
        a_(source.random(s.rows * s.n_outer * (s.n_inner + 2))),
        b_(source.random(used_ * s.n_outer * (s.n_inner + 1))),
        start_(source.random(s.rows * stride_)),
        mask_(source.random(s.rows * stride_)),
        c_(s.rows * stride_),
        product_{.rows = s.rows, .columns = s.columns, .n_outer = s.n_outer, .n_inner = s.n_inner} {
    std::copy_n(start_.data(), start_.size(), c_.data());
    Product<T>& p = product_;
    p.a = a_.data(), p.a_outer = s.n_inner + 2, p.a_row = s.n_outer * p.a_outer;
    p.b = b_.data(), p.b_inner = width_, p.b_outer = (s.n_inner + 1) * width_,
    p.b_panel = s.n_outer * p.b_outer;
    p.c = c_.data(), p.c_row = stride_, p.c_panel = width_;
    p.mask = mask_.data(), p.mask_row = stride_, p.mask_panel = width_;
    p.epilogue = epilogue, p.slope = T(0.01);
    if (init != Init::none) p.init = init == Init::accumulate ? p.c : start_.data(), p.init_panel = width_;
    if (init == Init::rows || init == Init::accumulate) p.init_row = stride_;
  }

  void expect_agreement(double tolerance) {
    multiply(product_);
    Product<T> expected = product_;
    if (expected.init) expected.init = start_.data();
    for (std::size_t i = 0; i < c_.size(); ++i) {
      const std::size_t r = i / stride_, j = i % stride_;
      if (j < used_) {
        ASSERT_NEAR(c_[i], naive(expected, r, j / width_, j % width_), tolerance)
            << "row " << r << " column " << j;
      } else {
        ASSERT_EQ(c_[i], start_[i]) << "row " << r << " column " << j;
      }
    }
  }

 private:
  std::size_t width_, used_, stride_;
  AlignedBuffer<T> a_, b_, start_, mask_, c_;
  Product<T> product_;
};

TYPED_TEST(GemmTest, AgreesWithTheTripleLoop) {
  test::on_every_target([this] {
    for (const Shape& s : kShapes) {
      for (Epilogue epilogue : {Epilogue::none, Epilogue::leaky, Epilogue::leaky_mask}) {
        for (Init init : {Init::none, Init::bias, Init::rows, Init::accumulate}) {
          SCOPED_TRACE(::testing::Message() << s.rows << " x " << s.columns << " x " << s.n_inner);
          RandomProduct<TypeParam>(s, epilogue, init, *this)
              .expect_agreement(this->tolerance(s.n_outer * s.n_inner));
        }
      }
    }
  });
}

// The weight gradient's strides: A is read across its rows, B in the layout of activations, C in panels.
TYPED_TEST(GemmTest, MakesWeightGradients) {
  using T = TypeParam;
  const std::size_t n_in = 13, n_out = 37, n_samples = 23;
  const std::size_t width = panel_width<T>(n_out), n_panels = (n_out + width - 1) / width;
  const std::size_t x_stride = n_in + 4, delta_stride = n_panels * width;
  const auto x = this->random(n_samples * x_stride);
  const auto delta = this->random(n_samples * delta_stride);
  AlignedBuffer<T> gradient(n_panels * n_in * width);
  Product<T> p{.rows = n_in, .columns = n_out, .n_inner = n_samples};
  p.a = x.data(), p.a_row = 1, p.a_inner = x_stride;
  p.b = delta.data(), p.b_panel = width, p.b_inner = delta_stride;
  p.c = gradient.data(), p.c_row = width, p.c_panel = n_in * width;
  p.init = p.c, p.init_row = p.c_row, p.init_panel = p.c_panel;
  multiply(p);
  multiply(p);
  for (std::size_t i = 0; i < n_in; ++i) {
    for (std::size_t o = 0; o < n_out; ++o) {
      double sum = 0;
      for (std::size_t s = 0; s < n_samples; ++s)
        sum += 2.0 * x[s * x_stride + i] * delta[s * delta_stride + o];
      EXPECT_NEAR(gradient[(o / width * n_in + i) * width + o % width], sum, this->tolerance(4 * n_samples));
    }
  }
}

// Several small products in one call are the products one by one.
TYPED_TEST(GemmTest, ManyAreTheSameAsOneByOne) {
  using T = TypeParam;
  test::on_every_target([this] {
    const std::size_t count = 5, inner = 7;
    for (const std::size_t rows : {1, 8, 15, 29}) {
      for (const std::size_t columns : {9, 16, 40}) {
        const std::size_t width = panel_width<T>(columns), padded = (columns + width - 1) / width * width;
        const auto a = this->random(count * rows * inner), b = this->random(count * inner * padded);
        const auto init = this->random(count * padded);
        AlignedBuffer<T> many(count * rows * padded), single(many.size());
        for (const bool is_transposed : {false, true}) {
          // The outer index reads neighbouring columns of A once more.
          Product<T> p{.rows = rows, .columns = columns, .n_outer = 2, .n_inner = inner - 1};
          p.a = a.data(), p.a_row = is_transposed ? 1 : inner, p.a_inner = is_transposed ? rows : 1;
          p.a_outer = p.a_inner, p.b_outer = static_cast<std::ptrdiff_t>(padded);
          p.b = b.data(), p.b_inner = padded, p.b_panel = width;
          p.init = init.data(), p.init_panel = width;
          p.c = many.data(), p.c_row = padded, p.c_panel = width;
          const ProductSteps steps{.count = count,
                                   .a = static_cast<std::ptrdiff_t>(rows * inner),
                                   .b = static_cast<std::ptrdiff_t>(inner * padded),
                                   .init = static_cast<std::ptrdiff_t>(padded),
                                   .c = static_cast<std::ptrdiff_t>(rows * padded)};
          multiply_many(p, steps);
          p.c = single.data();
          for (std::size_t i = 0; i < count; ++i) {
            multiply(p);
            p.a += steps.a, p.b += steps.b, p.init += steps.init, p.c += steps.c;
          }
          for (std::size_t i = 0; i < many.size(); ++i) ASSERT_EQ(many[i], single[i]);
        }
      }
    }
  });
}

// So are, but for rounding, those that share the rows of an image.
TYPED_TEST(GemmTest, OverlappingAreNearlyTheSameAsOneByOne) {
  using T = TypeParam;
  test::on_every_target([this] {
    const std::size_t channels = 2;
    for (const std::size_t kernel : {1, 3, 5}) {
      for (const std::size_t count : {3, 4, 9}) {
        for (const std::size_t rows : {1, 6, 13}) {
          for (const std::size_t columns : {9, 16, 40}) {
            const std::size_t width = panel_width<T>(columns), padded = (columns + width - 1) / width * width;
            const std::size_t run = kernel * channels, line = (rows + kernel - 1) * channels;
            const auto a = this->random((count + kernel - 1) * line), b = this->random(kernel * run * padded);
            const auto init = this->random(padded);
            AlignedBuffer<T> overlapping(count * rows * padded), single(overlapping.size());
            Product<T> p{.rows = rows, .columns = columns, .n_outer = kernel, .n_inner = run};
            p.a = a.data(), p.a_row = channels, p.a_outer = line;
            p.b = b.data(), p.b_panel = kernel * run * width, p.b_outer = run * width, p.b_inner = width;
            p.init = init.data(), p.init_panel = width;
            p.c = overlapping.data(), p.c_row = padded, p.c_panel = width;
            const ProductSteps steps{.count = count,
                                     .a = static_cast<std::ptrdiff_t>(line),
                                     .c = static_cast<std::ptrdiff_t>(rows * padded)};
            multiply_overlapping(p, steps);
            p.c = single.data();
            for (std::size_t i = 0; i < count; ++i, p.a += steps.a, p.c += steps.c) multiply(p);
            for (std::size_t i = 0; i < single.size(); ++i)
              ASSERT_NEAR(overlapping[i], single[i], this->tolerance(kernel * run));
          }
        }
      }
    }
  });
}

// So are products that share A, in threes or not.
TYPED_TEST(GemmTest, SharedAreTheSameAsOneByOne) {
  using T = TypeParam;
  test::on_every_target([this] {
    const std::size_t count = 7, inner = 5;
    for (const std::size_t rows : {1, 2, 4, 6, 7, 20}) {
      for (const std::size_t columns : {3, 16, 40}) {
        const std::size_t width = panel_width<T>(columns), padded = (columns + width - 1) / width * width;
        const auto a = this->random(rows * inner), b = this->random((count + inner) * padded);
        AlignedBuffer<T> shared(count * rows * padded), single(shared.size());
        for (std::size_t i = 0; i < single.size(); ++i) shared[i] = single[i] = static_cast<T>(i % 10);
        Product<T> p{.rows = rows, .columns = columns, .n_outer = 2, .n_inner = inner - 1};
        p.a = a.data(), p.a_row = 1, p.a_inner = p.a_outer = rows;
        p.b = b.data(), p.b_inner = p.b_outer = padded, p.b_panel = width;
        p.init = p.c = shared.data(), p.init_row = p.c_row = padded, p.init_panel = p.c_panel = width;
        const auto size = static_cast<std::ptrdiff_t>(rows * padded);
        const ProductSteps steps{
            .count = count, .b = static_cast<std::ptrdiff_t>(padded), .init = size, .c = size};
        multiply_shared(p, steps);
        p.init = p.c = single.data();
        for (std::size_t i = 0; i < count; ++i) {
          multiply(p);
          p.b += steps.b, p.init += steps.init, p.c += steps.c;
        }
        for (std::size_t i = 0; i < shared.size(); ++i) ASSERT_EQ(shared[i], single[i]);
      }
    }
  });
}

// With one panel, results may be written where A was read; without init, sums start from zero.
TYPED_TEST(GemmTest, ManyMayTakeThePlaceOfA) {
  using T = TypeParam;
  test::on_every_target([this] {
    const std::size_t count = 3, rows = 29, width = panel_width<T>(1), inner = width;
    const auto size = static_cast<std::ptrdiff_t>(rows * width);
    const auto a = this->random(count * rows * width), b = this->random(inner * width);
    AlignedBuffer<T> apart(a.size()), in_place(a.size());
    std::copy_n(a.data(), a.size(), in_place.data());
    Product<T> p{.rows = rows, .columns = width, .n_inner = inner};
    p.a = a.data(), p.a_row = width, p.b = b.data(), p.b_inner = width;
    p.c = apart.data(), p.c_row = width;
    multiply_many(p, {.count = count, .a = size, .c = size});
    p.a = p.c = in_place.data();
    multiply_many(p, {.count = count, .a = size, .c = size});
    for (std::size_t i = 0; i < a.size(); ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < inner; ++k)
        sum += static_cast<double>(a[i / width * width + k]) * static_cast<double>(b[k * width + i % width]);
      ASSERT_NEAR(apart[i], sum, this->tolerance(inner));
      ASSERT_EQ(in_place[i], apart[i]);
    }
  });
}

TYPED_TEST(GemmTest, LetsNanThrough) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const std::size_t width = panel_width<T>(1);
  AlignedBuffer<T> a(1), b(width), c(width);
  a[0] = nan;
  b.fill(T{1});
  for (Epilogue epilogue : {Epilogue::none, Epilogue::leaky, Epilogue::leaky_mask}) {
    c.fill(T{0});
    multiply(Product<T>{.rows = 1,
                        .columns = 1,
                        .n_inner = 1,
                        .a = a.data(),
                        .b = b.data(),
                        .c = c.data(),
                        .epilogue = epilogue,
                        .mask = b.data()});
    EXPECT_TRUE(std::isnan(c[0]));
  }
}

// C of a narrow product whose rows have gaps, or none, against the sums it must hold.
template <class T>
void expect_narrow_agreement(const Shape& s, std::size_t init_row, std::size_t gap, GemmTest<T>& source) {
  const std::size_t n_inner = s.n_outer * s.n_inner, stride = s.columns + gap;
  const auto a = source.random(s.rows * (n_inner + 3)), b = source.random(s.columns * (n_inner + 1));
  const auto init = source.random(s.rows * (s.columns + 1));
  AlignedBuffer<T> c(s.rows * stride + 1);
  c.fill(T{9});
  NarrowProduct<T> p{.rows = s.rows, .columns = s.columns, .n_outer = s.n_outer, .n_inner = s.n_inner};
  p.a = a.data(), p.a_row = n_inner + 3, p.a_outer = s.n_inner;
  p.b = b.data(), p.b_column = n_inner + 1, p.b_outer = s.n_inner;
  p.init = init.data(), p.init_row = init_row;
  p.c = c.data(), p.c_row = stride;
  multiply_narrow(p, {.count = 1});
  for (std::size_t r = 0; r < s.rows; ++r) {
    for (std::size_t j = 0; j < s.columns; ++j) {
      double sum = init[r * init_row + j];
      for (std::size_t k = 0; k < n_inner; ++k)
        sum += 1.0 * a[r * (n_inner + 3) + k] * b[j * (n_inner + 1) + k];
      ASSERT_NEAR(c[r * stride + j], sum, source.tolerance(n_inner));
    }
    if (gap > 0 || r + 1 == s.rows) {
      ASSERT_EQ(c[r * stride + s.columns], T{9});
    }
  }
}

TYPED_TEST(GemmTest, NarrowAgreesWithTheTripleLoop) {
  test::on_every_target([this] {
    for (Shape s : kShapes) {
      s.columns = std::min<std::size_t>(s.columns, 5);
      expect_narrow_agreement<TypeParam>(s, 0, 1, *this);
      expect_narrow_agreement<TypeParam>(s, s.columns + 1, 1, *this);
      expect_narrow_agreement<TypeParam>(s, 0, 0, *this);
    }
  });
}

// Two lines of pixels under a kernel of 3 × 3, as a convolution makes them.
TYPED_TEST(GemmTest, NarrowTakesPixelsThatRowsShare) {
  using T = TypeParam;
  test::on_every_target([this] {
    for (const std::size_t channels : {1, 4, 8, 16, 19, 32}) {
      for (const std::size_t rows : {3, 8, 9, 34}) {
        const std::size_t run = 3 * channels, line = (rows + 2) * channels;
        const auto a = this->random(4 * line + 64), b = this->random(2 * 3 * run + 64),
                   init = this->random(2);
        AlignedBuffer<T> c(2 * 2 * rows);
        NarrowProduct<T> p{.rows = rows, .columns = 2, .n_outer = 3, .n_inner = run};
        p.a = a.data(), p.a_row = channels, p.a_outer = line;
        p.b = b.data(), p.b_column = 3 * run, p.b_outer = run;
        p.init = init.data(), p.c = c.data(), p.c_row = 2;
        multiply_narrow(
            p,
            {.count = 2, .a = static_cast<std::ptrdiff_t>(line), .c = static_cast<std::ptrdiff_t>(2 * rows)});
        for (std::size_t i = 0; i < c.size(); ++i) {
          const std::size_t y = i / 2 / rows, r = i / 2 % rows;
          double sum = init[i % 2];
          for (std::size_t k = 0; k < 3 * run; ++k)
            sum += 1.0 * a[(y + k / run) * line + r * channels + k % run] * b[i % 2 * 3 * run + k];
          ASSERT_NEAR(c[i], sum, this->tolerance(3 * run));
        }
      }
    }
  });
}

TYPED_TEST(GemmTest, AddsRows) {
  test::on_every_target([this] {
    const std::size_t rows = 5, stride = 150;
    const auto x = this->random(rows * stride);
    for (std::size_t columns : {1, 3, 16, 67, 149}) {
      AlignedBuffer<TypeParam> sum(stride);
      sum.fill(TypeParam{1});
      add_rows(rows, columns, x.data(), stride, sum.data());
      for (std::size_t j = 0; j < columns; ++j) {
        double expected = 1;
        for (std::size_t r = 0; r < rows; ++r) expected += x[r * stride + j];
        ASSERT_NEAR(sum[j], expected, this->tolerance(rows));
      }
      ASSERT_EQ(sum[columns], TypeParam{1});
    }
  });
}

}  // namespace
}  // namespace greybox
