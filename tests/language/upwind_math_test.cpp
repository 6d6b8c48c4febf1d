// Upwind differences and coordinates: against plain loops, their partial derivatives, and kinks.
#include <gtest/gtest.h>

#include <cmath>

#include "language/field_operations.hpp"
#include "support/gradient_check.hpp"

namespace greybox::test {
namespace {

class UpwindMath : public OnEveryTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, UpwindMath, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         target_name);

double naive_upwind(Operation operation, const Grid& grid, const double* u, double c, std::ptrdiff_t y,
                    std::ptrdiff_t x) {
  const bool is_x = operation == Operation::upwind_x;
  const std::ptrdiff_t across = is_x ? 1 : 0, down = is_x ? 0 : 1;
  const double centre = at(grid, u, y, x), before = at(grid, u, y - down, x - across),
               after = at(grid, u, y + down, x + across);
  return c * (c > 0 ? centre - before : after - centre) / (is_x ? grid.dx : grid.dy);
}

template <class T>
void expect_upwind(Operation operation, const Grid& grid, double tolerance) {
  PairTest<T> test(operation, Shape::field, grid);
  const std::vector<double> u(test.runner.input(0).begin(), test.runner.input(0).end());
  for (std::size_t k = 0; k < u.size(); ++k) {
    const std::size_t p = k % grid.points();
    const double c = test.runner.input(1)[k];
    EXPECT_NEAR(test.runner.output()[k],
                naive_upwind(operation, grid, &u[k - p], c, static_cast<std::ptrdiff_t>(p / grid.width),
                             static_cast<std::ptrdiff_t>(p % grid.width)),
                tolerance);
  }
  test.expect_transposed(10 * tolerance);
}

TEST_P(UpwindMath, UpwindDifferencesFaceTheStream) {
  for_each_grid([](const Grid& grid) {
    for (Operation operation : {Operation::upwind_x, Operation::upwind_y}) {
      expect_upwind<float>(operation, grid, 2e-5);
      expect_upwind<double>(operation, grid, 1e-13);
    }
  });
}

TEST_P(UpwindMath, UpwindDifferencesHaveRightGradients) {
  for_each_grid([](const Grid& grid) {
    for (Operation operation : {Operation::upwind_x, Operation::upwind_y}) {
      PairTest<double> test(operation, Shape::field, grid);
      for (std::size_t i : {0, 1}) {
        const auto from = test.runner.input_gradient(i);
        const std::vector<double> gradient(from.begin(), from.end());
        expect_gradient("input " + std::to_string(i), test.runner.input(i), gradient, [&] {
          test.runner.forward();
          return dot(std::span<const double>(test.seed), std::span<const double>(test.runner.output()));
        });
      }
    }
  });
}

// At rest both sides count alike, as the derivative of |c| at 0 is 0.
TEST_P(UpwindMath, UpwindAtRestHasTheMeanOfBothSlopes) {
  const Grid grid{1, 4, 0.5};
  PairTest<double> test(Operation::upwind_x, Shape::field, grid);
  std::ranges::fill(test.runner.input(1), 0.0);
  test.runner.forward();
  test.runner.reverse(std::vector<double>(test.seed.size(), 1));
  const auto u = test.runner.input(0), gradient = test.runner.input_gradient(1);
  EXPECT_NEAR(gradient[1], (u[2] - u[0]) / (2 * grid.dx), 1e-14);
  for (double value : test.runner.output()) EXPECT_EQ(value, 0);
  for (double value : test.runner.input_gradient(0)) EXPECT_EQ(value, 0);
}

TEST_P(UpwindMath, AVelocityThatIsNotANumberIsReported) {
  const Grid grid{1, 4};
  PairTest<float> test(Operation::upwind_x, Shape::field, grid);
  test.runner.input(1)[2] = std::numeric_limits<float>::quiet_NaN();
  test.runner.forward();
  for (std::size_t p = 0; p < 4; ++p) EXPECT_EQ(std::isnan(test.runner.output()[p]), p == 2);
}

TEST_P(UpwindMath, CoordinatesGrowFromTheFirstPoint) {
  for_each_grid([](const Grid& grid) {
    for (Operation operation : {Operation::grid_x, Operation::grid_y}) {
      const Program program = single_operation(operation, Shape::scalar, grid);
      Runner<double> runner(program, kSamples);
      fill_random(runner.input(0), -1, 1, 7);
      fill_random(runner.input_tangent(0), -1, 1, 8);
      const std::vector<double> seed(kSamples * grid.points(), 1);
      runner.forward();
      runner.tangent();
      runner.reverse(seed);
      for (std::size_t k = 0; k < seed.size(); ++k) {
        const std::size_t s = k / grid.points(), p = k % grid.points();
        const double steps =
            static_cast<double>(operation == Operation::grid_x ? p % grid.width : p / grid.width);
        EXPECT_DOUBLE_EQ(runner.output()[k],
                         runner.input(0)[s] + steps * (operation == Operation::grid_x ? grid.dx : grid.dy));
        EXPECT_EQ(runner.output_tangent()[k], runner.input_tangent(0)[s]);
      }
      for (double gradient : runner.input_gradient(0))
        EXPECT_DOUBLE_EQ(gradient, static_cast<double>(grid.points()));
    }
  });
}

}  // namespace
}  // namespace greybox::test
