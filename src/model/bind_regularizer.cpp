// Regularizers: scalar arithmetic over means. Every distinct mean becomes one term of the model, computed
// once however many regularizers use it.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/nearest_name.hpp"
#include "model/binder.hpp"
#include "model/observed_range.hpp"
#include "model/reachable.hpp"
#include "model/regularizers.hpp"

namespace greybox {
namespace {

bool is_call(const Syntax& syntax, std::string_view function) {
  return syntax.kind == SyntaxKind::call && syntax.text == function;
}

}  // namespace

void Binder::bind_regularizers(const std::vector<ExtraRegularizer>& extra) {
  for (const Equation& equation : spec_->regularizers) regularizers_[equation.name].equation = &equation;
  for (const ExtraRegularizer& item : extra) {
    Equation equation;
    equation.name = item.name;
    equation.text = item.expression;
    equation.text_span = {1, 1, item.expression.size()};
    try {
      equation.syntax = parse_equation(item.expression);
    } catch (const EquationError& error) {
      diagnostics_.push_back(in_expression(equation, error.range, error.message, error.help));
      return;
    }
    extra_equations_.push_back(std::move(equation));
  }
  for (const Equation& equation : spec_->regularizers)
    guarded([&] { model_->regularizers.push_back({equation.name, regularizer(equation.name)}); });
  may_use_errors_ = true;
  for (const Equation& equation : extra_equations_)
    guarded([&] {
      model_->regularizers.push_back({equation.name, regularizer_expression(*equation.syntax, equation)});
    });
}

// Of parameters alone: a weight that the network could lower would be lowered.
void Binder::bind_loss_weight() {
  if (!spec_->train.loss_weight) return;
  const Equation& equation = *spec_->train.loss_weight;
  guarded([&] {
    const NodeId node = scalar_or_field(*equation.syntax, equation, Context::model);
    const bool is_of_network =
        reaches_leaf(*model_, node, [](const LeafRef& leaf) { return leaf.kind != LeafKind::parameter; });
    if (is_of_network)
      fail(equation, equation.syntax->range, "the weight of the loss may depend on parameters alone",
           "write it in terms of a control, such as 1 - a");
    model_->loss_weight = regularizer_expression(*equation.syntax, equation);
  });
}

NodeId Binder::regularizer(const std::string& name) {
  Pending& pending = regularizers_.at(name);
  const Equation& equation = *pending.equation;
  if (pending.progress == Progress::failed) throw Reported{};
  if (pending.progress == Progress::under_way)
    fail(equation, equation.syntax->range, fmt::format("regularizer `{}` is defined by itself", name),
         "break the circle of definitions");
  if (pending.progress == Progress::not_yet) {
    pending.progress = Progress::under_way;
    try {
      pending.value = {{regularizer_expression(*equation.syntax, equation)}};
    } catch (...) {
      pending.progress = Progress::failed;
      throw;
    }
    pending.progress = Progress::done;
  }
  return pending.value.parts[0];
}

// True when the expression holds something of the whole batch, so that it cannot be computed sample by
// sample.
bool Binder::has_reduction(const Syntax& syntax) const {
  if (is_call(syntax, "mean")) return true;
  if (syntax.kind == SyntaxKind::name && (regularizers_.contains(syntax.text) || is_error_name(syntax.text)))
    return true;
  return std::any_of(syntax.children.begin(), syntax.children.end(),
                     [&](const SyntaxPtr& child) { return has_reduction(*child); });
}

NodeId Binder::regularizer_expression(const Syntax& syntax, const Equation& equation) {
  Graph& outer = model_->regularizer_graph;
  if (!has_reduction(syntax)) {
    // A part without means (`c^2`) is averaged over the samples, which matters only where θ differs between
    // them.
    const NodeId node = scalar_or_field(syntax, equation, Context::model);
    if (model_->graph[node].operation == Operation::constant)
      return outer.constant(model_->graph[node].value);
    if (model_->graph[node].rate == Rate::evaluation)
      fail(equation, syntax.range,
           "this varies from sample to sample and along the trajectory, and a regularizer is one number",
           "put it inside mean(…)");
    return mean_of(node, MeanOver::evaluations, syntax, equation);
  }
  if (syntax.kind == SyntaxKind::name)
    return is_error_name(syntax.text) ? error_value(syntax.text) : regularizer(syntax.text);
  if (is_call(syntax, "mean")) return mean(syntax, equation);
  std::vector<NodeId> arguments;
  for (const SyntaxPtr& child : syntax.children)
    arguments.push_back(regularizer_expression(*child, equation));
  if (syntax.kind == SyntaxKind::unary)
    return syntax.text == "-" ? outer.apply(Operation::negate, arguments) : arguments[0];
  // The same table of operators and functions as in the model's own equations, now over numbers.
  return outer.apply(operation_of(syntax, equation), arguments);
}

// The model's own names go first.
bool Binder::is_error_name(const std::string& name) const {
  if (!may_use_errors_ || std::ranges::find(kErrorNames, name) == kErrorNames.end()) return false;
  const auto has = [&](const auto& named) {
    return std::ranges::any_of(named, [&](const auto& one) { return one.name == name; });
  };
  const bool is_column = spec_->is_algebraic() && data_columns_ != nullptr &&
                         std::ranges::find(*data_columns_, name) != data_columns_->end();
  return !is_column && !has(spec_->parameters) && !has(spec_->definitions) && !has(spec_->state) &&
         !has(spec_->inputs) && !has(spec_->networks) && !has(spec_->theory);
}

// In the units of the data, as in landscapes.
NodeId Binder::error_value(const std::string& name) {
  Graph& outer = model_->regularizer_graph;
  const auto leaf = [&](std::uint32_t id) { return outer.leaf({id, Shape::scalar, Rate::sample, 0}); };
  if (!model_->uses_errors) error_leaves_ = {leaf(kLossLeaf), leaf(kRangeLeaf)};
  model_->uses_errors = true;
  const double unit = error_unit(*spec_);
  const auto [loss, range] = error_leaves_;
  if (name == "L") return outer.apply(Operation::multiply, {outer.constant(unit * unit), loss});
  const NodeId rmse =
      outer.apply(Operation::multiply, {outer.constant(unit), outer.apply(Operation::sqrt, {loss})});
  return name == "rmse" ? rmse : outer.apply(Operation::divide, {rmse, range});
}

NodeId Binder::mean(const Syntax& syntax, const Equation& equation) {
  const auto only_argument = [&](const Syntax& call) -> const Syntax& {
    if (call.children.size() != 1)
      fail(equation, call.range,
           fmt::format("`{}` takes 1 argument, and {} are given", call.text, call.children.size()),
           fmt::format("write {}(x)", call.text));
    if (has_reduction(*call.children[0]))
      fail(equation, call.children[0]->range, "a mean inside a mean",
           "a mean is one number already: use it as it is");
    return *call.children[0];
  };
  const Syntax* inside = &only_argument(syntax);
  const bool is_over_data = is_call(*inside, "at_data");
  if (is_over_data) inside = &only_argument(*inside);
  const NodeId node = scalar_or_field(*inside, equation, Context::model);
  if (!is_over_data || spec_->is_algebraic()) return mean_of(node, MeanOver::evaluations, *inside, equation);
  need_measured_states(node, *inside, equation);
  return mean_of(node, MeanOver::data, *inside, equation);
}

// All that the node depends on, through networks too.
void Binder::need_measured_states(NodeId node, const Syntax& syntax, const Equation& equation) {
  std::vector<NodeId> roots = {node};
  for (std::size_t n : networks_behind(*model_, roots, Rate::evaluation))
    std::ranges::copy(model_->networks[n].inputs, std::back_inserter(roots));
  std::vector<std::size_t> states;
  visit_dependencies(
      model_->graph, roots, [](NodeId) { return false; },
      [&](NodeId id) {
        const Node& visited = model_->graph[id];
        if (visited.operation != Operation::leaf) return;
        const LeafRef& leaf = model_->leaves[visited.leaf_id];
        if (leaf.kind == LeafKind::state) states.push_back(leaf.index);
      });
  for (std::size_t state : states)
    if (!model_->states[state].measured)
      model_->states[state].measured = measured_state(state, syntax, equation);
}

NodeId Binder::measured_state(std::size_t state, const Syntax& syntax, const Equation& equation) {
  const Equation& start = spec_->state[state];
  const StartKind kind = state < spec_->starts.size() ? spec_->starts[state].kind : StartKind::equation;
  // Smoothed starts are made of columns: measured is what is smoothed.
  if (kind == StartKind::smooth) return given_start(state);
  const NodeId node = model_->states[state].initial;
  const bool is_found = reaches_leaf(*model_, node, [](const LeafRef& leaf) {
    return leaf.kind == LeafKind::network_output || leaf.kind == LeafKind::learned_start;
  });
  if (is_found)
    fail(equation, syntax.range,
         fmt::format("this needs `{}`, which is not measured: its start is {}", start.name,
                     kind == StartKind::learned ? "learned" : "what a network makes of the window"),
         fmt::format("leave out at_data(…) to run over predicted states, or give [state] `{}` an equation of "
                     "columns",
                     start.name));
  return node;
}

NodeId Binder::mean_of(NodeId node, MeanOver over, const Syntax& syntax, const Equation& equation) {
  if (model_->graph[node].shape == Shape::field)
    fail(equation, syntax.range, "a field stands where a scalar is needed: what is a field's mean here?",
         "sum over the grid with norm2(…) or dot(…, …) inside the mean");
  const Rate rate = model_->graph[node].rate;
  if (rate == Rate::evaluation || over == MeanOver::data) {
    if (depends_on_solution({node}))
      fail(equation, syntax.range,
           "solution(…) is one vector per window, and this changes along the trajectory",
           "take the mean of the one times the mean of the other, or put all of it into solution(…)");
  } else {
    over = rate == Rate::solution ? MeanOver::solutions : MeanOver::samples;
  }
  const auto [known, is_new] = mean_leaves_.try_emplace({node, over});
  if (!is_new) return known->second;
  const auto term = static_cast<std::uint32_t>(kFirstTermLeaf + model_->terms.size());
  model_->terms.push_back({node, over});
  return known->second = model_->regularizer_graph.leaf({term, Shape::scalar, Rate::sample, 0});
}

}  // namespace greybox
