// Between the points of grids: exact for polynomials, and none beside what is no number.
#include "analysis/theta/between_points.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/limits.hpp"

namespace greybox::test {
namespace {

std::vector<double> uneven(std::size_t n) {
  std::vector<double> positions;
  for (std::size_t i = 0; i < n; ++i)
    positions.push_back(std::pow(static_cast<double>(i) / static_cast<double>(n - 1), 1.3));
  return positions;
}

TEST(BetweenPoints, IsExactForPolynomials) {
  const std::vector<double> x = uneven(9), y = uneven(12);
  const auto f = [](double a, double b) { return 1 - 2 * a + a * a * a * b - std::pow(b, 5); };
  Quantities values(1);
  for (const double a : x)
    for (const double b : y) values[0].push_back(f(a, b));
  for (const double a : {0.0, 0.031, 0.4, 0.77, 1.0})
    for (const double b : {0.0, 0.22, 0.5, 0.99, 1.0})
      EXPECT_NEAR(between_points({x, y}, values, std::vector<double>{a, b})[0], f(a, b), 1e-12)
          << a << ", " << b;
}

TEST(BetweenPoints, OfOneAxisAndOfFewPoints) {
  EXPECT_NEAR(between_points({{0, 0.5, 1}}, {{0, 0.25, 1}}, std::vector<double>{0.3})[0], 0.09, 1e-14);
}

TEST(BetweenPoints, TakesTheNearestBesideWhatIsNoNumber) {
  const std::vector<double> x = {0, 0.2, 0.4, 0.6, 0.8, 1};
  const Quantities values = {{0, 2, 4, 6, kNaN, kNaN}};
  EXPECT_NEAR(between_points({x}, values, std::vector<double>{0.5})[0], 5, 1e-14);
  EXPECT_TRUE(std::isnan(between_points({x}, values, std::vector<double>{0.7})[0]));
  EXPECT_TRUE(std::isnan(between_points({x}, values, std::vector<double>{1.1})[0]));
}

}  // namespace
}  // namespace greybox::test
