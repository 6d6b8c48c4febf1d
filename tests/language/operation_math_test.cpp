// Every elementwise operation: values against the standard library, gradients against finite differences,
// tangents against gradients.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "core/limits.hpp"
#include "language/program_runner.hpp"
#include "support/gradient_check.hpp"

namespace greybox::test {
namespace {

using enum Operation;
using Number = long double;
using Arguments = std::array<Number, 3>;

struct Range {
  double low, high;
};

// What an operation should give, and where it is smooth (for finite differences); ranges are one per
// argument.
struct Expectation {
  Number (*value)(const Arguments&);
  std::array<Range, 3> smooth;
};

constexpr Range kSmall{-2, 2}, kPositive{0.3, 3}, kInside{-0.9, 0.9};

Number smaller(Number a, Number b) {
  return std::isnan(a) || std::isnan(b) ? kNaN : std::fmin(a, b);
}
Number larger(Number a, Number b) {
  return std::isnan(a) || std::isnan(b) ? kNaN : std::fmax(a, b);
}

const std::map<Operation, Expectation> kExpected = {
    {add, {[](const Arguments& x) { return x[0] + x[1]; }, {kSmall, kSmall}}},
    {subtract, {[](const Arguments& x) { return x[0] - x[1]; }, {kSmall, kSmall}}},
    {multiply, {[](const Arguments& x) { return x[0] * x[1]; }, {kSmall, kSmall}}},
    {divide, {[](const Arguments& x) { return x[0] / x[1]; }, {kSmall, kPositive}}},
    {negate, {[](const Arguments& x) { return -x[0]; }, {kSmall}}},
    {power, {[](const Arguments& x) { return std::pow(x[0], x[1]); }, {kPositive, kSmall}}},
    {square, {[](const Arguments& x) { return x[0] * x[0]; }, {kSmall}}},
    {less, {[](const Arguments& x) { return Number(x[0] < x[1]); }, {kInside, {1, 2}}}},
    {less_equal, {[](const Arguments& x) { return Number(x[0] <= x[1]); }, {kInside, {1, 2}}}},
    {greater, {[](const Arguments& x) { return Number(x[0] > x[1]); }, {kInside, {1, 2}}}},
    {greater_equal, {[](const Arguments& x) { return Number(x[0] >= x[1]); }, {kInside, {1, 2}}}},
    {equal, {[](const Arguments& x) { return Number(x[0] == x[1]); }, {kInside, {1, 2}}}},
    {not_equal, {[](const Arguments& x) { return Number(x[0] != x[1]); }, {kInside, {1, 2}}}},
    {where, {[](const Arguments& x) { return x[0] != 0 ? x[1] : x[2]; }, {kPositive, kSmall, kSmall}}},
    {sin, {[](const Arguments& x) { return std::sin(x[0]); }, {kSmall}}},
    {cos, {[](const Arguments& x) { return std::cos(x[0]); }, {kSmall}}},
    {tan, {[](const Arguments& x) { return std::tan(x[0]); }, {kInside}}},
    {asin, {[](const Arguments& x) { return std::asin(x[0]); }, {kInside}}},
    {acos, {[](const Arguments& x) { return std::acos(x[0]); }, {kInside}}},
    {atan, {[](const Arguments& x) { return std::atan(x[0]); }, {kSmall}}},
    {atan2, {[](const Arguments& x) { return std::atan2(x[0], x[1]); }, {kSmall, kPositive}}},
    {sinh, {[](const Arguments& x) { return std::sinh(x[0]); }, {kSmall}}},
    {cosh, {[](const Arguments& x) { return std::cosh(x[0]); }, {kSmall}}},
    {tanh, {[](const Arguments& x) { return std::tanh(x[0]); }, {kSmall}}},
    {exp, {[](const Arguments& x) { return std::exp(x[0]); }, {kSmall}}},
    {log, {[](const Arguments& x) { return std::log(x[0]); }, {kPositive}}},
    {log1p, {[](const Arguments& x) { return std::log1p(x[0]); }, {kInside}}},
    {sqrt, {[](const Arguments& x) { return std::sqrt(x[0]); }, {kPositive}}},
    {abs, {[](const Arguments& x) { return std::fabs(x[0]); }, {kPositive}}},
    {sign, {[](const Arguments& x) { return x[0] > 0   ? 1
                                            : x[0] < 0 ? -1
                                                       : x[0]; }, {kPositive}}},
    {min, {[](const Arguments& x) { return smaller(x[0], x[1]); }, {kInside, {1, 2}}}},
    {max, {[](const Arguments& x) { return larger(x[0], x[1]); }, {kInside, {1, 2}}}},
    {clamp,
     {[](const Arguments& x) { return smaller(larger(x[0], x[1]), x[2]); },
      {Range{-0.5, 0.5}, {-2, -1}, {1, 2}}}},
    {sigmoid, {[](const Arguments& x) { return 1 / (1 + std::exp(-x[0])); }, {kSmall}}},
    {softplus,
     {[](const Arguments& x) { return larger(x[0], 0) + std::log1p(std::exp(-std::fabs(x[0]))); }, {kSmall}}},
    {stop, {[](const Arguments& x) { return x[0]; }, {kSmall}}},
};

// Every elementwise operation with what is expected of it; one that has no expectation is a failure.
template <class Visit>
void for_each_operation(Visit visit) {
  for (const OperationInfo& row : operations()) {
    if (!is_elementwise(row.operation)) continue;
    const auto found = kExpected.find(row.operation);
    ASSERT_NE(found, kExpected.end()) << "no test for " << row.about;
    SCOPED_TRACE(row.about);
    visit(row.operation, static_cast<std::size_t>(row.arity), found->second);
  }
}

// Within `units` of the last place of the result's type; infinities and NaN exactly.
template <class T>
void expect_close(T actual, Number expected, double units, const Arguments& at) {
  const T rounded = static_cast<T>(expected);
  const bool is_special = std::isnan(rounded) || std::isinf(rounded);
  const T magnitude = std::fabs(rounded);
  const Number unit =
      Number(std::nextafter(magnitude, std::numeric_limits<T>::infinity())) - Number(magnitude);
  const bool is_right = std::isnan(rounded) ? std::isnan(actual)
                        : is_special        ? actual == rounded
                                            : std::fabs(Number(actual) - expected) <= units * unit;
  EXPECT_TRUE(is_right) << "f(" << double(at[0]) << ", " << double(at[1]) << ", " << double(at[2])
                        << ") = " << actual << ", expected " << rounded;
}

template <class T>
void check_values(Operation operation, std::size_t arity, const Expectation& expected,
                  const std::vector<Arguments>& points) {
  const Program program = single_operation(operation);
  Runner<T> runner(program, points.size());
  for (std::size_t i = 0; i < arity; ++i) {
    for (std::size_t s = 0; s < points.size(); ++s) runner.input(i)[s] = static_cast<T>(points[s][i]);
  }
  runner.forward();
  for (std::size_t s = 0; s < points.size(); ++s) {
    Arguments x{};
    for (std::size_t i = 0; i < arity; ++i) x[i] = runner.input(i)[s];
    expect_close(runner.output()[s], expected.value(x), 4, x);
  }
}

// All combinations of numbers at which functions go wrong.
template <class T>
std::vector<Arguments> special_points(std::size_t arity) {
  const Number tiny = std::numeric_limits<T>::min(), huge = std::numeric_limits<T>::max();
  const std::vector<Number> numbers = {0.0,  -0.0,  1,         -1,    0.5,       -0.5,       2,    -2,
                                       tiny, -tiny, huge,      -huge, 37.5,      -37.5,      88.5, -95,
                                       710,  -740,  12345.678, -5e5,  kInfinity, -kInfinity, kNaN};
  const auto choices = [&](std::size_t i) {
    return std::span(numbers).first(i < arity ? numbers.size() : 1);
  };
  std::vector<Arguments> points;
  for (Number a : choices(0)) {
    for (Number b : choices(1)) {
      for (Number c : choices(2)) points.push_back({a, b, c});
    }
  }
  return points;
}

std::vector<Arguments> random_points(const std::array<Range, 3>& ranges, std::size_t count) {
  std::vector<Arguments> points(count);
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < 3; ++i) {
    fill_random(std::span(numbers), ranges[i].low, ranges[i].high, static_cast<std::uint32_t>(i));
    for (std::size_t s = 0; s < count; ++s) points[s][i] = numbers[s];
  }
  return points;
}

class OperationMath : public OnEveryTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, OperationMath, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         target_name);

TEST_P(OperationMath, ValuesAtOrdinaryPoints) {
  for_each_operation([](Operation operation, std::size_t arity, const Expectation& expected) {
    for (const auto& ranges :
         {expected.smooth, {Range{-5, 5}, {-5, 5}, {-5, 5}}, {Range{-300, 300}, {-3, 3}, {-9, 9}}}) {
      check_values<float>(operation, arity, expected, random_points(ranges, 1003));
      check_values<double>(operation, arity, expected, random_points(ranges, 1003));
    }
  });
}

TEST_P(OperationMath, ValuesAtSpecialPoints) {
  for_each_operation([](Operation operation, std::size_t arity, const Expectation& expected) {
    check_values<float>(operation, arity, expected, special_points<float>(arity));
    check_values<double>(operation, arity, expected, special_points<double>(arity));
  });
}

TEST_P(OperationMath, GradientsAndTangents) {
  for_each_operation([](Operation operation, std::size_t arity, const Expectation& expected) {
    if (operation == stop) return;  // its derivative is 0 by definition
    const Program program = single_operation(operation);
    for (std::size_t n : {1, 3, 7, 17}) {
      Runner<double> runner(program, n);
      std::vector<double> seed(n);
      fill_random(std::span(seed), -1, 1, 9);
      for (std::size_t i = 0; i < arity; ++i) {
        fill_random(runner.input(i), expected.smooth[i].low, expected.smooth[i].high,
                    static_cast<std::uint32_t>(i));
        fill_random(runner.input_tangent(i), -1, 1, static_cast<std::uint32_t>(20 + i));
      }
      runner.forward();
      runner.reverse(seed);
      runner.tangent();

      double along_tangent = 0;
      for (std::size_t i = 0; i < arity; ++i)
        along_tangent += dot(runner.input_gradient(i), runner.input_tangent(i));
      EXPECT_NEAR(dot(std::span(seed), runner.output_tangent()), along_tangent,
                  1e-13 * static_cast<double>(n));
      for (std::size_t i = 0; i < arity; ++i) {
        const std::vector<double> gradient(runner.input_gradient(i).begin(), runner.input_gradient(i).end());
        expect_gradient("argument " + std::to_string(i), runner.input(i), gradient, [&] {
          runner.forward();
          return dot(std::span(seed), runner.output());
        });
      }
    }
  });
}

// The gradients at one point, with a seed of 1.
std::vector<double> gradients_at(Operation operation, std::initializer_list<double> point) {
  const Program program = single_operation(operation);
  Runner<double> runner(program, 1);
  for (std::size_t i = 0; i < point.size(); ++i) runner.input(i)[0] = point.begin()[i];
  runner.forward();
  const double one = 1;
  runner.reverse(std::span(&one, 1));
  std::vector<double> gradients;
  for (std::size_t i = 0; i < point.size(); ++i) gradients.push_back(runner.input_gradient(i)[0]);
  return gradients;
}

using Gradients = std::vector<double>;

TEST_P(OperationMath, DerivativesAtKinksFollowConventions) {
  EXPECT_EQ(gradients_at(abs, {0}), Gradients({0}));
  EXPECT_EQ(gradients_at(abs, {-2}), Gradients({-1}));
  EXPECT_EQ(gradients_at(min, {1, 1}), Gradients({0.5, 0.5}));
  EXPECT_EQ(gradients_at(max, {1, 1}), Gradients({0.5, 0.5}));
  EXPECT_EQ(gradients_at(min, {1, 2}), Gradients({1, 0}));
  EXPECT_EQ(gradients_at(max, {1, 2}), Gradients({0, 1}));
  EXPECT_EQ(gradients_at(clamp, {-1, -1, 1}), Gradients({1, 0, 0}));
  EXPECT_EQ(gradients_at(clamp, {1, -1, 1}), Gradients({1, 0, 0}));
  EXPECT_EQ(gradients_at(clamp, {-2, -1, 1}), Gradients({0, 1, 0}));
  EXPECT_EQ(gradients_at(clamp, {2, -1, 1}), Gradients({0, 0, 1}));
  EXPECT_EQ(gradients_at(clamp, {0, 2, 1}), Gradients({0, 0, 1}));
  EXPECT_EQ(gradients_at(where, {0, 3, 4}), Gradients({0, 0, 1}));
  EXPECT_EQ(gradients_at(sqrt, {0}), Gradients({kInfinity}));
  EXPECT_EQ(gradients_at(stop, {3}), Gradients({0}));
}

TEST_P(OperationMath, PowerHasDerivativesWhereItsBaseOrExponentIsZero) {
  EXPECT_EQ(gradients_at(power, {0, 0}), Gradients({0, 0}));
  EXPECT_EQ(gradients_at(power, {0, 2}), Gradients({0, 0}));
  EXPECT_EQ(gradients_at(power, {0, 1}), Gradients({1, 0}));
  EXPECT_EQ(gradients_at(power, {3, 0})[0], 0);
  EXPECT_TRUE(std::isnan(gradients_at(power, {-2, 3})[1]));
}

TEST_P(OperationMath, DerivativesOfAtan2NeitherOverflowNorVanish) {
  for (double scale : {1e-200, 1.0, 1e200}) {
    const Gradients gradients = gradients_at(atan2, {3 * scale, 4 * scale});
    EXPECT_DOUBLE_EQ(gradients[0] * scale, 4.0 / 25);
    EXPECT_DOUBLE_EQ(gradients[1] * scale, -3.0 / 25);
  }
}

}  // namespace
}  // namespace greybox::test
