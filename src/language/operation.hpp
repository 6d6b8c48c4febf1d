// The operations of the equation language: one table of names, arities and notations that parser, binder,
// documentation and programs share. Its rows stand in operation_table.hpp, values and derivatives in
// operation_math-inl.hpp, function_math-inl.hpp, field_math-inl.hpp and upwind_math-inl.hpp;
// elementwise_function.hpp adds functions from outside.
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
  stop,
  // between scalars and fields
  broadcast,  // scalar → field
  grid_x,     // scalar → field, the scalar plus the distance from the first column
  grid_y,     // scalar → field, the scalar plus the distance from the first row
  scale,      // scalar × field
  grid_sum,   // field → scalar, the sum over grid points
  grid_dot,   // two fields → scalar, the sum of their products
  // on fields
  laplacian,
  dx,
  dy,
  upwind_x,
  upwind_y,
};

inline constexpr std::size_t kOperationCount = static_cast<std::size_t>(Operation::upwind_y) + 1;

// How tightly a piece of notation holds together; a looser piece inside a tighter one needs brackets.
enum class Bond : std::uint8_t { comparison, sum, product, prefix, power, atom };

// How a call is written where that is not name(arguments).
struct Notation {
  // Of the function, if not as in the equation.
  std::string_view name = {};
  // What stands around the argument instead of a name and brackets.
  std::string_view before = {}, after = {};
  // The argument is put in brackets when it is looser than this.
  Bond argument = Bond::comparison;
  Bond result = Bond::atom;

  constexpr bool is_around() const { return !before.empty(); }
};

// How a call is shown to a person.
struct CallNotation {
  // Names of the arguments, for messages; empty for those that the arity gives.
  std::string_view arguments = {};
  Notation mathematics = {};
  Notation latex = {};
};

struct OperationInfo {
  Operation operation;
  std::string_view name;  // as written in an equation; empty when only the binder makes it
  int arity;
  std::string_view about;  // one line for the documentation
  CallNotation call = {};
};

// Every operation, in the order of the enumeration; then the registered functions.
std::span<const OperationInfo> operations();
const OperationInfo& info(Operation operation);
// The function called `name` in equations ("pow" is power, and so on), if there is one.
std::optional<Operation> find_function(std::string_view name);
// The operation that `symbol` stands for between two values ("+", "^", "<="…) or, with arity 1, before one
// ("-").
std::optional<Operation> find_operator(std::string_view symbol, int arity);

// Functions from outside come after the built-in operations.
constexpr bool is_registered(Operation operation) {
  return static_cast<std::size_t>(operation) >= kOperationCount;
}

// Whether each value of the result needs only the arguments' values at the same sample and grid point.
constexpr bool is_elementwise(Operation operation) {
  return (operation >= Operation::add && operation < Operation::broadcast) || is_registered(operation);
}

// Whether it is a derivative of a field in space; the field is its first argument.
constexpr bool is_stencil(Operation operation) {
  return operation >= Operation::laplacian && operation <= Operation::upwind_y;
}

// Whether a grid of one row has none.
constexpr bool is_along_y(Operation operation) {
  return operation == Operation::dy || operation == Operation::upwind_y || operation == Operation::grid_y;
}

// An elementwise operation on plain numbers, by the standard library's functions.
double evaluate(Operation operation, std::span<const double> arguments);

}  // namespace greybox
