// Building a graph: sharing, folding, simplification, shapes, rates and sections.
#include "language/graph.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace greybox {
namespace {

using enum Operation;

class GraphTest : public testing::Test {
 protected:
  Graph graph;
  const NodeId x = graph.leaf({.id = 0});
  const NodeId y = graph.leaf({.id = 1});
  const NodeId u = graph.leaf({.id = 2, .shape = Shape::field, .rate = Rate::evaluation});

  NodeId number(double value) { return graph.constant(value); }
  NodeId pow(NodeId base, double exponent) { return graph.apply(power, {base, number(exponent)}); }
  void expect_constant(NodeId node, double value) {
    EXPECT_EQ(graph[node].operation, constant);
    EXPECT_EQ(graph[node].value, value);
  }
  void expect_node(NodeId node, Operation operation, std::initializer_list<NodeId> arguments) {
    EXPECT_EQ(graph[node].operation, operation) << info(graph[node].operation).name;
    ASSERT_EQ(graph[node].n_arguments, arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i)
      EXPECT_EQ(graph[node].arguments[i], arguments.begin()[i]);
  }
};

TEST_F(GraphTest, MakesNothingTwice) {
  EXPECT_EQ(graph.leaf({.id = 0}), x);
  EXPECT_EQ(number(2), number(2));
  const NodeId sum = graph.apply(add, {graph.apply(sin, {x}), y});
  const std::size_t size = graph.size();
  EXPECT_EQ(graph.apply(add, {graph.apply(sin, {x}), y}), sum);
  EXPECT_EQ(graph.size(), size);
}

TEST_F(GraphTest, TellsDifferentThingsApart) {
  EXPECT_NE(x, y);
  EXPECT_NE(number(0.0), number(-0.0));
  EXPECT_NE(graph.leaf({.id = 0, .section = 1}), x);
  EXPECT_NE(graph.leaf({.id = 0, .rate = Rate::evaluation}), x);
  EXPECT_NE(graph.leaf({.id = 0, .shape = Shape::field}), x);
  EXPECT_NE(graph.apply(sin, {x}), graph.apply(cos, {x}));
  EXPECT_NE(graph.apply(subtract, {x, y}), graph.apply(subtract, {y, x}));
}

TEST_F(GraphTest, KnowsThatOrderDoesNotMatter) {
  for (Operation operation : {add, multiply, equal, not_equal, min, max}) {
    EXPECT_EQ(graph.apply(operation, {x, y}), graph.apply(operation, {y, x})) << info(operation).name;
  }
  for (Operation operation : {subtract, divide, power, less, atan2}) {
    EXPECT_NE(graph.apply(operation, {x, y}), graph.apply(operation, {y, x})) << info(operation).name;
  }
}

TEST_F(GraphTest, FoldsConstants) {
  expect_constant(graph.apply(add, {number(2), number(3)}), 5);
  expect_constant(graph.apply(sin, {number(2)}), std::sin(2.0));
  expect_constant(graph.apply(power, {number(2), number(0.3)}), std::pow(2.0, 0.3));
  expect_constant(graph.apply(where, {number(0), number(1), number(2)}), 2);
  const NodeId nan = graph.apply(log, {number(-1)});
  EXPECT_TRUE(std::isnan(graph[nan].value));
  EXPECT_EQ(graph.apply(log, {number(-1)}), nan);
}

TEST_F(GraphTest, DropsNeutralElements) {
  EXPECT_EQ(graph.apply(add, {x, number(0)}), x);
  EXPECT_EQ(graph.apply(add, {number(0), x}), x);
  EXPECT_EQ(graph.apply(subtract, {x, number(0)}), x);
  EXPECT_EQ(graph.apply(multiply, {x, number(1)}), x);
  EXPECT_EQ(graph.apply(multiply, {number(1), x}), x);
  EXPECT_EQ(graph.apply(divide, {x, number(1)}), x);
  EXPECT_EQ(graph.apply(negate, {graph.apply(negate, {x})}), x);
}

TEST_F(GraphTest, KeepsWhatCouldHideANan) {
  expect_node(graph.apply(multiply, {x, number(0)}), multiply, {x, number(0)});
  expect_node(graph.apply(divide, {number(0), x}), divide, {number(0), x});
  expect_node(graph.apply(subtract, {x, x}), subtract, {x, x});
  expect_node(graph.apply(divide, {x, x}), divide, {x, x});
  expect_node(graph.apply(subtract, {number(0), x}), subtract, {number(0), x});
  expect_node(graph.apply(divide, {number(1), x}), divide, {number(1), x});
}

TEST_F(GraphTest, ChoosesTheBranchOfAConstantCondition) {
  EXPECT_EQ(graph.apply(where, {number(1), x, y}), x);
  EXPECT_EQ(graph.apply(where, {number(0), x, y}), y);
  expect_node(graph.apply(where, {x, x, y}), where, {x, x, y});
  expect_node(graph.apply(where, {number(1), x, u}), broadcast, {x});
}

TEST_F(GraphTest, WritesSmallPowersAsProducts) {
  const NodeId x2 = graph.apply(square, {x});
  const NodeId x4 = graph.apply(square, {x2});
  expect_constant(pow(x, 0), 1);
  EXPECT_EQ(pow(x, 1), x);
  EXPECT_EQ(pow(x, 2), x2);
  EXPECT_EQ(graph.apply(multiply, {x, x}), x2);
  EXPECT_EQ(pow(x, 3), graph.apply(multiply, {x, x2}));
  EXPECT_EQ(pow(x, 4), x4);
  EXPECT_EQ(pow(x, 6), graph.apply(square, {pow(x, 3)}));
  EXPECT_EQ(pow(x, 8), graph.apply(square, {x4}));
  EXPECT_EQ(pow(x, -1), graph.apply(divide, {number(1), x}));
  EXPECT_EQ(pow(x, -4), graph.apply(divide, {number(1), x4}));
  EXPECT_EQ(pow(x, 0.5), graph.apply(sqrt, {x}));
  for (double exponent : {9.0, -9.0, 2.5, -0.5, 1e300, std::numeric_limits<double>::infinity()}) {
    expect_node(pow(x, exponent), power, {x, number(exponent)});
  }
  expect_node(graph.apply(power, {x, y}), power, {x, y});
}

TEST_F(GraphTest, BroadcastsScalarsThatMeetFields) {
  const NodeId sum = graph.apply(add, {x, u});
  EXPECT_EQ(graph[sum].shape, Shape::field);
  expect_node(sum, add, {u, graph.apply(broadcast, {x})});
  EXPECT_EQ(graph.apply(broadcast, {u}), u);
  EXPECT_EQ(graph.apply(add, {u, number(0)}), u);
  EXPECT_EQ(graph[pow(u, 0)].shape, Shape::field);
  const NodeId two = graph.apply(broadcast, {number(2)});
  expect_constant(two, 2);
  EXPECT_EQ(graph[two].shape, Shape::field);
  EXPECT_NE(two, number(2));
}

TEST_F(GraphTest, ScalesFieldsByScalars) {
  for (const NodeId product : {graph.apply(multiply, {x, u}), graph.apply(multiply, {u, x})}) {
    EXPECT_EQ(graph[product].shape, Shape::field);
    expect_node(product, scale, {x, u});
  }
  EXPECT_EQ(graph.apply(multiply, {number(1), u}), u);
  EXPECT_EQ(graph[graph.apply(multiply, {number(2), u})].operation, multiply);
}

TEST_F(GraphTest, SumsProductsOverTheGridAtOnce) {
  const NodeId slope = graph.apply(dx, {u});
  expect_node(graph.apply(grid_sum, {graph.apply(multiply, {u, slope})}), grid_dot, {u, slope});
  expect_node(graph.apply(grid_sum, {graph.apply(square, {u})}), grid_dot, {u, u});
  expect_node(graph.apply(grid_sum, {slope}), grid_sum, {slope});
}

TEST_F(GraphTest, KnowsTheShapesOfFieldOperations) {
  for (Operation operation : {laplacian, dx, dy}) {
    const NodeId node = graph.apply(operation, {u});
    expect_node(node, operation, {u});
    EXPECT_EQ(graph[node].shape, Shape::field);
  }
  for (Operation operation : {upwind_x, upwind_y}) {
    const NodeId node = graph.apply(operation, {u, x});
    expect_node(node, operation, {u, graph.apply(broadcast, {x})});
    EXPECT_EQ(graph[node].shape, Shape::field);
  }
  const NodeId sum = graph.apply(grid_sum, {u});
  expect_node(sum, grid_sum, {u});
  EXPECT_EQ(graph[sum].shape, Shape::scalar);
  EXPECT_EQ(graph.apply(grid_sum, {x}), x);
}

// So that what is made of them alone is not computed again at every evaluation.
TEST_F(GraphTest, CoordinatesAreOfTheSample) {
  for (Operation operation : {grid_x, grid_y}) {
    const NodeId node = graph.apply(operation, {number(1)});
    EXPECT_EQ(graph[node].rate, Rate::sample);
    EXPECT_EQ(graph[node].shape, Shape::field);
  }
}

TEST_F(GraphTest, PropagatesRates) {
  const NodeId state = graph.leaf({.id = 3, .rate = Rate::evaluation});
  EXPECT_EQ(graph[number(1)].rate, Rate::constant);
  EXPECT_EQ(graph[graph.apply(add, {x, number(1)})].rate, Rate::sample);
  EXPECT_EQ(graph[graph.apply(multiply, {x, state})].rate, Rate::evaluation);
  EXPECT_EQ(graph[graph.apply(grid_sum, {u})].rate, Rate::evaluation);
  EXPECT_EQ(graph[graph.apply(broadcast, {x})].rate, Rate::sample);
}

TEST_F(GraphTest, PropagatesSections) {
  const NodeId network = graph.leaf({.id = 4, .section = 1});
  const NodeId second = graph.leaf({.id = 5, .section = 3});
  EXPECT_EQ(graph[graph.apply(add, {x, y})].section, 0);
  EXPECT_EQ(graph[graph.apply(add, {x, network})].section, 1);
  EXPECT_EQ(graph[graph.apply(where, {second, x, network})].section, 3);
}

}  // namespace
}  // namespace greybox
