// Expressions → graph nodes: operators, functions and the vectors they may act on.
#include "model/expression_binder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/nearest_name.hpp"

namespace greybox {
namespace {

// How functions of other languages are written in this one; empty for others.
std::string_view called_here(std::string_view function) {
  struct Foreign {
    std::string_view name, here;
  };
  constexpr Foreign known[] = {{"ln", "log(x)"},
                               {"log10", "log(x) / log(10)"},
                               {"log2", "log(x) / log(2)"},
                               {"lg", "log(x) / log(10)"},
                               {"sgn", "sign(x)"},
                               {"signum", "sign(x)"},
                               {"fabs", "abs(x)"},
                               {"arcsin", "asin(x)"},
                               {"arccos", "acos(x)"},
                               {"arctan", "atan(x)"},
                               {"relu", "max(x, 0)"},
                               {"heaviside", "where(x > 0, 1, 0)"},
                               {"step", "where(x > 0, 1, 0)"},
                               {"if", "where(condition, x, y)"},
                               {"cbrt", "sign(x) * abs(x)^(1/3)"},
                               {"power", "x^y"},
                               {"square", "x^2"},
                               {"tg", "tan(x)"},
                               {"clip", "max(low, min(x, high))"},
                               {"clamp", "max(low, min(x, high))"},
                               {"asinh", "log(x + sqrt(x^2 + 1))"},
                               {"arcsinh", "log(x + sqrt(x^2 + 1))"},
                               {"acosh", "log(x + sqrt(x^2 - 1))"},
                               {"atanh", "0.5 * log((1 + x) / (1 - x))"}};
  // As in numpy: np.exp(x).
  if (const std::size_t dot = function.rfind('.'); dot != std::string_view::npos)
    function.remove_prefix(dot + 1);
  for (const Foreign& foreign : known)
    if (foreign.name == function) return foreign.here;
  return {};
}

// Names of a function's arguments, for messages.
std::string_view argument_names(const std::string& function, std::size_t n) {
  const std::optional<Operation> operation = find_function(function);
  if (operation && !info(*operation).call.arguments.empty()) return info(*operation).call.arguments;
  return n == 1 ? "x" : n == 2 ? "x, y" : "x, y, z";
}

}  // namespace

Value ExpressionBinder::expression(const Syntax& syntax, const Equation& equation, Context context) {
  switch (syntax.kind) {
    case SyntaxKind::number:
      return {{graph().constant(syntax.number)}};
    case SyntaxKind::name:
      return name(syntax, equation, context);
    case SyntaxKind::index: {
      const Value vector = name(syntax, equation, context);
      if (!vector.is_vector)
        fail(equation, syntax.range, "only vectors have components in brackets", "remove the brackets");
      if (syntax.index >= vector.parts.size())
        fail(equation, syntax.range,
             fmt::format("component {} of a vector of {}", syntax.index, vector.parts.size()),
             fmt::format("components count from 0 to {}", vector.parts.size() - 1));
      return {{vector.parts[syntax.index]}};
    }
    case SyntaxKind::unary: {
      const Value operand = expression(*syntax.children[0], equation, context);
      return syntax.text == "-" ? elementwise(Operation::negate, {operand}, syntax, equation) : operand;
    }
    case SyntaxKind::binary: {
      const Value left = expression(*syntax.children[0], equation, context);
      const Value right = expression(*syntax.children[1], equation, context);
      return elementwise(find_operator(syntax.text, 2).value(), {left, right}, syntax, equation);
    }
    case SyntaxKind::call:
      return call(syntax, equation, context);
  }
  throw std::logic_error("a kind of syntax that the binder does not know");
}

NodeId ExpressionBinder::scalar_or_field(const Syntax& syntax, const Equation& equation, Context context) {
  const Value value = expression(syntax, equation, context);
  if (value.is_vector)
    fail(equation, syntax.range,
         fmt::format("a vector of {} stands where one value is needed", value.parts.size()),
         "name a component (`theory.x`, `enc.z[0]`) or reduce it with norm2(…) or dot(…, …)");
  return value.parts[0];
}

Value ExpressionBinder::elementwise(Operation operation, const std::vector<Value>& arguments,
                                    const Syntax& syntax, const Equation& equation) {
  std::size_t length = 1;
  bool is_vector = false;
  for (const Value& argument : arguments) {
    if (!argument.is_vector) continue;
    if (is_vector && argument.parts.size() != length)
      fail(equation, syntax.range,
           fmt::format("vectors of {} and {} components do not fit together", length, argument.parts.size()),
           "use vectors of the same length, or components");
    is_vector = true;
    length = argument.parts.size();
  }
  Value result{{}, is_vector};
  for (const Value& argument : arguments)
    if (result.weights.empty()) result.weights = argument.weights;
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<NodeId> parts;
    for (const Value& argument : arguments) parts.push_back(argument.parts[argument.is_vector ? i : 0]);
    result.parts.push_back(graph().apply(operation, parts));
  }
  return result;
}

NodeId ExpressionBinder::sum_of_products(const Value& a, const Value& b, const Syntax& syntax,
                                         const Equation& equation) {
  if (a.parts.size() != b.parts.size())
    fail(equation, syntax.range,
         fmt::format("dot of vectors with {} and {} components", a.parts.size(), b.parts.size()),
         "both need the same number of components");
  const std::vector<double>& weights = a.weights.empty() ? b.weights : a.weights;
  NodeId sum = graph().constant(0);
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    NodeId product = graph().apply(Operation::multiply, {a.parts[i], b.parts[i]});
    if (graph()[product].shape == Shape::field) product = graph().apply(Operation::grid_sum, {product});
    if (!weights.empty())
      product = graph().apply(Operation::multiply, {graph().constant(weights[i]), product});
    sum = graph().apply(Operation::add, {sum, product});
  }
  return sum;
}

void ExpressionBinder::need_arguments(const Syntax& syntax, const Equation& equation, std::size_t n) const {
  const std::size_t given = syntax.children.size();
  if (given == n) return;
  fail(equation, syntax.range,
       fmt::format("`{}` takes {} argument{}, and {} {} given", syntax.text, n, n == 1 ? "" : "s", given,
                   given == 1 ? "is" : "are"),
       fmt::format("write {}({})", syntax.text, argument_names(syntax.text, n)));
}

Operation ExpressionBinder::operation_of(const Syntax& syntax, const Equation& equation) const {
  if (syntax.kind == SyntaxKind::binary) return find_operator(syntax.text, 2).value();
  const std::optional<Operation> operation = find_function(syntax.text);
  if (!operation) {
    std::vector<std::string> known = {"mean", "at_data", "norm2", "dot", "kl", "solution", "at_snapshot"};
    for (const OperationInfo& row : operations())
      if (find_function(row.name)) known.emplace_back(row.name);
    const std::string_view last = std::string_view(syntax.text).substr(syntax.text.rfind('.') + 1);
    const auto near = nearest_name(std::string(last), known);
    const std::string_view elsewhere = called_here(syntax.text);
    for (const auto* named : {&spec_->state, &spec_->inputs})
      if (std::ranges::find(*named, syntax.text, &Equation::name) != named->end())
        fail(equation, syntax.text_range, fmt::format("`{}` is no function", syntax.text),
             fmt::format("write `{}` for its value at present, or `*` to multiply", syntax.text));
    fail(equation, syntax.text_range, fmt::format("unknown function `{}`", syntax.text),
         !elsewhere.empty() ? fmt::format("write {}", elsewhere)
         : near             ? fmt::format("did you mean `{}`?", *near)
                            : "the functions of the language are listed in docs/model-file.md");
  }
  need_arguments(syntax, equation, static_cast<std::size_t>(info(*operation).arity));
  return *operation;
}

void ExpressionBinder::need_fields(Operation operation, const Value& value, const Syntax& call,
                                   const Equation& equation) const {
  if (is_along_y(operation) && spec_->grid.is_line())
    fail(equation, call.text_range,
         fmt::format("`{}` is a derivative along y, and the [grid] has one row", call.text),
         fmt::format("write {}, or give [grid] a height", operation == Operation::dy ? "dx" : "upwind_x"));
  for (NodeId part : value.parts)
    if ((*graph_)[part].shape != Shape::field)
      fail(equation, call.children[0]->range,
           fmt::format("`{}` needs a field, and this is a scalar", call.text),
           spec_->grid.is_given
               ? "fields are the data variables listed in [grid], and what is computed from them"
               : "add a [grid] table with height, width and spacing to make fields of the data");
}

Value ExpressionBinder::call(const Syntax& syntax, const Equation& equation, Context context) {
  if (syntax.text == "mean")
    fail(equation, syntax.text_range, "`mean` averages over samples, which only a regularizer can do",
         "use it in [regularizers]; for a sum over components or grid points there are norm2(…) and dot(…, "
         "…)");
  if (syntax.text == "at_data")
    fail(equation, syntax.text_range, "`at_data` says what a mean runs over, and stands directly inside it",
         "write mean(at_data(…)) in [regularizers]");
  if (std::optional<Value> value = call_of_model(syntax, equation, context)) return *value;
  const bool is_norm = syntax.text == "norm2", is_dot = syntax.text == "dot";
  if (is_norm || is_dot) need_arguments(syntax, equation, is_norm ? 1 : 2);
  const Operation operation = is_norm || is_dot ? Operation::multiply : operation_of(syntax, equation);

  std::vector<Value> arguments;
  for (const SyntaxPtr& child : syntax.children) arguments.push_back(expression(*child, equation, context));
  if (is_norm || is_dot) return {{sum_of_products(arguments.front(), arguments.back(), syntax, equation)}};
  if (is_stencil(operation)) need_fields(operation, arguments[0], syntax, equation);
  return elementwise(operation, arguments, syntax, equation);
}

NodeId ExpressionBinder::coordinate(Operation operation) {
  const double first = operation == Operation::grid_x ? spec_->grid.x0 : spec_->grid.y0;
  return graph().apply(operation, {graph().constant(first)});
}

void ExpressionBinder::fail(const Equation& equation, TextRange range, std::string message,
                            std::string help) const {
  throw InputError(at(*spec_->source, equation, range, std::move(message), std::move(help)));
}

}  // namespace greybox
