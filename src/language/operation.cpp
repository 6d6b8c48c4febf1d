// Names, arities and one-line descriptions of the operations.
#include "language/operation.hpp"

#include <algorithm>
#include <array>

namespace greybox {
namespace {

using enum Operation;

constexpr auto kTable = std::to_array<OperationInfo>({
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
    {where, "where", 3, "where(c, a, b) is a where c is not 0, else b"},
    {sin, "sin", 1, "sine"},
    {cos, "cos", 1, "cosine"},
    {tan, "tan", 1, "tangent"},
    {asin, "asin", 1, "inverse sine"},
    {acos, "acos", 1, "inverse cosine"},
    {atan, "atan", 1, "inverse tangent"},
    {atan2, "atan2", 2, "atan2(y, x) is the angle of the point (x, y), between -pi and pi"},
    {sinh, "sinh", 1, "hyperbolic sine"},
    {cosh, "cosh", 1, "hyperbolic cosine"},
    {tanh, "tanh", 1, "hyperbolic tangent"},
    {exp, "exp", 1, "exponential"},
    {log, "log", 1, "natural logarithm"},
    {log1p, "log1p", 1, "log(1 + x), exact for small x"},
    {sqrt, "sqrt", 1, "square root"},
    {abs, "abs", 1, "absolute value"},
    {sign, "sign", 1, "-1, 0 or 1"},
    {min, "min", 2, "the smaller of two"},
    {max, "max", 2, "the larger of two"},
    {clamp, "clamp", 3, "clamp(x, low, high) is min(max(x, low), high)"},
    {sigmoid, "sigmoid", 1, "1 / (1 + exp(-x))"},
    {softplus, "softplus", 1, "log(1 + exp(x))"},
    {broadcast, "", 1, "one number at every grid point"},
    {scale, "", 2, "a number times a field"},
    {grid_sum, "", 1, "sum over the grid points"},
    {grid_dot, "", 2, "sum of products over the grid points"},
    {laplacian, "laplacian", 1, "second derivatives of a field in x and y, summed"},
    {dx, "dx", 1, "derivative of a field in x"},
    {dy, "dy", 1, "derivative of a field in y"},
});

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (static_cast<std::size_t>(kTable[i].operation) != i) return false;
  }
  return kTable.size() == kOperationCount;
}
static_assert(is_in_order());

constexpr bool is_function_name(std::string_view name) {
  return !name.empty() && name.front() >= 'a' && name.front() <= 'z';
}

template <class Condition>
std::optional<Operation> find(Condition holds) {
  const auto found = std::ranges::find_if(kTable, holds);
  if (found == kTable.end()) return std::nullopt;
  return found->operation;
}

}  // namespace

std::span<const OperationInfo> operations() {
  return kTable;
}

const OperationInfo& info(Operation operation) {
  return kTable[static_cast<std::size_t>(operation)];
}

std::optional<Operation> find_function(std::string_view name) {
  if (!is_function_name(name)) return std::nullopt;
  return find([&](const OperationInfo& row) { return row.name == name; });
}

std::optional<Operation> find_operator(std::string_view symbol, int arity) {
  if (symbol.empty() || is_function_name(symbol)) return std::nullopt;
  if (symbol == "^" && arity == 2) return power;
  return find([&](const OperationInfo& row) { return row.name == symbol && row.arity == arity; });
}

}  // namespace greybox
