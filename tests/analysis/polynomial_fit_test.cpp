#include "analysis/theta/polynomial_fit.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace greybox::test {
namespace {

double smooth(std::span<const double> x) {
  return std::exp(0.5 * x[0]) * std::sin(x[1] + 0.3) + 0.2 * x[2] * x[0];
}

TEST(PolynomialFit, FollowsASmoothFunctionAndItsSlopes) {
  PolynomialFit polynomial(3, 220);
  const std::vector<double> points = PolynomialFit::points(5 * polynomial.n_terms() / 2, 3);
  std::vector<std::vector<double>> values(2);
  for (std::size_t i = 0; i < points.size(); i += 3) {
    values[0].push_back(smooth(std::span(points).subspan(i, 3)));
    values[1].push_back(points[i]);
  }
  polynomial.fit(points, values);
  ASSERT_EQ(polynomial.n_quantities(), 2U);
  std::array<double, 2> value{}, shifted{};
  std::array<double, 6> slopes{}, unused{};
  for (std::array<double, 3> x : {std::array{0.1, -0.4, 0.7}, {-0.95, 0.9, 0.2}, {0.6, 0.99, -1.0}}) {
    polynomial.evaluate(x, value, slopes);
    EXPECT_NEAR(value[0], smooth(x), 1e-5);
    EXPECT_NEAR(value[1], x[0], 1e-9);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::array<double, 3> moved = x;
      moved[axis] += 1e-6;
      polynomial.evaluate(moved, shifted, unused);
      EXPECT_NEAR(slopes[axis], (shifted[0] - value[0]) / 1e-6, 1e-4) << axis;
      EXPECT_NEAR(slopes[3 + axis], axis == 0 ? 1 : 0, 1e-6) << axis;
    }
  }
}

TEST(PolynomialFit, KeepsToItsNumberOfTerms) {
  EXPECT_EQ(PolynomialFit(1, 220).n_terms(), 17U);
  EXPECT_EQ(PolynomialFit(2, 220).n_terms(), 153U);
  EXPECT_EQ(PolynomialFit(3, 220).n_terms(), 220U);
  EXPECT_EQ(PolynomialFit(10, 220).n_terms(), 66U);
}

}  // namespace
}  // namespace greybox::test
