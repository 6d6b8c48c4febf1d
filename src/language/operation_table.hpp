// The built-in operations, one row each. Kernels and functions on plain numbers are checked against it when
// they are compiled.
#pragma once

#include <array>

#include "language/operation.hpp"

namespace greybox {

namespace operation_rows {

using enum Operation;

inline constexpr Notation kBars = {.before = "|", .after = "|"};
inline constexpr Notation kLatexBars = {.before = "\\left| ", .after = " \\right|"};
inline constexpr Notation kRoot = {.before = "√", .argument = Bond::atom, .result = Bond::prefix};
inline constexpr Notation kLatexRoot = {.before = "\\sqrt{", .after = "}"};

constexpr Notation before_atom(std::string_view sign, std::string_view after, Bond result) {
  return {.before = sign, .after = after, .argument = Bond::atom, .result = result};
}

// clang-format off
inline constexpr auto kRows = std::to_array<OperationInfo>({
    {constant, "", 0, "a number"},
    {leaf, "", 0, "a value from outside the equations"},
    {add, "+", 2, "sum"},
    {subtract, "-", 2, "difference"},
    {multiply, "*", 2, "product"},
    {divide, "/", 2, "quotient"},
    {negate, "-", 1, "negative"},
    {power, "pow", 2, "pow(a, b) is a^b"},
    {square, "", 1, "a^2"},
    {less, "<", 2, "1 where a < b, else 0"},
    {less_equal, "<=", 2, "1 where a <= b, else 0"},
    {greater, ">", 2, "1 where a > b, else 0"},
    {greater_equal, ">=", 2, "1 where a >= b, else 0"},
    {equal, "==", 2, "1 where a == b, else 0"},
    {not_equal, "!=", 2, "1 where a != b, else 0"},
    {where, "where", 3, "where(c, a, b) is a where c is not 0, else b", {.arguments = "condition, a, b"}},
    {sin, "sin", 1, "sine", {.latex = {.name = "\\sin"}}},
    {cos, "cos", 1, "cosine", {.latex = {.name = "\\cos"}}},
    {tan, "tan", 1, "tangent", {.latex = {.name = "\\tan"}}},
    {asin, "asin", 1, "inverse sine"},
    {acos, "acos", 1, "inverse cosine"},
    {atan, "atan", 1, "inverse tangent"},
    {atan2, "atan2", 2, "atan2(y, x) is the angle of the point (x, y), between -pi and pi"},
    {sinh, "sinh", 1, "hyperbolic sine", {.latex = {.name = "\\sinh"}}},
    {cosh, "cosh", 1, "hyperbolic cosine", {.latex = {.name = "\\cosh"}}},
    {tanh, "tanh", 1, "hyperbolic tangent", {.latex = {.name = "\\tanh"}}},
    {exp, "exp", 1, "exponential", {.latex = {.name = "\\exp"}}},
    {log, "log", 1, "natural logarithm", {.latex = {.name = "\\log"}}},
    {log1p, "log1p", 1, "log(1 + x), exact for small x"},
    {sqrt, "sqrt", 1, "square root", {.mathematics = kRoot, .latex = kLatexRoot}},
    {abs, "abs", 1, "absolute value", {.mathematics = kBars, .latex = kLatexBars}},
    {sign, "sign", 1, "-1, 0 or 1"},
    {min, "min", 2, "the smaller of two", {.latex = {.name = "\\min"}}},
    {max, "max", 2, "the larger of two", {.latex = {.name = "\\max"}}},
    {clamp, "clamp", 3, "clamp(x, low, high) is min(max(x, low), high)", {.arguments = "x, low, high"}},
    {sigmoid, "sigmoid", 1, "1 / (1 + exp(-x))"},
    {softplus, "softplus", 1, "log(1 + exp(x))"},
    {stop, "stop", 1, "stop(x) is x, and counts as a constant where gradients are taken"},
    {broadcast, "", 1, "one number at every grid point"},
    {grid_x, "", 1, "a number plus the distance from the first column"},
    {grid_y, "", 1, "a number plus the distance from the first row"},
    {scale, "", 2, "a number times a field"},
    {grid_sum, "", 1, "sum over the grid points"},
    {grid_dot, "", 2, "sum of products over the grid points"},
    {laplacian, "laplacian", 1, "second derivatives of a field in x and y, summed",
     {.mathematics = before_atom("∇²", "", Bond::prefix), .latex = before_atom("\\nabla^2 ", "", Bond::product)}},
    {dx, "dx", 1, "derivative of a field in x",
     {.mathematics = before_atom("∂", "/∂x", Bond::product), .latex = before_atom("\\partial_x ", "", Bond::product)}},
    {dy, "dy", 1, "derivative of a field in y",
     {.mathematics = before_atom("∂", "/∂y", Bond::product), .latex = before_atom("\\partial_y ", "", Bond::product)}},
    {upwind_x, "upwind_x", 2, "upwind_x(u, c) is c times the derivative of u in x, by the difference that faces the stream: to the left where c > 0, to the right where c < 0",
     {.arguments = "u, c"}},
    {upwind_y, "upwind_y", 2, "upwind_y(u, c) is the same in y: from the row before where c > 0, from the row after where c < 0",
     {.arguments = "u, c"}},
});
// clang-format on

}  // namespace operation_rows

inline constexpr const auto& kOperationTable = operation_rows::kRows;

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kOperationTable.size(); ++i)
    if (static_cast<std::size_t>(kOperationTable[i].operation) != i) return false;
  return kOperationTable.size() == kOperationCount;
}
static_assert(is_in_order(), "one row per operation, in the order of the enumeration");

// Whether a table has exactly one row for each of the built-in operations that are `wanted`.
template <class Table, class Wanted>
constexpr bool covers(const Table& table, Wanted wanted) {
  for (const OperationInfo& row : kOperationTable) {
    std::size_t n_found = 0;
    for (const auto& entry : table) n_found += entry.operation == row.operation ? 1 : 0;
    if (n_found != (wanted(row) ? 1U : 0U)) return false;
  }
  return true;
}

}  // namespace greybox
