// The operations of the equation language: one table of names, arities and kinds that parser, binder,
// documentation and programs share. Values and derivatives stand in operation_math-inl.hpp,
// function_math-inl.hpp and field_math-inl.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace greybox {

enum class Operation : std::uint8_t {
  // leaves
  constant,
  leaf,
  // arithmetic
  add,
  subtract,
  multiply,
  divide,
  negate,
  power,
  square,
  // comparison and choice (comparisons give 1 or 0)
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  where,
  // functions
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  log1p,
  sqrt,
  abs,
  sign,
  min,
  max,
  clamp,
  sigmoid,
  softplus,
  // between scalars and fields
  broadcast,  // scalar → field
  scale,      // scalar × field
  grid_sum,   // field → scalar, the sum over grid points
  grid_dot,   // two fields → scalar, the sum of their products
  // on fields
  laplacian,
  dx,
  dy,
};

inline constexpr std::size_t kOperationCount = static_cast<std::size_t>(Operation::dy) + 1;

struct OperationInfo {
  Operation operation;
  std::string_view name;  // as written in an equation; empty when only the binder makes it
  int arity;
  std::string_view about;  // one line for the documentation
};

// Every operation, in the order of the enumeration.
std::span<const OperationInfo> operations();
const OperationInfo& info(Operation operation);
// The function called `name` in equations ("pow" is power, and so on), if there is one.
std::optional<Operation> find_function(std::string_view name);
// The operation that `symbol` stands for between two values ("+", "^", "<="…) or, with arity 1, before one
// ("-").
std::optional<Operation> find_operator(std::string_view symbol, int arity);

// Whether each value of the result needs only the arguments' values at the same sample and grid point.
constexpr bool is_elementwise(Operation operation) {
  return operation >= Operation::add && operation < Operation::broadcast;
}

// An elementwise operation on plain numbers, by the standard library's functions.
double evaluate(Operation operation, std::span<const double> arguments);

}  // namespace greybox
