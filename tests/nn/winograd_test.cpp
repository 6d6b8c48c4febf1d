// Winograd's convolution and its gradients against plain sums, and how much precision it costs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "nn/winograd_filter.hpp"
#include "support/simd_targets.hpp"

namespace greybox {
namespace {

constexpr std::size_t kSlack = 64;  // vectors may be read past the last pixel

struct Case {
  std::size_t n_inputs, n_outputs, height, width;
};

const std::vector<Case> kCases = {{8, 8, 4, 4},    {16, 16, 32, 32}, {17, 9, 5, 7},
                                  {9, 33, 34, 34}, {32, 40, 8, 12},  {16, 16, 6, 4}};

// Random image, delta and weights of one case, and what plain sums make of them.
template <class T>
class Convolution {
 public:
  explicit Convolution(const Case& c)
      : shape{.n_inputs = c.n_inputs, .n_outputs = c.n_outputs, .kernel = 3},
        area{.height = c.height, .width = c.width, .image_pitch = c.width + 2, .result_pitch = c.width + 3},
        image_shape{.height = c.height, .width = c.width, .border = 1, .stride = c.n_inputs},
        delta_shape{.height = c.height, .width = c.width, .border = 2, .stride = c.n_outputs},
        image(image_shape.size() + kSlack),
        delta(delta_shape.size() + kSlack),
        weights(9 * c.n_inputs * c.n_outputs),
        bias(c.n_outputs) {
    for (AlignedBuffer<T>* values : {&image, &delta, &weights, &bias}) {
      std::uniform_real_distribution<T> uniform(-1, 1);
      for (T& x : values->span()) x = uniform(engine_);
    }
  }

  double weight(std::size_t out, std::size_t in, std::size_t tap) const {
    return static_cast<double>(weights[(out * shape.n_inputs + in) * 9 + tap]);
  }
  double pixel(std::size_t y, std::size_t x, std::size_t in) const {
    return static_cast<double>(image[(y * area.image_pitch + x) * shape.n_inputs + in]);
  }
  double result(std::size_t y, std::size_t x, std::size_t out) const {
    double sum = static_cast<double>(bias[out]);
    for (std::size_t in = 0; in < shape.n_inputs; ++in)
      for (std::size_t tap = 0; tap < 9; ++tap)
        sum += pixel(y + tap / 3, x + tap % 3, in) * weight(out, in, tap);
    return sum;
  }
  double gradient(std::size_t out, std::size_t in, std::size_t tap) const {
    double sum = 0;
    for (std::size_t y = 0; y < area.height; ++y)
      for (std::size_t x = 0; x < area.width; ++x)
        sum += pixel(y + tap / 3, x + tap % 3, in) *
               static_cast<double>(delta[delta_shape.inside(y) + x * shape.n_outputs + out]);
    return sum;
  }

  FilterShape shape;
  FilterArea area;
  ImageShape image_shape, delta_shape;
  AlignedBuffer<T> image, delta, weights, bias;

 private:
  std::mt19937 engine_{3};
};

// Sums of `n` products are of the size of √n; the transforms' rounding is up to some hundred units of that,
// where plain sums would be wrong by a few.
template <class T>
double tolerance(std::size_t n) {
  return 100 * std::sqrt(static_cast<double>(n)) * static_cast<double>(std::numeric_limits<T>::epsilon());
}

template <class T>
class WinogradTest : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(WinogradTest, Scalars);

TYPED_TEST(WinogradTest, AgreesWithPlainSums) {
  using T = TypeParam;
  test::on_every_target([] {
    for (const Case& c : kCases) {
      SCOPED_TRACE(::testing::Message() << c.n_inputs << " to " << c.n_outputs << " on " << c.height);
      const Convolution<T> made(c);
      ASSERT_TRUE(WinogradFilter<T>::suits(made.shape, made.area));
      WinogradFilter<T> filter(made.shape, made.area);
      filter.pack(made.weights.data());
      filter.set_bias(made.bias.data());
      const std::size_t stride = panel_stride<T>(c.n_outputs);
      AlignedBuffer<T> results(made.area.height * made.area.result_pitch * stride),
          scratch(filter.scratch_size());
      results.fill(T{7});  // all must be written
      filter.apply(c.height, made.image.data(), results.data(), scratch.data());
      for (std::size_t y = 0; y < c.height; ++y)
        for (std::size_t x = 0; x < c.width; ++x) {
          const T* pixel = results.data() + (y * made.area.result_pitch + x) * stride;
          for (std::size_t out = 0; out < c.n_outputs; ++out)
            ASSERT_NEAR(pixel[out], made.result(y, x, out), tolerance<T>(9 * c.n_inputs));
          for (std::size_t out = c.n_outputs; out < stride; ++out) ASSERT_EQ(pixel[out], 0);
        }
    }
  });
}

// ⟨delta, filter(image)⟩ = ⟨adjoint(delta), image⟩, without the bias.
TYPED_TEST(WinogradTest, AdjointIsTheAdjoint) {
  using T = TypeParam;
  for (const Case& c : kCases) {
    Convolution<T> made(c);
    std::fill(made.bias.span().begin(), made.bias.span().end(), T{0});
    AlignedBuffer<T> delta(made.delta_shape.size() + kSlack);
    double expected = 0;
    for (std::size_t y = 0; y < c.height; ++y)
      for (std::size_t i = 0; i < c.width * c.n_outputs; ++i) {
        const T value = made.delta[made.delta_shape.inside(y) + i];
        delta[made.delta_shape.inside(y) + i] = value;
        expected += static_cast<double>(value) * made.result(y, i / c.n_outputs, i % c.n_outputs);
      }
    const FilterArea area{.height = c.height + 2,
                          .width = c.width + 2,
                          .image_pitch = c.width + 4,
                          .result_pitch = c.width + 2};
    WinogradFilter<T> adjoint(made.shape.adjoint(), area);
    adjoint.pack_adjoint(made.weights.data());
    const std::size_t stride = panel_stride<T>(c.n_inputs);
    AlignedBuffer<T> gradient(area.height * area.result_pitch * stride), scratch(adjoint.scratch_size());
    adjoint.apply(area.height, delta.data(), gradient.data(), scratch.data());
    double actual = 0;
    for (std::size_t y = 0; y < area.height; ++y)
      for (std::size_t x = 0; x < area.width; ++x)
        for (std::size_t in = 0; in < c.n_inputs; ++in)
          actual +=
              made.pixel(y, x, in) * static_cast<double>(gradient[(y * area.result_pitch + x) * stride + in]);
    const std::size_t n_products = c.height * c.width * c.n_outputs * 9 * c.n_inputs;
    EXPECT_NEAR(actual, expected, tolerance<T>(n_products));
  }
}

TYPED_TEST(WinogradTest, MakesFilterGradients) {
  using T = TypeParam;
  test::on_every_target([] {
    for (const Case& c : kCases) {
      const Convolution<T> made(c);
      const bool is_whole = c.height % kWinogradTile == 0 && c.width % kWinogradTile == 0;
      ASSERT_EQ(WinogradGradient<T>::suits(made.shape, made.image_shape), is_whole);
      if (!is_whole) continue;
      const WinogradGradient<T> gradient(made.shape, made.image_shape, made.delta_shape);
      AlignedBuffer<T> sums(gradient.size()), scratch(gradient.scratch_size()), result(made.weights.size());
      for (int times = 0; times < 2; ++times)
        gradient.add(c.height, made.image.data(), made.delta.data(), sums.data(), scratch.data());
      gradient.unpack(sums.data(), result.data());
      for (std::size_t i = 0; i < result.size(); ++i) {
        const double expected = 2 * made.gradient(i / 9 / c.n_inputs, i / 9 % c.n_inputs, i % 9);
        ASSERT_NEAR(result[i], expected, tolerance<T>(4 * c.height * c.width));
      }
    }
  });
}

TEST(Winograd, IsRefusedWhereItDoesNotFit) {
  const FilterArea large{.height = 8, .width = 8, .image_pitch = 10, .result_pitch = 8};
  const FilterArea small{.height = 3, .width = 8, .image_pitch = 10, .result_pitch = 8};
  EXPECT_FALSE(WinogradFilter<float>::suits({.n_inputs = 16, .n_outputs = 16, .kernel = 5}, large));
  EXPECT_FALSE(WinogradFilter<float>::suits({.n_inputs = 2, .n_outputs = 16, .kernel = 3}, large));
  EXPECT_FALSE(WinogradFilter<float>::suits({.n_inputs = 16, .n_outputs = 16, .kernel = 3}, small));
  EXPECT_TRUE(WinogradFilter<float>::suits({.n_inputs = 16, .n_outputs = 16, .kernel = 3}, large));
}

}  // namespace
}  // namespace greybox
