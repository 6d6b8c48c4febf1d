#include "analysis/explain/term_library.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/refuse.hpp"
#include "model/row_expression.hpp"

namespace greybox {
namespace {

// Terms this much alike in direction are one.
constexpr double kSameTerm = 1 - 1e-9;

// Whether some equation takes the sine or cosine of the name.
bool has_angle(const Syntax& syntax, const std::string& name) {
  const bool is_wave = syntax.kind == SyntaxKind::call && (syntax.text == "sin" || syntax.text == "cos");
  if (is_wave && syntax.children.front()->kind == SyntaxKind::name && syntax.children.front()->text == name)
    return true;
  return std::ranges::any_of(syntax.children,
                             [&](const SyntaxPtr& child) { return has_angle(*child, name); });
}

bool is_angle(const ModelSpec& spec, const std::string& name) {
  const auto in = [&](const std::vector<Equation>& equations) {
    return std::ranges::any_of(equations, [&](const Equation& one) { return has_angle(*one.syntax, name); });
  };
  return in(spec.theory) || in(spec.observe) || in(spec.definitions) ||
         std::ranges::any_of(spec.networks, [&](const NetworkSpec& network) { return in(network.inputs); });
}

std::vector<std::string> usual_terms(const ModelSpec& spec, const ExplainedPoints& points) {
  std::vector<std::string> terms = {"1"};
  std::vector<std::string> names = points.variables;
  for (std::size_t v = 0; v < names.size(); ++v) {
    const std::string& x = names[v];
    const bool is_positive =
        std::ranges::all_of(points.values, [&](const auto& point) { return point[v] > 0; });
    for (const char* form : {"{0}", "{0}^2", "{0}^3", "{0}*abs({0})"})
      terms.push_back(fmt::format(fmt::runtime(form), x));
    if (is_positive)
      for (const char* form : {"{0}/(1 + {0})", "1/(1 + {0})", "sqrt({0})", "log({0})"})
        terms.push_back(fmt::format(fmt::runtime(form), x));
    if (is_angle(spec, x))
      for (const char* form : {"sin({0})", "cos({0})", "sin(2*{0})"})
        terms.push_back(fmt::format(fmt::runtime(form), x));
  }
  for (std::size_t v = 0; v < names.size(); ++v)
    for (std::size_t w = v + 1; w < names.size(); ++w) terms.push_back(names[v] + "*" + names[w]);
  return terms;
}

// The points as rows, so that the terms are computed as any equation over rows is.
DataTable table_of(const ExplainedPoints& points) {
  DataTable table;
  table.file = "the points";
  for (std::size_t v = 0; v < points.variables.size(); ++v) {
    std::vector<double> values;
    for (const std::vector<double>& point : points.values) values.push_back(point[v]);
    // Rows have a time of their own, which `t` stands for there.
    if (points.variables[v] == "t")
      table.time = std::move(values);
    else
      table.columns.push_back({points.variables[v], 1, 1, std::move(values)});
  }
  table.time.resize(points.size());
  table.lines.resize(points.size());
  table.series = {{std::string(kWholeFile), 0, points.size()}};
  return table;
}

// None unless it is finite at every point.
std::optional<Eigen::VectorXd> values_of(const OpenedRun& run, const std::string& text,
                                         const DataTable& table) {
  Equation equation;
  equation.name = "term";
  equation.text = text;
  equation.is_literal = false;
  equation.where = fmt::format("the term `{}`", text);
  equation.syntax = parse_equation(text);
  const Column column = evaluate_rows(run.loaded.spec, equation, table);
  Eigen::VectorXd values(static_cast<Eigen::Index>(table.n_rows()));
  for (Eigen::Index i = 0; i < values.size(); ++i) values[i] = column.at(static_cast<std::size_t>(i));
  return values.allFinite() ? std::optional(std::move(values)) : std::nullopt;
}

bool repeats(const Eigen::VectorXd& values, const std::vector<Eigen::VectorXd>& known) {
  return std::ranges::any_of(known, [&](const Eigen::VectorXd& other) {
    return std::abs(values.dot(other)) >= kSameTerm * values.norm() * other.norm();
  });
}

}  // namespace

TermLibrary term_library(const OpenedRun& run, const ExplainedPoints& points,
                         const std::vector<std::string>& given) {
  TermLibrary library;
  const DataTable table = table_of(points);
  std::vector<Eigen::VectorXd> columns;
  const auto add = [&](const std::string& text) {
    const std::optional<Eigen::VectorXd> values = values_of(run, text, table);
    if (!values || !(values->norm() > 0) || repeats(*values, columns)) return;
    library.texts.push_back(text);
    columns.push_back(*values);
  };
  for (const std::string& text : given) try {
      add(text);
    } catch (const EquationError& error) {
      refuse_option("terms", fmt::format("`{}`: {}", text, error.message), error.help);
    } catch (const InputError& error) {
      refuse_option("terms", fmt::format("`{}`: {}", text, error.diagnostics().front().message),
                    fmt::format("a term may read {}", fmt::join(points.variables, ", ")));
    }
  for (const std::string& text : usual_terms(*run.loaded.spec, points)) add(text);
  library.values.resize(static_cast<Eigen::Index>(points.size()), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    library.values.col(static_cast<Eigen::Index>(k)) = columns[k];
  return library;
}

}  // namespace greybox
