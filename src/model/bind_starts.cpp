// Initial values: given by equations, learned, or smoothed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/binder.hpp"
#include "model/start_slots.hpp"

namespace greybox {
namespace {

// Calls f with every name in an expression.
template <class F>
void for_names(const Syntax& syntax, F&& f) {
  if (syntax.kind == SyntaxKind::name) f(syntax);
  for (const SyntaxPtr& child : syntax.children) for_names(*child, f);
}

}  // namespace

void Binder::bind_states() {
  for (std::size_t s = 0; s < spec_->state.size(); ++s)
    guarded([&] {
      const StartSpec start = s < spec_->starts.size() ? spec_->starts[s] : StartSpec{};
      const NodeId initial = start.kind == StartKind::smooth    ? smoothed_start(s)
                             : start.kind == StartKind::learned ? learned_start(s, start)
                                                                : given_start(s);
      model_->states[s].initial = initial;
      model_->states[s].shape = model_->graph[initial].shape;
    });
}

NodeId Binder::given_start(std::size_t state) {
  const Equation& equation = spec_->state[state];
  const NodeId initial = scalar_or_field(*equation.syntax, equation, Context::initial);
  if (model_->graph[initial].rate == Rate::evaluation)
    fail(equation, equation.syntax->range, "an initial value cannot depend on states or time",
         "use columns of the data, parameters, or networks that read the window");
  return initial;
}

// How far θ is from the middle of its prior, in units of the prior's width.
NodeId Binder::standard_parameter(std::size_t parameter) {
  const ParameterSpec& spec = spec_->parameters[parameter];
  Graph& graph = model_->graph;
  const StandardParameter standard = standard_of(spec);
  NodeId value = leaf(LeafKind::parameter, parameter, 0, Shape::scalar, Rate::sample);
  if (standard.is_log) value = graph.apply(Operation::log, {value});
  return graph.apply(Operation::multiply,
                     {graph.apply(Operation::subtract, {value, graph.constant(standard.centre)}),
                      graph.constant(1 / standard.width)});
}

// A standard number of its own for each window, series or run, which may depend on θ linearly.
NodeId Binder::standard_start(std::size_t which) {
  Graph& graph = model_->graph;
  NodeId sum = leaf(LeafKind::learned_start, which, 0, Shape::scalar, Rate::sample);
  for (std::size_t p = 0; p < spec_->parameters.size(); ++p) {
    const NodeId slope = leaf(LeafKind::learned_start, which, p + 1, Shape::scalar, Rate::sample);
    sum =
        graph.apply(Operation::add, {sum, graph.apply(Operation::multiply, {slope, standard_parameter(p)})});
  }
  return graph.apply(Operation::multiply, {sum, graph.constant(kStartPace)});
}

NodeId Binder::learned_start(std::size_t state, const StartSpec& start) {
  const Equation& equation = spec_->state[state];
  const NodeId centre = given_start(state);
  if (model_->graph[centre].shape == Shape::field)
    fail(equation, equation.syntax->range,
         "a field stands where a scalar is needed: learned starts are numbers",
         "give the field an equation, or learn a state that is a number");
  const StartSlots slots = spec_->scales ? spec_->scales->starts : StartSlots{};
  model_->starts.push_back({state, start.per, start.prior != PriorKind::uniform, n_slots(slots, start.per)});
  const NodeId standard = standard_start(model_->starts.size() - 1);
  Graph& graph = model_->graph;
  if (start.prior == PriorKind::uniform)
    return graph.apply(Operation::add,
                       {graph.constant(start.low),
                        graph.apply(Operation::multiply, {graph.apply(Operation::sigmoid, {standard}),
                                                          graph.constant(start.high - start.low)})});
  const NodeId value = graph.apply(
      Operation::add, {centre, graph.apply(Operation::multiply, {standard, graph.constant(start.sd)})});
  return start.prior == PriorKind::lognormal ? graph.apply(Operation::exp, {value}) : value;
}

// The column that `PreparedData` makes.
NodeId Binder::smoothed_start(std::size_t state) {
  const Equation& equation = spec_->state[state];
  Shape shape = Shape::scalar;
  for_names(*equation.syntax, [&](const Syntax& name) {
    if (name.text == "pi" || is_clock(name.text)) return;
    const auto has_name = [&](const auto& item) { return item.name == name.text; };
    if (std::ranges::any_of(spec_->parameters, has_name) || definitions_.contains(name.text))
      fail(equation, name.range,
           fmt::format("`{}` is not a column, and a smoothed start is made of columns alone", name.text),
           "smooth the column, or make a column of the data in [data.columns]");
    if (!is_column(name.text)) unknown_name(name, equation, Context::initial);
    if (column_shape(name.text) == Shape::field) shape = Shape::field;
  });
  model_->columns.push_back({smoothed_column_name(equation.name), shape, true});
  return leaf(LeafKind::snapshot, model_->columns.size() - 1, 0, shape, Rate::sample);
}

}  // namespace greybox
