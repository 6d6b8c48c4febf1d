#include "analysis/verdict/flat_directions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/made_cloud.hpp"
#include "analysis/verdict/profile.hpp"

namespace greybox::test {
namespace {

using Ranges = std::vector<Interval>;
const Ranges kRanges = {{0.5, 4}, {0.5, 4}};

std::vector<ParameterSpec> uniform_parameters(const Ranges& ranges) {
  std::vector<ParameterSpec> parameters(ranges.size());
  for (std::size_t p = 0; p < ranges.size(); ++p) std::tie(parameters[p].low, parameters[p].high) = ranges[p];
  return parameters;
}

std::vector<Tie> ties_in(const ThetaCloud& cloud, const Ranges& ranges) {
  const ThetaCoordinates coordinates(uniform_parameters(ranges));
  const std::vector<std::size_t> both = {0, 1};
  return find_ties(valley_of(cloud, find_sublevel_set(cloud, 0)), both, {coordinates, both});
}

// Ties of R(a, b), with some noise from replicate to replicate.
template <class F>
std::vector<std::string> ties_of(F&& made, const Ranges& ranges = kRanges) {
  const ThetaCloud cloud = made_cloud(2, 9, [&](std::size_t k, double u, double v) {
    return made(std::lerp(ranges[0].first, ranges[0].second, u),
                std::lerp(ranges[1].first, ranges[1].second, v), 0.03 * shaken(k));
  });
  std::vector<std::string> texts;
  for (const Tie& tie : ties_in(cloud, ranges)) texts.push_back(tie_text(tie, {"a", "b"}));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(FlatDirections, AreProductsAndQuotients) {
  EXPECT_EQ(ties_of([](double a, double b, double by) { return std::pow(a * b - 2 - by, 2); }), Texts{"a·b"});
  EXPECT_EQ(ties_of([](double a, double b, double by) { return std::abs(a / b - 1 - by); }), Texts{"a/b"});
  EXPECT_EQ(ties_of([](double a, double b, double by) { return std::abs(a * b * b - 4 - by); }),
            Texts{"a·b^2"});
}

TEST(FlatDirections, AreSums) {
  EXPECT_EQ(ties_of([](double a, double b, double by) { return std::pow(a + 2 * b - 6 - by, 2); }),
            Texts{"a + 2·b"});
  EXPECT_EQ(
      ties_of([](double a, double b, double by) { return std::abs(a - 0.37 * b - by); }, {{-1, 1}, {-1, 1}}),
      Texts{"a - 0.37·b"});
}

TEST(FlatDirections, HaveFactorsThatSomebodyWouldWrite) {
  EXPECT_EQ(ties_of([](double a, double b, double by) { return std::abs(a - 8.1e15 * b - by); },
                    {{-1, 1}, {-1e-16, 1e-16}}),
            Texts{});
  EXPECT_EQ(ties_of([](double a, double b, double by) { return std::abs(a - 0.0037 * b - by); },
                    {{-1, 1}, {-300, 300}}),
            Texts{});
}

// The end of a curved valley in a corner of the prior is a line with any factor.
TEST(FlatDirections, AreNotReadFromACorner) {
  const auto made = [](double a, double b, double by) { return std::abs(a - 0.27 * b - by); };
  EXPECT_EQ(ties_of(made, {{-1, 1}, {-3, 3}}), Texts{"a - 0.27·b"});
  EXPECT_EQ(ties_of(made, {{0.8, 10}, {-3, 4}}), Texts{});
}

TEST(FlatDirections, HavePointsAllOverThePrior) {
  const ThetaCoordinates coordinates(uniform_parameters(kRanges));
  const std::vector<std::size_t> both = {0, 1};
  const VariedParameters varied{coordinates, both};
  const Tie product{both, {1, 2}, true, 0.1, 4, {}};
  Valley valley;
  valley.best = {0.5, 0.5};
  for (double u = 0.025; u < 1; u += 0.05) valley.all.push_back({u, 0.5});
  const std::vector<std::vector<double>> points = points_along(product, valley, varied);
  EXPECT_GE(points.size(), 10U);
  for (const std::vector<double>& u : points)
    EXPECT_NEAR(varied.in_units(0, u[0]) * std::pow(varied.in_units(1, u[1]), 2), 4, 1e-9);
  const Tie beyond{both, {1, 1}, false, 0.1, 20, {}};
  EXPECT_TRUE(points_along(beyond, valley, varied).empty());
}

TEST(FlatDirections, AreNotFoundWhereNothingTies) {
  EXPECT_EQ(ties_of([](double, double, double) { return 1.0; }), Texts{});
  EXPECT_EQ(ties_of([](double a, double b, double) { return std::abs(std::hypot(a - 2, b - 2) - 1); }),
            Texts{});  // a ring
}

TEST(FlatDirections, TellTheValueOfTheCombination) {
  const ThetaCloud cloud = made_cloud(
      2, 1, [](std::size_t, double u, double v) { return std::abs((0.5 + 3.5 * u) * (0.5 + 3.5 * v) - 2); });
  const std::vector<Tie> ties = ties_in(cloud, kRanges);
  ASSERT_EQ(ties.size(), 1U);
  EXPECT_TRUE(ties[0].is_product);
  EXPECT_NEAR(ties[0].best, 2, 0.05);
  EXPECT_LT(ties[0].interval.second - ties[0].interval.first, 0.5);
  EXPECT_LT(ties[0].share, 0.2);
}

TEST(FlatDirections, AreWrittenAsPeopleWriteThem) {
  const std::vector<std::string> names = {"a", "b", "c"};
  EXPECT_EQ(tie_text({{0, 1, 2}, {1, -1, -2}, true, 0, 0, {}}, names), "a/(b·c^2)");
  EXPECT_EQ(tie_text({{0, 2}, {1, 0.5}, true, 0, 0, {}}, names), "a·c^0.5");
  EXPECT_EQ(tie_text({{1, 2}, {2, -3}, false, 0, 0, {}}, names), "2·b - 3·c");
}

}  // namespace
}  // namespace greybox::test
