// Finding operations: the rows of the table, and those of registered functions.
#include <algorithm>
#include <vector>

#include "language/elementwise_function.hpp"
#include "language/operation_table.hpp"

namespace greybox {
namespace {

constexpr bool is_function_name(std::string_view name) {
  return !name.empty() && name.front() >= 'a' && name.front() <= 'z';
}

std::vector<OperationInfo> all_rows() {
  std::vector<OperationInfo> rows(kOperationTable.begin(), kOperationTable.end());
  for (const ElementwiseFunction& function : registered_functions())
    rows.push_back({.operation = static_cast<Operation>(rows.size()),
                    .name = function.name,
                    .arity = function.arity,
                    .about = function.about,
                    .call = {.arguments = function.arguments, .latex = {.name = function.latex}}});
  return rows;
}

template <class Condition>
std::optional<Operation> find(Condition holds) {
  const auto found = std::ranges::find_if(operations(), holds);
  if (found == operations().end()) return std::nullopt;
  return found->operation;
}

}  // namespace

std::span<const OperationInfo> operations() {
  static const std::vector<OperationInfo> rows = all_rows();
  return rows;
}

const OperationInfo& info(Operation operation) {
  return operations()[static_cast<std::size_t>(operation)];
}

std::optional<Operation> find_function(std::string_view name) {
  if (!is_function_name(name)) return std::nullopt;
  return find([&](const OperationInfo& row) { return row.name == name; });
}

std::optional<Operation> find_operator(std::string_view symbol, int arity) {
  if (symbol.empty() || is_function_name(symbol)) return std::nullopt;
  if (symbol == "^" && arity == 2) return Operation::power;
  return find([&](const OperationInfo& row) { return row.name == symbol && row.arity == arity; });
}

}  // namespace greybox
