// Equations with their names resolved: a graph of scalar and field values per sample.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "language/operation.hpp"

namespace greybox {

enum class Shape : std::uint8_t { scalar, field };

// How often a value must be computed. Each rate may use values of its own and of lower rates.
enum class Rate : std::uint8_t {
  constant,    // once
  sample,      // once per sample: depends on θ and the window
  solution,    // once per sample, when it is solved: depends on states at the observed snapshots
  evaluation,  // at every evaluation of the right-hand side: depends on state and time
};

using NodeId = std::uint32_t;

// What stands outside the graph: a parameter, a state, a network's output… `id` is its owner's business.
struct Leaf {
  std::uint32_t id = 0;
  Shape shape = Shape::scalar;
  Rate rate = Rate::sample;
  // Networks run between sections of a program: a value of section s may use networks called before s.
  std::uint8_t section = 0;
};

struct Node {
  Operation operation = Operation::constant;
  Shape shape = Shape::scalar;
  Rate rate = Rate::constant;
  std::uint8_t section = 0;
  std::uint8_t n_arguments = 0;
  std::array<NodeId, 3> arguments{};
  double value = 0;           // constant
  std::uint32_t leaf_id = 0;  // leaf
};

// Grows only. Building simplifies: constants are folded, neutral elements dropped, x^2 and other small
// integer powers become products, x^0.5 a square root, and an expression that is already there is not made
// twice (so common subexpressions are computed once). Scalars meeting fields are broadcast, or scale them; a
// scalar's grid_sum is the scalar itself, and that of a product is a grid_dot.
class Graph {
 public:
  NodeId constant(double value);
  NodeId leaf(const Leaf& leaf);
  NodeId apply(Operation operation, std::span<const NodeId> arguments);
  NodeId apply(Operation operation, std::initializer_list<NodeId> arguments);

  const Node& operator[](NodeId id) const { return nodes_[id]; }
  std::size_t size() const { return nodes_.size(); }

 private:
  struct NodeHash {
    std::size_t operator()(const Node& node) const;
  };
  struct SameNode {
    bool operator()(const Node& a, const Node& b) const;
  };

  // graph.cpp
  NodeId intern(const Node& node);
  NodeId constant(double value, Shape shape);
  NodeId apply_elementwise(Operation operation, std::span<NodeId> arguments);
  NodeId sum_over_grid(NodeId node);
  bool scales(NodeId factor, NodeId field) const;
  // At the rate of its arguments, or at `least` if that is higher.
  NodeId make(Operation operation, Shape shape, std::span<const NodeId> arguments,
              Rate least = Rate::constant);
  NodeId as_shape(NodeId node, Shape shape);
  bool is_constant(NodeId node) const { return nodes_[node].operation == Operation::constant; }
  bool is_constant(NodeId node, double value) const {
    return is_constant(node) && nodes_[node].value == value;
  }

  // simplify.cpp
  std::optional<NodeId> fold(Operation operation, std::span<const NodeId> arguments);
  std::optional<NodeId> simplify(Operation operation, std::span<const NodeId> arguments);
  std::optional<NodeId> simplify_power(NodeId base, NodeId exponent);
  NodeId integer_power(NodeId base, int exponent);

  std::vector<Node> nodes_;
  std::unordered_map<Node, NodeId, NodeHash, SameNode> known_;
};

}  // namespace greybox
