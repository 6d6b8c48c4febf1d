// Functions that belong to a model as a whole: the solution at the observed snapshots, values given snapshot
// by snapshot, and networks called once more at other inputs.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "model/binder.hpp"
#include "model/reachable.hpp"

namespace greybox {

std::optional<Value> Binder::call_of_model(const Syntax& syntax, const Equation& equation, Context context) {
  if (syntax.text == "kl") return divergence(syntax, equation);
  if (syntax.text == "solution") return solution(syntax, equation, context);
  if (syntax.text == "at_snapshot") return at_snapshot(syntax, equation, context);
  const auto network = std::ranges::find(spec_->networks, syntax.text, &NetworkSpec::name);
  if (network == spec_->networks.end()) return std::nullopt;
  return called_network(static_cast<std::size_t>(network - spec_->networks.begin()), syntax, equation,
                        context);
}

Value Binder::solution(const Syntax& syntax, const Equation& equation, Context context) {
  need_arguments(syntax, equation, 1);
  if (spec_->is_algebraic() || (context != Context::model && context != Context::observe))
    fail(
        equation, syntax.text_range, "there is no solution here that could be read",
        "solution(…) is of models with a [state], in [regularizers], [observe], and networks and definitions "
        "that these use");
  const NodeId node = scalar_or_field(*syntax.children[0], equation, Context::model);
  Value values{{}, true};
  for (std::size_t k = 0; k < spec_->data.window.observed; ++k)
    values.parts.push_back(solved(node, k, syntax, equation));
  return values;
}

NodeId Binder::solved(NodeId id, std::size_t snapshot, const Syntax& syntax, const Equation& equation) {
  const Node node = graph()[id];
  if (node.rate != Rate::evaluation) return id;
  const auto known = solved_.find({id, snapshot});
  if (known != solved_.end()) return known->second;
  NodeId result = id;
  if (node.operation == Operation::leaf) {
    const LeafRef ref = model_->leaves[node.leaf_id];
    if (ref.kind != LeafKind::state)
      fail(equation, syntax.children[0]->range,
           "solution(…) is of states, and this needs time, inputs or a network along the trajectory",
           "write it in terms of states, parameters and latents");
    result = leaf(LeafKind::solved_state, ref.index, snapshot, node.shape, Rate::solution);
  } else {
    std::vector<NodeId> arguments;
    for (std::size_t i = 0; i < node.n_arguments; ++i)
      arguments.push_back(solved(node.arguments[i], snapshot, syntax, equation));
    result = graph().apply(node.operation, arguments);
  }
  solved_[{id, snapshot}] = result;
  return result;
}

Value Binder::at_snapshot(const Syntax& syntax, const Equation& equation, Context context) {
  need_arguments(syntax, equation, 1);
  if (context != Context::observe || spec_->is_algebraic())
    fail(equation, syntax.text_range, "`at_snapshot` says what is observed, snapshot by snapshot",
         "use it in [observe] of a model with a [state]");
  const Value vector = expression(*syntax.children[0], equation, Context::model);
  const std::size_t n = spec_->data.window.observed;
  if (!vector.is_vector || vector.parts.size() != n)
    fail(equation, syntax.children[0]->range,
         fmt::format("at_snapshot(…) needs one value for each of the {} observed snapshots, and this has {}",
                     n, vector.parts.size()),
         fmt::format("use a vector of {}, such as a network's output \"z[{}]\"", n, n));
  for (NodeId part : vector.parts)
    if (graph()[part].rate == Rate::evaluation)
      fail(equation, syntax.children[0]->range, "this changes along the trajectory by itself",
           "leave out at_snapshot(…)");
  auto& vectors = model_->snapshot_vectors;
  auto found = std::ranges::find(vectors, vector.parts);
  if (found == vectors.end()) found = vectors.insert(vectors.end(), vector.parts);
  return {{leaf(LeafKind::at_snapshot, static_cast<std::size_t>(found - vectors.begin()), 0,
                graph()[vector.parts[0]].shape, Rate::evaluation)}};
}

// Its outputs in their order, as a vector.
Value Binder::called_network(std::size_t network, const Syntax& syntax, const Equation& equation,
                             Context context) {
  if (context == Context::estimator)
    fail(equation, syntax.text_range, "networks of [estimator] are not called at other inputs",
         "give it a network of its own");
  bind_network(network, &syntax, &equation, context);
  BoundNetwork call = model_->networks[network];
  const NetworkSpec& spec = *call.spec;
  if (twins_[network])
    fail(equation, syntax.text_range,
         fmt::format("network `{}` is constrained by other calls of itself", spec.name),
         "remove `odd`, `even` and `zero_at_zero`, or do not call it at other inputs");
  const std::size_t n_inputs = call.inputs.size();
  call.twin_of = network;
  call.section = 0;
  call.inputs.clear();
  call.outputs.clear();
  call.constrained.clear();
  for (const SyntaxPtr& child : syntax.children)
    for (NodeId part : expression(*child, equation, context).parts) call.inputs.push_back(part);
  if (call.inputs.size() != n_inputs)
    fail(equation, syntax.range,
         fmt::format("network `{}` reads {} values, and {} are given", spec.name, n_inputs,
                     call.inputs.size()),
         "give a value for each of its inputs, in their order; a vector has several");
  for (NodeId& input : call.inputs) {
    if (graph()[input].shape == Shape::field && !spec.is_on_fields())
      fail(equation, syntax.range,
           fmt::format("a field stands where a scalar is needed: {} reads scalars", spec.kind->noun),
           "reduce it with norm2(…) or dot(…, …)");
    if (graph()[input].shape == Shape::scalar && spec.is_on_fields())
      input = graph().apply(Operation::broadcast, {input});
  }
  const std::size_t which = model_->networks.size();
  model_->networks.push_back(std::move(call));
  twins_.resize(which + 1);
  scale_inputs(which);
  add_output_leaves(which);
  for (const OutputSpec& output : spec.outputs) used_outputs_[network].insert(output.name);
  Value all{{}, true};
  for (std::size_t o = 0; o < model_->networks[which].outputs.size(); ++o)
    all.parts.push_back(constrained_output(which, o));
  return all;
}

bool Binder::depends_on_solution(std::vector<NodeId> nodes) const {
  for (std::size_t n : networks_behind(*model_, nodes, Rate::evaluation))
    std::ranges::copy(model_->networks[n].inputs, std::back_inserter(nodes));
  bool depends = false;
  visit_dependencies(
      model_->graph, nodes, [](NodeId) { return false; },
      [&](NodeId id) { depends = depends || model_->graph[id].rate == Rate::solution; });
  return depends;
}

void Binder::check_solution_unused_by_dynamics() const {
  if (!model_->reads_solution()) return;
  for (std::size_t s = 0; s < model_->states.size(); ++s) {
    const BoundState& state = model_->states[s];
    if (depends_on_solution({state.initial, state.theory, state.network, state.derivative}))
      throw InputError(
          at(*spec_->source, spec_->state[s].name_span,
             fmt::format("the equations of `{}` depend on solution(…), which they lead to", state.name),
             "use states there; solution(…) belongs in [observe] and [regularizers]"));
  }
}

}  // namespace greybox
