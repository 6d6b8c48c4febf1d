// Operations on fields: stencils against plain loops, their transposes and tangents, sums and products.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "language/field_operations.hpp"

namespace greybox::test {
namespace {

constexpr Operation kStencils[] = {Operation::laplacian, Operation::dx, Operation::dy};

double naive(Operation operation, const Grid& grid, const double* u, std::ptrdiff_t y, std::ptrdiff_t x) {
  const double left = at(grid, u, y, x - 1), right = at(grid, u, y, x + 1), centre = at(grid, u, y, x);
  const double above = at(grid, u, y - 1, x), below = at(grid, u, y + 1, x);
  if (operation == Operation::dx) return (right - left) / (2 * grid.dx);
  if (operation == Operation::dy) return (below - above) / (2 * grid.dy);
  return (left - 2 * centre + right) / (grid.dx * grid.dx) +
         (above - 2 * centre + below) / (grid.dy * grid.dy);
}

template <class T>
void expect_naive(Operation operation, const Grid& grid, double tolerance) {
  const Program program = single_operation(operation, Shape::field, grid);
  Runner<T> runner(program, kSamples);
  fill_random(runner.input(0), -1, 1, 1);
  const std::vector<double> u(runner.input(0).begin(), runner.input(0).end());
  runner.forward();
  for (std::size_t s = 0; s < kSamples; ++s) {
    for (std::size_t p = 0; p < grid.points(); ++p) {
      const auto y = static_cast<std::ptrdiff_t>(p / grid.width),
                 x = static_cast<std::ptrdiff_t>(p % grid.width);
      EXPECT_NEAR(runner.output()[s * grid.points() + p], naive(operation, grid, &u[s * grid.points()], y, x),
                  tolerance);
    }
  }
}

class FieldMath : public OnEveryTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, FieldMath, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         target_name);

TEST_P(FieldMath, StencilsAgreeWithPlainLoops) {
  for_each_grid([](const Grid& grid) {
    for (Operation operation : kStencils) {
      expect_naive<float>(operation, grid, 2e-5);
      expect_naive<double>(operation, grid, 1e-13);
    }
  });
}

// ⟨L u, v⟩ = ⟨u, Lᵀ v⟩ and the tangent is L u without the fixed boundary's constant.
TEST_P(FieldMath, GradientsAreTransposesOfTangents) {
  for_each_grid([](const Grid& grid) {
    for (Operation operation : kStencils) {
      const Program program = single_operation(operation, Shape::field, grid);
      Runner<double> runner(program, kSamples);
      std::vector<double> v(kSamples * grid.points());
      fill_random(std::span(v), -1, 1, 2);
      fill_random(runner.input(0), -1, 1, 3);
      fill_random(runner.input_tangent(0), -1, 1, 4);
      runner.forward();
      const std::vector<double> before(runner.output().begin(), runner.output().end());
      runner.tangent();
      runner.reverse(v);
      EXPECT_NEAR(dot(runner.output_tangent(), std::span(v)),
                  dot(runner.input_tangent(0), runner.input_gradient(0)), 1e-10);
      for (std::size_t k = 0; k < v.size(); ++k) runner.input(0)[k] += runner.input_tangent(0)[k];
      runner.forward();
      for (std::size_t k = 0; k < v.size(); ++k) {
        EXPECT_NEAR(runner.output()[k] - before[k], runner.output_tangent()[k], 1e-12);
      }
    }
  });
}

TEST_P(FieldMath, GradientsAreAdded) {
  const Grid grid{3, 5};
  Graph graph;
  const NodeId u = graph.leaf({.id = 0, .shape = Shape::field});
  const NodeId sum =
      graph.apply(Operation::add, {graph.apply(Operation::laplacian, {u}), graph.apply(Operation::dx, {u})});
  const Program program(graph, std::span(&u, 1), std::span(&sum, 1), grid);
  Runner<double> runner(program, 1);
  const std::vector<double> ones(grid.points(), 1);
  runner.forward();
  runner.reverse(ones);
  // The columns of the laplacian sum to zero; those of dx to -1 at both ends of a row's first two and +1 at
  // its last.
  const double expected[] = {-1, 0, 0, 0, 1};
  for (std::size_t p = 0; p < grid.points(); ++p)
    EXPECT_NEAR(runner.input_gradient(0)[p], expected[p % 5], 1e-14);
}

// One infinite value must not spread beyond the points that touch it.
TEST_P(FieldMath, AnInfinityStaysLocal) {
  const Grid grid{3, 4, 1, 1, Boundary::fixed, 0};
  const Program program = single_operation(Operation::dy, Shape::field, grid);
  Runner<float> runner(program, 1);
  runner.input(0)[1] = std::numeric_limits<float>::infinity();
  runner.forward();
  for (std::size_t p = 0; p < grid.points(); ++p) EXPECT_EQ(std::isfinite(runner.output()[p]), p != 5) << p;
}

template <class T>
void expect_sum(const Grid& grid, double tolerance) {
  const Program program = single_operation(Operation::grid_sum, Shape::field, grid);
  Runner<T> runner(program, kSamples);
  fill_random(runner.input(0), 0, 1, 5);
  fill_random(runner.input_tangent(0), 0, 1, 6);
  const std::vector<T> seed = {1, 2, 3};
  runner.forward();
  runner.tangent();
  runner.reverse(seed);
  for (std::size_t s = 0; s < kSamples; ++s) {
    double sum = 0, tangent = 0;
    for (std::size_t p = s * grid.points(); p < (s + 1) * grid.points(); ++p) {
      sum += runner.input(0)[p];
      tangent += runner.input_tangent(0)[p];
      EXPECT_EQ(runner.input_gradient(0)[p], seed[s]);
    }
    EXPECT_NEAR(runner.output()[s], sum, tolerance * sum);
    EXPECT_NEAR(runner.output_tangent()[s], tangent, tolerance * tangent);
  }
}

TEST_P(FieldMath, GridSumIsAccurate) {
  for (const Grid& grid : {Grid{1, 1}, Grid{3, 7}, Grid{32, 32}, Grid{61, 67}}) {
    expect_sum<float>(grid, 1e-7);  // one rounding
    expect_sum<double>(grid, 1e-14);
  }
}

TEST_P(FieldMath, BroadcastFillsAndItsGradientSums) {
  for (const Grid& grid : {Grid{1, 1}, Grid{3, 7}, Grid{32, 32}}) {
    const Program program = single_operation(Operation::broadcast, Shape::scalar, grid);
    Runner<float> runner(program, kSamples);
    fill_random(runner.input(0), -1, 1, 7);
    fill_random(runner.input_tangent(0), -1, 1, 8);
    const std::vector<float> seed(kSamples * grid.points(), 0.1f);
    runner.forward();
    runner.tangent();
    runner.reverse(seed);
    for (std::size_t k = 0; k < seed.size(); ++k) {
      EXPECT_EQ(runner.output()[k], runner.input(0)[k / grid.points()]);
      EXPECT_EQ(runner.output_tangent()[k], runner.input_tangent(0)[k / grid.points()]);
    }
    const double expected = static_cast<double>(0.1f) * static_cast<double>(grid.points());
    for (float gradient : runner.input_gradient(0)) EXPECT_FLOAT_EQ(gradient, static_cast<float>(expected));
  }
}

template <class T>
void expect_scaled(const Grid& grid, double tolerance) {
  PairTest<T> test(Operation::scale, Shape::scalar, grid);
  const auto factor = test.runner.input(0), field = test.runner.input(1);
  const auto factor_tangent = test.runner.input_tangent(0), field_tangent = test.runner.input_tangent(1);
  for (std::size_t k = 0; k < field.size(); ++k) {
    const std::size_t s = k / grid.points();
    EXPECT_EQ(test.runner.output()[k], factor[s] * field[k]);
    EXPECT_NEAR(test.runner.output_tangent()[k], factor_tangent[s] * field[k] + factor[s] * field_tangent[k],
                tolerance);
    EXPECT_EQ(test.runner.input_gradient(1)[k], factor[s] * test.seed[k]);
  }
  test.expect_transposed(tolerance);
}

template <class T>
void expect_dot(const Grid& grid, double tolerance) {
  PairTest<T> test(Operation::grid_dot, Shape::field, grid);
  const auto a = test.runner.input(0), b = test.runner.input(1);
  for (std::size_t s = 0; s < kSamples; ++s) {
    const std::size_t first = s * grid.points();
    EXPECT_NEAR(test.runner.output()[s],
                dot(a.subspan(first, grid.points()), b.subspan(first, grid.points())),
                tolerance * static_cast<double>(grid.points()));
    for (std::size_t k = first; k < first + grid.points(); ++k) {
      EXPECT_EQ(test.runner.input_gradient(0)[k], test.seed[s] * b[k]);
      EXPECT_EQ(test.runner.input_gradient(1)[k], test.seed[s] * a[k]);
    }
  }
  test.expect_transposed(tolerance);
}

TEST_P(FieldMath, ScaledFieldsAndDotProducts) {
  for (const Grid& grid : {Grid{1, 1}, Grid{3, 7}, Grid{32, 32}}) {
    expect_scaled<float>(grid, 1e-6);
    expect_scaled<double>(grid, 1e-14);
    expect_dot<float>(grid, 1e-6);
    expect_dot<double>(grid, 1e-14);
  }
}

// What is not elementwise must be tested here or in upwind_math_test.cpp.
TEST(FieldOperations, AreAllCovered) {
  using enum Operation;
  const std::set<Operation> tested = {laplacian, dx,     dy,    upwind_x, upwind_y, broadcast,
                                      grid_x,    grid_y, scale, grid_sum, grid_dot};
  for (const OperationInfo& row : operations())
    EXPECT_TRUE(row.arity == 0 || is_elementwise(row.operation) || tested.contains(row.operation))
        << row.about;
}

}  // namespace
}  // namespace greybox::test
