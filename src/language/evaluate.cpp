// Elementwise operations on plain numbers, for folding constants.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "language/elementwise_function.hpp"
#include "language/operation_table.hpp"

namespace greybox {
namespace {

using enum Operation;

// A NaN on either side is the result.
double smaller(double a, double b) {
  return a < b || std::isnan(a) ? a : b;
}
double larger(double a, double b) {
  return a > b || std::isnan(a) ? a : b;
}

template <class Function>
struct Row {
  Operation operation;
  Function* function;
};

constexpr auto kUnary = std::to_array<Row<double(double)>>({
    {negate, [](double x) { return -x; }},
    {square, [](double x) { return x * x; }},
    {sin, [](double x) { return std::sin(x); }},
    {cos, [](double x) { return std::cos(x); }},
    {tan, [](double x) { return std::tan(x); }},
    {asin, [](double x) { return std::asin(x); }},
    {acos, [](double x) { return std::acos(x); }},
    {atan, [](double x) { return std::atan(x); }},
    {sinh, [](double x) { return std::sinh(x); }},
    {cosh, [](double x) { return std::cosh(x); }},
    {tanh, [](double x) { return std::tanh(x); }},
    {exp, [](double x) { return std::exp(x); }},
    {log, [](double x) { return std::log(x); }},
    {log1p, [](double x) { return std::log1p(x); }},
    {sqrt, [](double x) { return std::sqrt(x); }},
    {abs, [](double x) { return std::abs(x); }},
    {sign, [](double x) { return x > 0   ? 1
                                 : x < 0 ? -1
                                         : x; }},
    {sigmoid, [](double x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }},
    {softplus, [](double x) { return larger(x, 0) + std::log1p(std::exp(-std::abs(x))); }},
    {stop, [](double x) { return x; }},
});

constexpr auto kBinary = std::to_array<Row<double(double, double)>>({
    {add, [](double a, double b) { return a + b; }},
    {subtract, [](double a, double b) { return a - b; }},
    {multiply, [](double a, double b) { return a * b; }},
    {divide, [](double a, double b) { return a / b; }},
    {power, [](double a, double b) { return std::pow(a, b); }},
    {less, [](double a, double b) { return a < b ? 1.0 : 0.0; }},
    {less_equal, [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
    {greater, [](double a, double b) { return a > b ? 1.0 : 0.0; }},
    {greater_equal, [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
    {equal, [](double a, double b) { return a == b ? 1.0 : 0.0; }},
    {not_equal, [](double a, double b) { return a != b ? 1.0 : 0.0; }},
    {atan2, [](double a, double b) { return std::atan2(a, b); }},
    {min, smaller},
    {max, larger},
});

constexpr auto kTernary = std::to_array<Row<double(double, double, double)>>({
    {where, [](double c, double a, double b) { return c != 0 ? a : b; }},
    {clamp, [](double x, double low, double high) { return smaller(larger(x, low), high); }},
});

constexpr auto takes(int n) {
  return [n](const OperationInfo& row) { return is_elementwise(row.operation) && row.arity == n; };
}
static_assert(covers(kUnary, takes(1)) && covers(kBinary, takes(2)) && covers(kTernary, takes(3)),
              "one row for every elementwise operation");

template <class Table, class... Arguments>
double call(const Table& table, Operation operation, Arguments... arguments) {
  const auto row = std::ranges::find(table, operation, &Table::value_type::operation);
  assert(row != table.end());
  return row->function(arguments...);
}

}  // namespace

double evaluate(Operation operation, std::span<const double> x) {
  assert(is_elementwise(operation) && x.size() == static_cast<std::size_t>(info(operation).arity));
  if (is_registered(operation)) return registered_function(operation).in_double.value(x.data());
  if (x.size() == 1) return call(kUnary, operation, x[0]);
  if (x.size() == 2) return call(kBinary, operation, x[0], x[1]);
  return call(kTernary, operation, x[0], x[1], x[2]);
}

}  // namespace greybox
