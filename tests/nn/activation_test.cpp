// Activations against their textbook formulas in higher precision, and derivatives against differences.
#include "nn/activation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "support/gradient_check.hpp"
#include "support/simd_targets.hpp"

namespace greybox {
namespace {

constexpr Activation kAll[] = {Activation::leaky_relu, Activation::relu, Activation::tanh,   Activation::silu,
                               Activation::softplus,   Activation::gelu, Activation::sigmoid};

long double formula(Activation activation, long double x) {
  switch (activation) {
    case Activation::leaky_relu:
      return x > 0 ? x : static_cast<long double>(0.01) * x;
    case Activation::relu:
      return x > 0 ? x : 0;
    case Activation::tanh:
      return std::tanh(x);
    case Activation::silu:
      return x / (1 + std::exp(-x));
    case Activation::softplus:
      return x > 40 ? x : std::log1p(std::exp(x));
    case Activation::gelu:
      return x / 2 * (1 + std::erf(x / std::numbers::sqrt2_v<long double>));
    case Activation::sigmoid:
      return 1 / (1 + std::exp(-x));
  }
  return 0;
}

template <class T>
std::vector<T> grid() {
  std::vector<T> x;
  for (int i = -3001; i <= 3001; ++i) x.push_back(static_cast<T>(i * 0.00997));
  for (T large : {T(1e-30), T(100), T(-100), T(1e4), T(-1e4), T(0)}) x.push_back(large);
  return x;
}

template <class T>
class ActivationTest : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ActivationTest, Scalars);

TYPED_TEST(ActivationTest, AgreesWithTheFormula) {
  using T = TypeParam;
  constexpr double kEpsilon = std::numeric_limits<T>::epsilon();
  test::on_every_target([] {
    for (Activation activation : kAll) {
      const std::vector<T> x = grid<T>();
      std::vector<T> y(x.size());
      activate(activation, x.size(), x.data(), y.data());
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double expected = static_cast<double>(formula(activation, x[i]));
        // Like PyTorch's, gelu is x times a sum that cancels below zero: its error is relative to x.
        const double scale = activation == Activation::gelu ? std::abs(x[i]) : std::abs(expected);
        ASSERT_NEAR(y[i], expected, 4 * kEpsilon * scale + std::numeric_limits<T>::min())
            << static_cast<int>(activation) << " at " << x[i];
      }
    }
  });
}

TYPED_TEST(ActivationTest, WorksInPlaceAndLeavesTheRestAlone) {
  using T = TypeParam;
  test::on_every_target([] {
    for (std::size_t n : {0, 1, 3, 7, 16, 19, 33}) {
      std::vector<T> x(n + 1, T(-0.5));
      activate(Activation::tanh, n, x.data(), x.data());
      for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(x[i], std::tanh(-0.5), 1e-6);
      ASSERT_EQ(x[n], T(-0.5));
      std::vector<T> gradient(n + 1, T(2));
      multiply_by_derivative(Activation::tanh, n, x.data(), gradient.data());
      for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(gradient[i], 2 / std::pow(std::cosh(0.5), 2), 1e-6);
      ASSERT_EQ(gradient[n], T(2));
    }
  });
}

TYPED_TEST(ActivationTest, LetsNanThrough) {
  using T = TypeParam;
  test::on_every_target([] {
    for (Activation activation : kAll) {
      const T nan = std::numeric_limits<T>::quiet_NaN();
      T y = 0;
      activate(activation, 1, &nan, &y);
      EXPECT_TRUE(std::isnan(y)) << static_cast<int>(activation);
    }
  });
}

TEST(Activation, DerivativeAgreesWithDifferences) {
  test::on_every_target([] {
    for (Activation activation : kAll) {
      std::vector<double> x, value(53), gradient(53, 1.0);
      for (int i = -26; i <= 26; ++i) x.push_back(0.29 * i + 0.013);
      activate(activation, x.size(), x.data(), value.data());
      multiply_by_derivative(activation, x.size(),
                             derivative_needs_input(activation) ? x.data() : value.data(), gradient.data());
      test::expect_gradient("activation " + std::to_string(static_cast<int>(activation)), x, gradient, [&] {
        activate(activation, x.size(), x.data(), value.data());
        double sum = 0;
        for (double y : value) sum += y;
        return sum;
      });
    }
  });
}

TYPED_TEST(ActivationTest, DerivativeIsFiniteFarOut) {
  using T = TypeParam;
  for (Activation activation : kAll) {
    for (T x : {T(-1e4), T(-200), T(200), T(1e4)}) {
      T kept = x, gradient = 1;
      if (!derivative_needs_input(activation)) activate(activation, 1, &x, &kept);
      multiply_by_derivative(activation, 1, &kept, &gradient);
      const bool grows = x > 0 && activation != Activation::tanh && activation != Activation::sigmoid;
      const T expected = grows ? T(1) : activation == Activation::leaky_relu ? T(0.01) : T(0);
      EXPECT_NEAR(gradient, expected, 1e-6) << static_cast<int>(activation) << " at " << x;
    }
  }
}

TEST(Activation, OnlyRectifiersHaveASlope) {
  EXPECT_EQ(leaky_slope(Activation::leaky_relu), 0.01);
  EXPECT_EQ(leaky_slope(Activation::relu), 0.0);
  EXPECT_FALSE(leaky_slope(Activation::gelu).has_value());
}

}  // namespace
}  // namespace greybox
