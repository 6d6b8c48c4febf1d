#include "analysis/posterior/posterior_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/random.hpp"

namespace greybox::test {
namespace {

ParameterSpec uniform(double low, double high) {
  ParameterSpec spec;
  spec.low = low;
  spec.high = high;
  return spec;
}

// R = (x - 1)² / 2, so that exp(-β R) is a normal with variance 1 / β.
std::vector<double> parabola(const GridAxes& axes) {
  std::vector<double> values;
  for (double x : axes[0]) values.push_back((x - 1) * (x - 1) / 2);
  return values;
}

// A normal of unit variances with correlation ρ, times 1 / β.
constexpr double kRho = 0.8;
std::vector<double> tilted(const GridAxes& axes) {
  std::vector<double> values;
  for (double x : axes[0])
    for (double y : axes[1]) values.push_back((x * x - 2 * kRho * x * y + y * y) / (2 * (1 - kRho * kRho)));
  return values;
}

TEST(PosteriorGrid, IsTheNormalThatAParabolaMakes) {
  for (double beta : {1.0, 4.0, 1e4, 1e8}) {
    const PosteriorGrid grid = close_in(parabola, {uniform(-20, 20)}, beta);
    const std::vector<double> edges = cell_edges(grid.axes[0]);
    const BinnedMoments moments = binned_moments(edges, grid.mass);
    const double sd = 1 / std::sqrt(beta);
    EXPECT_NEAR(moments.mean, 1, 1e-3 * sd) << beta;
    EXPECT_NEAR(moments.sd / sd, 1, 1e-3) << beta;
    EXPECT_NEAR(binned_quantile(edges, grid.mass, 0.95), 1 + 1.6448536 * sd, 5e-3 * sd) << beta;
  }
}

ParameterSpec unbounded(PriorKind prior, double mean, double sd) {
  ParameterSpec spec;
  spec.prior = prior;
  spec.is_log = prior == PriorKind::lognormal;
  spec.low = spec.is_log ? 0 : -std::numeric_limits<double>::infinity();
  spec.high = std::numeric_limits<double>::infinity();
  spec.mean = mean;
  spec.sd = sd;
  return spec;
}

BinnedMoments moments_of(const PosteriorGrid& grid, std::size_t axis = 0) {
  return binned_moments(cell_edges(grid.axes[axis]), marginal(grid, axis));
}

TEST(PosteriorGrid, FollowsTheDistributionBeyondThePrior) {
  const auto far = [](const GridAxes& axes) {
    std::vector<double> values;
    for (double x : axes[0]) values.push_back((x - 5) * (x - 5));
    return values;
  };
  // Precisions add up: 1 / 0.3² of the prior, 2 β of R.
  const PosteriorGrid grid = close_in(far, {unbounded(PriorKind::normal, 0, 0.3)}, 100);
  EXPECT_FALSE(grid.is_cut);
  EXPECT_NEAR(moments_of(grid).mean, 1000 / (200 + 1 / 0.09), 1e-4);
  EXPECT_NEAR(moments_of(grid).sd, 1 / std::sqrt(200 + 1 / 0.09), 1e-4);
}

TEST(PosteriorGrid, FollowsARidgeBeyondThePrior) {
  const auto ridge = [](const GridAxes& axes) {
    std::vector<double> values;
    for (double x : axes[0])
      for (double y : axes[1]) values.push_back((x + y - 40) * (x + y - 40) + (x - y) * (x - y) / 8);
    return values;
  };
  const std::vector<ParameterSpec> both(2, unbounded(PriorKind::normal, 0, 1));
  // Of x + y: variance 2 of the prior, 1 / 2β of R.
  const PosteriorGrid grid = close_in(ridge, both, 20);
  EXPECT_NEAR(moments_of(grid, 0).mean, 20 * 40 / (40 + 0.5), 0.02);
  EXPECT_NEAR(moments_of(grid, 1).mean, 20 * 40 / (40 + 0.5), 0.02);
}

TEST(PosteriorGrid, WideLognormalPriorsKeepTheirMoments) {
  const auto flat = [](const GridAxes& axes) { return std::vector<double>(axes[0].size(), 1.0); };
  for (double sd : {0.5, 1.5, 2.0}) {
    const PosteriorGrid grid = close_in(flat, {unbounded(PriorKind::lognormal, 0, sd)}, 1);
    EXPECT_NEAR(moments_of(grid).mean / std::exp(sd * sd / 2), 1, 0.02) << sd;
    EXPECT_NEAR(binned_quantile(cell_edges(grid.axes[0]), grid.mass, 0.5), 1, 0.02) << sd;
  }
}

TEST(PosteriorGrid, SaysWhereThereIsNoDistribution) {
  const auto falls = [](const GridAxes& axes) {
    std::vector<double> values;
    for (double x : axes[0]) values.push_back(-x * x);
    return values;
  };
  EXPECT_TRUE(close_in(falls, {unbounded(PriorKind::normal, 0, 1)}, 1).is_cut);
  EXPECT_FALSE(close_in(falls, {unbounded(PriorKind::normal, 0, 1)}, 0.1).is_cut);
}

TEST(PosteriorGrid, WeighsThePrior) {
  ParameterSpec normal;
  normal.prior = PriorKind::normal;
  normal.low = -std::numeric_limits<double>::infinity();
  normal.high = std::numeric_limits<double>::infinity();
  normal.mean = -1;
  normal.sd = 1;
  // Two normals of variance 1 around -1 and 1 make one of variance 1/2 around 0.
  const PosteriorGrid grid = close_in(parabola, {normal}, 1);
  const BinnedMoments moments = binned_moments(cell_edges(grid.axes[0]), grid.mass);
  EXPECT_NEAR(moments.mean, 0, 1e-3);
  EXPECT_NEAR(moments.sd, std::sqrt(0.5), 1e-3);
}

TEST(PosteriorGrid, HasMarginalsAndDrawsOfTwoParameters) {
  const PosteriorGrid grid = close_in(tilted, {uniform(-9, 9), uniform(-8, 10)}, 100);
  for (std::size_t k = 0; k < 2; ++k) {
    const BinnedMoments moments = binned_moments(cell_edges(grid.axes[k]), marginal(grid, k));
    EXPECT_NEAR(moments.mean, 0, 1e-4);
    EXPECT_NEAR(moments.sd, 0.1, 1e-3);
  }
  const Random random(3, Purpose::generator);
  std::uint64_t next = 0;
  const std::size_t n = 20000;
  const std::vector<double> draws = draw_from(grid, n, [&] { return random.uniform(0, next++); });
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < n; ++i) {
    xx += draws[2 * i] * draws[2 * i];
    xy += draws[2 * i] * draws[2 * i + 1];
    yy += draws[2 * i + 1] * draws[2 * i + 1];
  }
  EXPECT_NEAR(std::sqrt(xx / n), 0.1, 0.003);
  EXPECT_NEAR(xy / std::sqrt(xx * yy), kRho, 0.02);
}

TEST(PosteriorGrid, HasNothingWhereRIsNoNumber) {
  const auto half = [](const GridAxes& axes) {
    std::vector<double> values = parabola(axes);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (axes[0][i] < 1) values[i] = std::nan("");
    return values;
  };
  const PosteriorGrid grid = close_in(half, {uniform(-20, 20)}, 1);
  EXPECT_GT(binned_quantile(cell_edges(grid.axes[0]), grid.mass, 0.001), 0.9);
  const auto nowhere = [](const GridAxes& axes) { return std::vector<double>(axes[0].size(), std::nan("")); };
  EXPECT_TRUE(close_in(nowhere, {uniform(0, 1)}, 1).mass.empty());
}

}  // namespace
}  // namespace greybox::test
