// Simpler forms of an operation that give the same numbers. Nothing that could hide an infinity or a NaN is
// done: x * 0 stays.
#include <array>
#include <cmath>

#include "language/graph.hpp"

namespace greybox {

// Beyond this power the rounding errors of repeated products exceed those of std::pow.
constexpr double kLargestProductPower = 8;

std::optional<NodeId> Graph::fold(Operation operation, std::span<const NodeId> arguments) {
  std::array<double, 3> values{};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!is_constant(arguments[i])) return std::nullopt;
    values[i] = nodes_[arguments[i]].value;
  }
  return constant(evaluate(operation, std::span(values).first(arguments.size())), nodes_[arguments[0]].shape);
}

// `arguments` have one common shape.
std::optional<NodeId> Graph::simplify(Operation operation, std::span<const NodeId> arguments) {
  const NodeId a = arguments[0];
  const NodeId b = arguments.size() > 1 ? arguments[1] : a;
  switch (operation) {
    case Operation::add:
      if (is_constant(a, 0)) return b;
      if (is_constant(b, 0)) return a;
      break;
    case Operation::subtract:
      if (is_constant(b, 0)) return a;
      break;
    case Operation::multiply:
      if (is_constant(a, 1)) return b;
      if (is_constant(b, 1)) return a;
      if (a == b) return apply(Operation::square, {a});
      break;
    case Operation::divide:
      if (is_constant(b, 1)) return a;
      break;
    case Operation::negate:
      if (nodes_[a].operation == Operation::negate) return nodes_[a].arguments[0];
      break;
    case Operation::power:
      return simplify_power(a, b);
    case Operation::where:
      if (is_constant(a)) return nodes_[a].value != 0 ? b : arguments[2];
      break;
    default:
      break;
  }
  return std::nullopt;
}

std::optional<NodeId> Graph::simplify_power(NodeId base, NodeId exponent) {
  if (!is_constant(exponent)) return std::nullopt;
  const double n = nodes_[exponent].value;
  if (n == 0.5) return apply(Operation::sqrt, {base});
  if (std::abs(n) <= kLargestProductPower && n == std::trunc(n))
    return integer_power(base, static_cast<int>(n));
  return std::nullopt;
}

NodeId Graph::integer_power(NodeId base, int exponent) {
  if (exponent < 0) return apply(Operation::divide, {constant(1), integer_power(base, -exponent)});
  if (exponent == 0) return constant(1, nodes_[base].shape);
  if (exponent == 1) return base;
  if (exponent % 2 == 0) return apply(Operation::square, {integer_power(base, exponent / 2)});
  return apply(Operation::multiply, {base, integer_power(base, exponent - 1)});
}

}  // namespace greybox
