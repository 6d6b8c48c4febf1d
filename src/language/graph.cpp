// Building a graph: every node is made once, with the shape, rate and section that follow from its arguments.
#include "language/graph.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace greybox {
namespace {

// Constants are told apart by their bits, so that 0 and -0 stay two and a NaN is itself.
std::uint64_t bits(const Node& node) {
  return std::bit_cast<std::uint64_t>(node.value);
}

bool is_commutative(Operation operation) {
  using enum Operation;
  return operation == add || operation == multiply || operation == equal || operation == not_equal ||
         operation == min || operation == max;
}

}  // namespace

std::size_t Graph::NodeHash::operator()(const Node& node) const {
  std::uint64_t hash = 0;
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  };
  mix(static_cast<std::uint64_t>(node.operation) << 16 | static_cast<std::uint64_t>(node.shape) << 8 |
      node.section);
  for (NodeId argument : node.arguments) mix(argument);
  mix(bits(node));
  mix(node.leaf_id);
  return hash;
}

bool Graph::SameNode::operator()(const Node& a, const Node& b) const {
  return a.operation == b.operation && a.shape == b.shape && a.rate == b.rate && a.section == b.section &&
         a.arguments == b.arguments && bits(a) == bits(b) && a.leaf_id == b.leaf_id;
}

NodeId Graph::intern(const Node& node) {
  const auto [found, is_new] = known_.try_emplace(node, static_cast<NodeId>(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return found->second;
}

NodeId Graph::constant(double value) {
  return constant(value, Shape::scalar);
}

NodeId Graph::constant(double value, Shape shape) {
  return intern({.operation = Operation::constant, .shape = shape, .value = value});
}

NodeId Graph::leaf(const Leaf& leaf) {
  return intern({.operation = Operation::leaf,
                 .shape = leaf.shape,
                 .rate = leaf.rate,
                 .section = leaf.section,
                 .leaf_id = leaf.id});
}

NodeId Graph::apply(Operation operation, std::initializer_list<NodeId> arguments) {
  return apply(operation, std::span(arguments.begin(), arguments.size()));
}

NodeId Graph::apply(Operation operation, std::span<const NodeId> arguments) {
  assert(arguments.size() == static_cast<std::size_t>(info(operation).arity) && !arguments.empty());
  if (is_elementwise(operation)) {
    std::array<NodeId, 3> copy{};
    std::ranges::copy(arguments, copy.begin());
    return apply_elementwise(operation, std::span(copy).first(arguments.size()));
  }
  if (operation == Operation::broadcast) return as_shape(arguments[0], Shape::field);
  if (operation == Operation::grid_x || operation == Operation::grid_y)
    return make(operation, Shape::field, arguments, Rate::sample);
  if (operation == Operation::upwind_x || operation == Operation::upwind_y) {
    const NodeId both[] = {arguments[0], as_shape(arguments[1], Shape::field)};
    return make(operation, Shape::field, both);
  }
  if (operation == Operation::grid_sum) return sum_over_grid(arguments[0]);
  if (operation == Operation::grid_dot) return make(operation, Shape::scalar, arguments);
  assert(nodes_[arguments.back()].shape == Shape::field && "derivatives in space are of fields");
  return make(operation, Shape::field, arguments);
}

NodeId Graph::sum_over_grid(NodeId node) {
  const Node& summed = nodes_[node];
  if (summed.shape == Shape::scalar) return node;
  if (summed.operation == Operation::multiply || summed.operation == Operation::square) {
    const NodeId factors[] = {summed.arguments[0], summed.arguments[summed.n_arguments - 1U]};
    return make(Operation::grid_dot, Shape::scalar, factors);
  }
  return make(Operation::grid_sum, Shape::scalar, std::span(&node, 1));
}

// A number that changes need not be written out as a field to multiply one.
bool Graph::scales(NodeId factor, NodeId field) const {
  return nodes_[factor].shape == Shape::scalar && nodes_[field].shape == Shape::field && !is_constant(factor);
}

NodeId Graph::apply_elementwise(Operation operation, std::span<NodeId> arguments) {
  if (operation == Operation::multiply) {
    if (scales(arguments[1], arguments[0])) std::swap(arguments[0], arguments[1]);
    if (scales(arguments[0], arguments[1])) return make(Operation::scale, Shape::field, arguments);
  }
  const bool has_field =
      std::ranges::any_of(arguments, [&](NodeId a) { return nodes_[a].shape == Shape::field; });
  const Shape shape = has_field ? Shape::field : Shape::scalar;
  for (NodeId& argument : arguments) argument = as_shape(argument, shape);
  if (is_commutative(operation)) std::ranges::sort(arguments);
  if (const auto folded = fold(operation, arguments)) return *folded;
  if (const auto simpler = simplify(operation, arguments)) return *simpler;
  return make(operation, shape, arguments);
}

NodeId Graph::make(Operation operation, Shape shape, std::span<const NodeId> arguments, Rate least) {
  Node node{.operation = operation,
            .shape = shape,
            .rate = least,
            .n_arguments = static_cast<std::uint8_t>(arguments.size())};
  std::ranges::copy(arguments, node.arguments.begin());
  for (NodeId argument : arguments) {
    node.rate = std::max(node.rate, nodes_[argument].rate);
    node.section = std::max(node.section, nodes_[argument].section);
  }
  return intern(node);
}

NodeId Graph::as_shape(NodeId node, Shape shape) {
  if (nodes_[node].shape == shape) return node;
  assert(shape == Shape::field && "a field does not become a scalar by itself");
  if (is_constant(node)) return constant(nodes_[node].value, Shape::field);
  return make(Operation::broadcast, Shape::field, std::span(&node, 1));
}

}  // namespace greybox
