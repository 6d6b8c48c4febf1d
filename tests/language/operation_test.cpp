// The table of operations, and operations on plain numbers.
#include "language/operation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/limits.hpp"

namespace greybox {
namespace {

TEST(Operations, StandInTheOrderOfTheEnumeration) {
  ASSERT_EQ(operations().size(), kOperationCount);
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    EXPECT_EQ(static_cast<std::size_t>(operations()[i].operation), i);
    EXPECT_EQ(&info(static_cast<Operation>(i)), &operations()[i]);
  }
}

TEST(Operations, AreDescribedAndHaveDistinctNames) {
  std::set<std::pair<std::string_view, int>> seen;
  for (const OperationInfo& row : operations()) {
    EXPECT_FALSE(row.about.empty()) << row.name;
    EXPECT_TRUE(row.name.empty() || seen.insert({row.name, row.arity}).second) << row.name;
    EXPECT_EQ(row.arity == 0, row.operation == Operation::constant || row.operation == Operation::leaf);
  }
}

TEST(Operations, AreFoundAsFunctions) {
  for (std::string_view name :
       {"where",   "sin",      "cos",  "tan",       "asin", "acos", "atan",     "atan2",   "sinh", "cosh",
        "tanh",    "exp",      "log",  "log1p",     "sqrt", "abs",  "sign",     "min",     "max",  "clamp",
        "sigmoid", "softplus", "stop", "laplacian", "dx",   "dy",   "upwind_x", "upwind_y"}) {
    const auto found = find_function(name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(info(*found).name, name);
  }
  EXPECT_EQ(find_function("pow"), Operation::power);
  for (std::string_view name :
       {"", "+", "-", "<=", "power", "square", "broadcast", "grid_sum", "Sin", "si", "leaf"}) {
    EXPECT_FALSE(find_function(name)) << name;
  }
}

TEST(Operations, AreFoundAsOperators) {
  EXPECT_EQ(find_operator("+", 2), Operation::add);
  EXPECT_EQ(find_operator("-", 2), Operation::subtract);
  EXPECT_EQ(find_operator("-", 1), Operation::negate);
  EXPECT_EQ(find_operator("*", 2), Operation::multiply);
  EXPECT_EQ(find_operator("/", 2), Operation::divide);
  EXPECT_EQ(find_operator("^", 2), Operation::power);
  EXPECT_EQ(find_operator("<", 2), Operation::less);
  EXPECT_EQ(find_operator("<=", 2), Operation::less_equal);
  EXPECT_EQ(find_operator(">", 2), Operation::greater);
  EXPECT_EQ(find_operator(">=", 2), Operation::greater_equal);
  EXPECT_EQ(find_operator("==", 2), Operation::equal);
  EXPECT_EQ(find_operator("!=", 2), Operation::not_equal);
  for (std::string_view symbol : {"", "pow", "min", "=", "**"})
    EXPECT_FALSE(find_operator(symbol, 2)) << symbol;
  EXPECT_FALSE(find_operator("", 1));
  EXPECT_FALSE(find_operator("+", 1));
}

double value(Operation operation, std::initializer_list<double> arguments) {
  return evaluate(operation, std::span(arguments.begin(), arguments.size()));
}

TEST(Evaluate, KnowsEveryElementwiseOperation) {
  const double ones[] = {1, 1, 1};
  for (const OperationInfo& row : operations()) {
    if (!is_elementwise(row.operation)) continue;
    const double result = evaluate(row.operation, std::span(ones).first(static_cast<std::size_t>(row.arity)));
    EXPECT_FALSE(std::isnan(result)) << row.name;
  }
}

TEST(Evaluate, ReadsArgumentsInOrder) {
  EXPECT_EQ(value(Operation::subtract, {5, 3}), 2);
  EXPECT_EQ(value(Operation::divide, {1, 4}), 0.25);
  EXPECT_EQ(value(Operation::power, {2, 10}), 1024);
  EXPECT_EQ(value(Operation::atan2, {1, -1}), std::atan2(1.0, -1.0));
  EXPECT_EQ(value(Operation::less, {1, 2}), 1);
  EXPECT_EQ(value(Operation::greater, {1, 2}), 0);
  EXPECT_EQ(value(Operation::where, {1, 7, 8}), 7);
  EXPECT_EQ(value(Operation::where, {0, 7, 8}), 8);
  EXPECT_EQ(value(Operation::clamp, {5, -1, 1}), 1);
  EXPECT_EQ(value(Operation::clamp, {-5, -1, 1}), -1);
}

TEST(Evaluate, KeepsNan) {
  for (Operation operation : {Operation::min, Operation::max, Operation::add, Operation::power}) {
    EXPECT_TRUE(std::isnan(value(operation, {kNaN, 1}))) << info(operation).name;
    EXPECT_TRUE(std::isnan(value(operation, {2, kNaN}))) << info(operation).name;
  }
  EXPECT_TRUE(std::isnan(value(Operation::clamp, {kNaN, 0, 1})));
  EXPECT_TRUE(std::isnan(value(Operation::sign, {kNaN})));
  EXPECT_TRUE(std::isnan(value(Operation::sigmoid, {kNaN})));
  EXPECT_TRUE(std::isnan(value(Operation::softplus, {kNaN})));
}

TEST(Evaluate, DoesNotOverflowInSigmoidAndSoftplus) {
  EXPECT_EQ(value(Operation::sigmoid, {1000}), 1);
  EXPECT_EQ(value(Operation::sigmoid, {-1000}), 0);
  EXPECT_EQ(value(Operation::softplus, {1000}), 1000);
  EXPECT_EQ(value(Operation::softplus, {-1000}), 0);
}

}  // namespace
}  // namespace greybox
