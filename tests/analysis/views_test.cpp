#include "analysis/landscape/views.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "analysis/theta/plane.hpp"
#include "analysis/trained_toy.hpp"
#include "greybox/landscape.hpp"

namespace greybox::test {
namespace {

class ViewOf : public TrainedToy {
 protected:
  static LandscapeOptions options(const LandscapePlane& plane) {
    LandscapeOptions options;
    options.plane = plane;
    options.n_windows = 3;
    options.execution.n_threads = 1;
    return options;
  }
  LandscapeGrid grid_of(const LandscapeOptions& options) { return landscape(run_, options).grids[0]; }

  const Run run_ = trained("epochs = 5\nbatch = 10");
};

// In units of half the priors' ranges: 1 and π.
TwoDirections scaled(const LandscapeView& view) {
  TwoDirections directions = {view.directions[0], view.directions[1]};
  for (std::vector<double>& direction : directions) direction[1] /= std::numbers::pi;
  return directions;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

TEST_F(ViewOf, RandomDirectionsAreOrthonormalAndOfTheSeed) {
  LandscapeOptions asked = options(RandomPlane{});
  const LandscapeGrid first = grid_of(asked);
  const TwoDirections directions = scaled(first.view);
  for (const std::vector<double>& direction : directions)
    EXPECT_NEAR(product(direction, direction), 1, 1e-12);
  EXPECT_NEAR(product(directions[0], directions[1]), 0, 1e-12);
  EXPECT_EQ(first.view.origin, (std::vector<double>{1, 0}));
  EXPECT_EQ(grid_of(asked).view.directions, first.view.directions);
  asked.seed = 1;
  asked.at = {{"a", 0.5}};
  const LandscapeGrid second = grid_of(asked);
  EXPECT_NE(second.view.directions, first.view.directions);
  EXPECT_EQ(second.view.origin[0], 0.5);
}

// The plane of a model of two parameters is all of its box: inside there are values, outside there are none.
TEST_F(ViewOf, APlaneHasValuesWithinTheBoundsOnly) {
  const LandscapeGrid result = grid_of(options(RandomPlane{}));
  const std::size_t n = result.axes[1].values.size();
  std::size_t n_inside = 0;
  double lowest = 9, highest = -9;
  for (std::size_t i = 0; i < result.rmse.size(); ++i) {
    double a = 1;
    for (std::size_t k = 0; k < 2; ++k)
      a += result.axes[k].values[k == 0 ? i / n : i % n] * result.view.directions[k][0];
    if (std::isnan(result.rmse[i])) continue;
    ++n_inside;
    lowest = std::min(lowest, a);
    highest = std::max(highest, a);
  }
  EXPECT_GE(lowest, 0);
  EXPECT_LE(highest, 2);
  EXPECT_LT(lowest, 0.1);  // and the box is seen to its ends
  EXPECT_GT(highest, 1.9);
  EXPECT_GT(n_inside, result.rmse.size() / 4);
  EXPECT_LT(n_inside, result.rmse.size());
  EXPECT_EQ(result.is_poor[0], 0);  // a corner outside
}

// R is low along a line of the parameters: in scaled units, the diagonal.
TEST_F(ViewOf, PrincipalComponentsFindAValley) {
  LandscapeOptions asked = options(PrincipalPlane{"(a - 1 + c / pi)^2"});
  asked.regularizers = {"(a - 1 + c / pi)^2"};
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    asked.seed = seed;
    const LandscapeGrid result = grid_of(asked);
    const double diagonal = 1 / std::numbers::sqrt2;
    EXPECT_NEAR(std::abs(product(scaled(result.view)[0], {diagonal, -diagonal})), 1, 0.01) << "seed " << seed;
    // Also where the toy, hardly trained, does not fit.
    const LandscapeMinimum lowest = result.maps.back().unconstrained.value_or(result.maps.back().minima[0]);
    EXPECT_NEAR(lowest.parameters.at("a") - 1 + lowest.parameters.at("c") / std::numbers::pi, 0, 0.05);
  }
}

TEST_F(ViewOf, TheLabelNamesTheMainParameters) {
  const std::vector<std::string> labels = {"1.00 p0", "0.80 p0 − 0.60 p2"};
  std::vector<ParameterSpec> parameters(3);
  for (std::size_t p = 0; p < 3; ++p) {
    parameters[p].name = "p" + std::to_string(p);
    parameters[p].low = 0;
    parameters[p].high = 1;
  }
  const TwoDirections directions = {{{1, 0, 0}, {0.8, 0, -0.6}}};
  const ThetaGrid grid = plane_grid(parameters, {0.5, 0.5, 0.5}, directions, "random");
  for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(grid.axes[k].about, labels[k]);
}

TEST_F(ViewOf, MistakesAreRefused) {
  LandscapeOptions asked = options(PrincipalPlane{"normC"});
  EXPECT_TRUE(has(refusal([&] { grid_of(asked); }), "no regularizer `normC`"));
  asked.plane = RandomPlane{};
  asked.vary = {{"a", {}, {}, {}}};
  EXPECT_TRUE(has(refusal([&] { grid_of(asked); }), "leave out option `vary`"));
}

}  // namespace
}  // namespace greybox::test
