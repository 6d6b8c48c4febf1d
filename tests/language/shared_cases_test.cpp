// The cases on which this language and that of the report page (web/src/language) must agree.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "language/operation.hpp"
#include "language/syntax.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

nlohmann::json shared_cases() {
  return nlohmann::json::parse(
      std::ifstream(std::string(kSourceFolder) + "/tests/cases/values/expressions.json"));
}

double value_of(const Syntax& syntax, const std::map<std::string, double>& names) {
  if (syntax.kind == SyntaxKind::number) return syntax.number;
  if (syntax.kind == SyntaxKind::name) return names.at(syntax.text);
  std::vector<double> arguments;
  for (const SyntaxPtr& child : syntax.children) arguments.push_back(value_of(*child, names));
  const auto operation = syntax.kind == SyntaxKind::call
                             ? find_function(syntax.text)
                             : find_operator(syntax.text, static_cast<int>(arguments.size()));
  return evaluate(operation.value(), arguments);
}

double expected_value(const nlohmann::json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

TEST(SharedCases, HaveTheSameValues) {
  const nlohmann::json cases = shared_cases();
  std::map<std::string, double> names = cases["names"];
  names["pi"] = std::numbers::pi;
  for (const nlohmann::json& item : cases["values"]) {
    const std::string expression = item["expression"];
    const double expected = expected_value(item["value"]),
                 value = value_of(*parse_equation(expression), names);
    if (std::isfinite(expected))
      EXPECT_NEAR(value, expected, 1e-12 * std::max(1.0, std::abs(expected))) << expression;
    else
      EXPECT_TRUE(value == expected || (std::isnan(value) && std::isnan(expected))) << expression << value;
  }
}

TEST(SharedCases, HaveTheSameMistakes) {
  const nlohmann::json cases = shared_cases();
  for (const nlohmann::json& item : cases["mistakes"]) {
    const std::string expression = item["expression"];
    try {
      parse_equation(expression);
      ADD_FAILURE() << expression << " is accepted";
    } catch (const EquationError& error) {
      EXPECT_EQ(error.message, item["message"].get<std::string>()) << expression;
      EXPECT_EQ(error.range.begin, item["begin"].get<std::size_t>()) << expression;
      EXPECT_EQ(error.range.end, item["end"].get<std::size_t>()) << expression;
    }
  }
}

}  // namespace
}  // namespace greybox::test
