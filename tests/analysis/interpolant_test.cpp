// Interpolants: exact for polynomials, close for smooth functions, refused where they would be wrong.
#include "analysis/theta/interpolant.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/theta/chebyshev.hpp"

namespace greybox {
namespace {

using Function = std::function<double(double, double)>;

// Of several functions of one or two coordinates; counts the points.
QuantitiesAt values_of(std::vector<Function> functions, std::size_t* n_points = nullptr) {
  return [functions = std::move(functions), n_points](const std::vector<std::vector<double>>& points) {
    Quantities values(functions.size());
    for (const std::vector<double>& point : points)
      for (std::size_t q = 0; q < functions.size(); ++q)
        values[q].push_back(functions[q](point[0], point.size() > 1 ? point[1] : 0));
    if (n_points != nullptr) *n_points += points.size();
    return values;
  };
}

std::vector<double> even(std::size_t n) {
  std::vector<double> positions;
  for (std::size_t i = 0; i < n; ++i)
    positions.push_back(static_cast<double>(i) / static_cast<double>(n - 1));
  return positions;
}

TEST(Chebyshev, LevelsAreNested) {
  for (std::size_t i = 0; i < chebyshev_size(3); ++i)
    EXPECT_NEAR(chebyshev_point(i, 3), chebyshev_point(2 * i, 4), 1e-15);
  EXPECT_EQ(chebyshev_point(0, 3), 0);
  EXPECT_EQ(chebyshev_point(8, 3), 1);
}

TEST(Interpolant, IsExactForPolynomials) {
  std::size_t n_points = 0;
  const auto interpolant =
      Interpolant::make(2,
                        values_of({[](double x, double y) { return 1 + x * x * x - 2 * x * y * y; },
                                   [](double x, double y) { return std::pow(x - y, 4); }},
                                  &n_points),
                        {.most_points = 1000});
  ASSERT_TRUE(interpolant);
  EXPECT_EQ(n_points, 81U);
  const std::vector<double> x = even(7), y = even(5);
  const Quantities found = interpolant->at({x, y});
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < y.size(); ++j) {
      EXPECT_NEAR(found[0][i * y.size() + j], 1 + std::pow(x[i], 3) - 2 * x[i] * y[j] * y[j], 1e-13);
      EXPECT_NEAR(found[1][i * y.size() + j], std::pow(x[i] - y[j], 4), 1e-13);
    }
}

TEST(Interpolant, RefinesTheAxisThatNeedsIt) {
  std::size_t n_points = 0;
  const auto interpolant =
      Interpolant::make(2, values_of({[](double x, double y) { return std::sin(20 * y) + x; }}, &n_points),
                        {.most_points = 1000});
  ASSERT_TRUE(interpolant);
  EXPECT_EQ(n_points, 9U * 33);
  EXPECT_EQ(interpolant->n_points(), n_points);
  const std::vector<double> y = even(101);
  const Quantities found = interpolant->at({{0.3}, y});
  for (std::size_t j = 0; j < y.size(); ++j) EXPECT_NEAR(found[0][j], std::sin(20 * y[j]) + 0.3, 1e-3);
}

TEST(Interpolant, OfOneAxis) {
  const auto interpolant =
      Interpolant::make(1, values_of({[](double x, double) { return std::exp(x); }}), {.most_points = 50});
  ASSERT_TRUE(interpolant);
  EXPECT_NEAR(interpolant->at({{0.37}})[0][0], std::exp(0.37), 1e-9);
}

TEST(Interpolant, IsRefusedForKinksAndNumbersThatAreNone) {
  EXPECT_FALSE(Interpolant::make(1, values_of({[](double x, double) { return std::abs(x - 0.37); }}),
                                 {.most_points = 33}));
  EXPECT_FALSE(Interpolant::make(1, values_of({[](double x, double) { return std::log(x - 0.1); }}),
                                 {.most_points = 33}));
}

TEST(Interpolant, GivesUpEarlyOnWhatIsRough) {
  std::size_t n_points = 0;
  EXPECT_FALSE(Interpolant::make(
      1, values_of({[](double x, double) { return std::sin(1e4 * x); }}, &n_points), {.most_points = 1000}));
  EXPECT_LE(n_points, 33U);
}

TEST(Interpolant, ForetellsItsErrorForCallersThatCheckIt) {
  const QuantitiesAt wave = values_of({[](double x, double) { return std::sin(3 * x); }});
  const auto sure = Interpolant::make(1, wave, {.most_points = 50});
  const auto foretold = Interpolant::make(1, wave, {.may_foretell = true, .most_points = 50});
  ASSERT_TRUE(sure && foretold);
  EXPECT_EQ(sure->n_points(), 17U);
  EXPECT_EQ(foretold->n_points(), 9U);
  EXPECT_LE(foretold->error(), 1e-3);
  for (double x : even(50)) EXPECT_NEAR(foretold->at({{x}})[0][0], std::sin(3 * x), 1e-3);
  EXPECT_FALSE(Interpolant::make(1, values_of({[](double x, double) { return std::abs(x - 0.37); }}),
                                 {.may_foretell = true, .most_points = 33}));
}

TEST(Interpolant, SmallRangesCanCountForMore) {
  const QuantitiesAt nearly_flat = values_of({[](double x, double) { return std::abs(x - 0.37); }});
  const std::vector<double> ranges = {30};
  EXPECT_TRUE(Interpolant::make(1, nearly_flat, {.smallest_ranges = &ranges, .most_points = 33}));
}

TEST(Interpolant, OfOthersGoesThroughTheSamePoints) {
  const auto one =
      Interpolant::make(1, values_of({[](double x, double) { return std::exp(x); }}), {.most_points = 50});
  std::size_t n_points = 0;
  const auto other = one->of_others(values_of({[](double x, double) { return std::sin(x); }}, &n_points));
  ASSERT_TRUE(other);
  EXPECT_EQ(n_points, one->n_points());
  EXPECT_NEAR(other->at({{0.37}})[0][0], std::sin(0.37), 1e-9);
  EXPECT_FALSE(one->of_others(values_of({[](double x, double) { return std::log(x - 0.1); }})));
}

TEST(Interpolant, NoiseInAConstantDoesNotMatter) {
  EXPECT_TRUE(Interpolant::make(1, values_of({[](double x, double) { return 1 + 1e-7 * std::sin(1e6 * x); }}),
                                {.most_points = 33}));
}

}  // namespace
}  // namespace greybox
