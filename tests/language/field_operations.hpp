// What the tests of operations on fields share: grids of all kinds, plain indexing, and operations on pairs.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "language/program_runner.hpp"

namespace greybox::test {

inline constexpr std::size_t kSamples = 3;

template <class Visit>
void for_each_grid(Visit visit) {
  const std::pair<std::size_t, std::size_t> sizes[] = {{1, 1}, {1, 5},  {5, 1}, {2, 2},
                                                       {3, 7}, {8, 16}, {5, 33}};
  for (const auto& [height, width] : sizes) {
    for (Boundary boundary : {Boundary::no_flux, Boundary::periodic, Boundary::fixed}) {
      const Grid grid{height, width, 0.5, 0.3, boundary, boundary == Boundary::fixed ? 1.5 : 0};
      SCOPED_TRACE(testing::Message()
                   << height << " × " << width << ", boundary " << static_cast<int>(boundary));
      visit(grid);
    }
  }
}

// The value at row y, column x of one sample, either of which may be one step outside.
inline double at(const Grid& grid, const double* u, std::ptrdiff_t y, std::ptrdiff_t x) {
  const auto height = static_cast<std::ptrdiff_t>(grid.height),
             width = static_cast<std::ptrdiff_t>(grid.width);
  if (height == 1) y = 0;  // nothing changes across a line
  const bool is_inside = y >= 0 && y < height && x >= 0 && x < width;
  if (!is_inside && grid.boundary == Boundary::fixed) return grid.outside;
  if (grid.boundary == Boundary::periodic) return u[(y + height) % height * width + (x + width) % width];
  return u[std::clamp<std::ptrdiff_t>(y, 0, height - 1) * width +
           std::clamp<std::ptrdiff_t>(x, 0, width - 1)];
}

inline Program pair_operation(Operation operation, Shape first, const Grid& grid) {
  Graph graph;
  const NodeId inputs[] = {graph.leaf({.id = 0, .shape = first}),
                           graph.leaf({.id = 1, .shape = Shape::field})};
  const NodeId output = graph.apply(operation, inputs);
  return Program(graph, inputs, std::span(&output, 1), grid);
}

// An operation on two inputs with its tangent and gradients, at random values.
template <class T>
struct PairTest {
  PairTest(Operation operation, Shape first, const Grid& grid)
      : program(pair_operation(operation, first, grid)), runner(program, kSamples) {
    for (std::size_t i : {0, 1}) {
      fill_random(runner.input(i), -1, 1, static_cast<std::uint32_t>(10 + i));
      fill_random(runner.input_tangent(i), -1, 1, static_cast<std::uint32_t>(20 + i));
    }
    runner.forward();
    runner.tangent();
    seed.resize(runner.output().size());
    fill_random(std::span(seed), -1, 1, 30);
    runner.reverse(seed);
  }

  // ⟨ẏ, seed⟩ = ⟨ẋ, x̄⟩: gradients are transposes of tangents.
  void expect_transposed(double tolerance) {
    EXPECT_NEAR(dot(runner.output_tangent(), std::span(seed)),
                dot(runner.input_tangent(0), runner.input_gradient(0)) +
                    dot(runner.input_tangent(1), runner.input_gradient(1)),
                tolerance * static_cast<double>(program.grid().points()));
  }

  Program program;
  Runner<T> runner;
  std::vector<T> seed;
};

}  // namespace greybox::test
