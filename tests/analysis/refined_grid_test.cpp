// Functions over grids from few of their points: few where they are smooth, all along kinks, in valleys and
// at borders of what is no number.
#include "analysis/theta/refined_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/limits.hpp"

namespace greybox::test {
namespace {

using Function = std::function<double(double, double)>;

constexpr double kTolerance = 1e-3;

std::vector<double> evenly(std::size_t n) {
  std::vector<double> positions;
  for (std::size_t i = 0; i < n; ++i)
    positions.push_back(static_cast<double>(i) / static_cast<double>(n - 1));
  return positions;
}

struct Refined {
  RefinedGrid grid;
  std::size_t n_evaluated = 0;
  bool is_whole = false;
  // The largest where values are numbers, and places where one is none and the other is.
  double error = 0;
  std::size_t n_other_kind = 0;
};

Refined refine(const Function& f, std::size_t n, std::size_t m) {
  Refined result{RefinedGrid({evenly(n), evenly(m)})};
  const std::vector<double> x = evenly(n), y = evenly(m);
  const auto value = [&](std::size_t place) { return f(x[place / m], y[place % m]); };
  result.is_whole = result.grid.refine(
      [&](const std::vector<std::size_t>& places) {
        result.n_evaluated += places.size();
        Quantities found(1);
        for (const std::size_t place : places) found[0].push_back(value(place));
        return found;
      },
      [](const std::vector<std::size_t>& places, const Quantities& foretold, const Quantities& found) {
        std::vector<double> times;
        for (std::size_t i = 0; i < places.size(); ++i) {
          const double distance = std::abs(foretold[0][i] - found[0][i]);
          const bool is_same_kind = std::isfinite(foretold[0][i]) == std::isfinite(found[0][i]);
          times.push_back(std::isfinite(distance) ? distance / kTolerance : is_same_kind ? 0 : kInfinity);
        }
        return times;
      },
      n * m);
  for (std::size_t place = 0; place < n * m; ++place) {
    const double found = result.grid.values()[0][place], exact = value(place);
    if (std::isfinite(found) != std::isfinite(exact))
      ++result.n_other_kind;
    else if (std::isfinite(exact))
      result.error = std::max(result.error, std::abs(found - exact));
  }
  return result;
}

TEST(BisectedAxis, LevelsAreNestedAndEndWithAllPoints) {
  for (const std::size_t n : {1U, 2U, 3U, 5U, 41U, 101U, 120U}) {
    const BisectedAxis axis(n);
    EXPECT_EQ(axis.n_points(), n);
    for (std::size_t level = 1; level < axis.n_levels(); ++level) {
      const std::vector<std::size_t>&before = axis.points(level - 1), &now = axis.points(level);
      EXPECT_TRUE(std::includes(now.begin(), now.end(), before.begin(), before.end()));
      std::size_t n_middles = 0;
      for (const BisectedInterval& interval : axis.intervals(level - 1)) n_middles += interval.is_divided();
      EXPECT_EQ(before.size() + n_middles, now.size()) << n << " at level " << level;
    }
  }
}

// As small grids do.
TEST(RefinedGrid, IsComputedWherePointsEndBeforeTheFirstLevel) {
  RefinedGrid grid({evenly(5)});
  const auto squares = [](const std::vector<std::size_t>& places) {
    Quantities found(1);
    for (const std::size_t place : places) found[0].push_back(static_cast<double>(place * place));
    return found;
  };
  EXPECT_FALSE(grid.refine(squares, {}, 1));
  EXPECT_TRUE(grid.known().empty());
  grid.compute({0, 1, 2, 3, 4}, squares);
  EXPECT_EQ(grid.known().size(), 5U);
  EXPECT_EQ(grid.values(), (Quantities{{0, 1, 4, 9, 16}}));
}

TEST(RefinedGrid, TakesATenthOfASmoothFunction) {
  const Refined refined =
      refine([](double x, double y) { return std::exp(-x) * std::sin(3 * x + 2 * y); }, 101, 101);
  EXPECT_TRUE(refined.is_whole);
  EXPECT_LE(refined.n_evaluated, 101U * 101 / 10);
  EXPECT_LE(refined.error, kTolerance);
}

TEST(RefinedGrid, TakesOneAxisToo) {
  const Refined refined = refine([](double x, double) { return 1 / (0.2 + x); }, 401, 1);
  EXPECT_TRUE(refined.is_whole);
  EXPECT_LE(refined.n_evaluated, 60U);
  EXPECT_LE(refined.error, kTolerance);
}

TEST(RefinedGrid, ComputesWhatIsAlongAKink) {
  const Refined refined = refine([](double x, double y) { return std::abs(x + 0.4 * y - 0.63); }, 101, 101);
  EXPECT_LE(refined.n_evaluated, 101U * 101 / 3);
  EXPECT_LE(refined.error, 3 * kTolerance);
}

TEST(RefinedGrid, FollowsANarrowValley) {
  const Refined refined =
      refine([](double x, double y) { return -std::exp(-std::pow((x - y) / 0.03, 2)); }, 101, 101);
  EXPECT_LE(refined.n_evaluated, 101U * 101 / 2);
  EXPECT_LE(refined.error, 3 * kTolerance);
}

TEST(RefinedGrid, FollowsPeriods) {
  const Refined refined = refine(
      [](double x, double y) { return std::sin(2 * 6.283185307 * x) * std::cos(6.283185307 * y); }, 101, 41);
  EXPECT_LE(refined.n_evaluated, 101U * 41 / 2);
  EXPECT_LE(refined.error, 3 * kTolerance);
}

// A region of its own, up to its border.
TEST(RefinedGrid, FindsTheBorderOfWhatIsNoNumber) {
  const Refined refined =
      refine([](double x, double y) { return x * x + y > 1.2 ? kNaN : std::cos(x) * y; }, 101, 101);
  EXPECT_EQ(refined.n_other_kind, 0U);
  EXPECT_LE(refined.n_evaluated, 101U * 101 / 4);
  EXPECT_LE(refined.error, kTolerance);
}

TEST(RefinedGrid, StopsAtTheMostPointsThatAreAllowed) {
  RefinedGrid grid({evenly(41), evenly(41)});
  std::size_t n = 0;
  const bool is_whole = grid.refine(
      [&](const std::vector<std::size_t>& places) {
        n += places.size();
        return Quantities(1, std::vector<double>(places.size(), 1.0));
      },
      [](const auto& places, const auto&, const auto&) { return std::vector<double>(places.size(), 2.0); },
      500);
  EXPECT_FALSE(is_whole);
  EXPECT_LE(n, 500U);
  EXPECT_EQ(grid.known().size(), n);
}

// What others say at the same places goes through the same polynomials.
TEST(RefinedGrid, FillsOthersAlike) {
  const Function f = [](double x, double y) { return std::exp(-x) * std::sin(3 * x + 2 * y); };
  const Refined refined = refine(f, 41, 41);
  Quantities found(1);
  for (const std::size_t place : refined.grid.known()) found[0].push_back(refined.grid.values()[0][place]);
  EXPECT_EQ(refined.grid.filled(found)[0], refined.grid.values()[0]);
}

}  // namespace
}  // namespace greybox::test
