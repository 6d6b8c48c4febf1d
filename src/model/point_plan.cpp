#include "model/point_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "model/network_set.hpp"
#include "model/reachable.hpp"

namespace greybox {
namespace {

constexpr std::array kAllQuantities = {Evaluator::Quantity::total, Evaluator::Quantity::theory,
                                       Evaluator::Quantity::network, Evaluator::Quantity::observed};

const LeafRef* leaf_at(const BoundModel& model, NodeId id) {
  const Node& node = model.graph[id];
  return node.operation == Operation::leaf ? &model.leaves[node.leaf_id] : nullptr;
}

// What is observed of an algebraic model reads its outputs; this writes it in terms of the columns.
NodeId with_outputs_inserted(BoundModel& model, NodeId id) {
  const Node node = model.graph[id];  // a copy: the graph grows
  if (const LeafRef* leaf = leaf_at(model, id))
    return leaf->kind == LeafKind::state ? model.states[leaf->index].derivative : id;
  if (node.n_arguments == 0) return id;
  std::array<NodeId, 3> arguments{};
  for (std::size_t i = 0; i < node.n_arguments; ++i)
    arguments[i] = with_outputs_inserted(model, node.arguments[i]);
  if (arguments == node.arguments) return id;
  return model.graph.apply(node.operation, std::span(arguments).first(node.n_arguments));
}

void check_window_exists(const std::shared_ptr<const PreparedData>& data, std::size_t window) {
  if (!data)
    throw InputError(
        Diagnostic{.option = "window",
                   .message = fmt::format("there is no window {}: the model has no data", window),
                   .help = "open the model with its data, or give no window"});
  const std::size_t n = data->windows().windows.size();
  if (window >= n)
    throw InputError(Diagnostic{.option = "window",
                                .message = fmt::format("there is no window {}", window),
                                .help = fmt::format("the data have {} windows, from 0 to {}", n, n - 1)});
}

std::size_t total_points(const std::vector<Evaluator::Variable>& variables) {
  std::size_t n = 0;
  for (const Evaluator::Variable& variable : variables) n += variable.points();
  return n;
}

}  // namespace

PointPlan::PointPlan(const LoadedModel& loaded, std::span<const double> weights,
                     std::optional<std::size_t> window)
    : model_(*loaded.model), weights_(weights.begin(), weights.end()), data_(loaded.data), window_(window) {
  const std::size_t n_weights = NetworkSet<double>(model_).n_weights();
  if (weights.size() != n_weights)
    throw std::invalid_argument(fmt::format("{} weights are given, and the networks of the model have {}",
                                            weights.size(), n_weights));
  if (window) check_window_exists(data_, *window);
  std::array<std::vector<NodeId>, kQuantities> roots;
  for (const BoundState& state : model_.states) {
    roots[index(Quantity::total)].push_back(state.derivative);
    roots[index(Quantity::theory)].push_back(state.theory);
    roots[index(Quantity::network)].push_back(state.network);
  }
  for (const Observed& item : model_.observed)
    roots[index(Quantity::observed)].push_back(
        model_.is_algebraic() ? with_outputs_inserted(model_, item.value) : item.value);
  for (Quantity of : kAllQuantities) add_quantity(of, roots[index(of)]);
  add_sample();
  check_window();
  add_states();
  for (const ParameterSpec& parameter : model_.spec->parameters) parameters_.push_back(parameter.name);
  for (const Equation& input : model_.spec->inputs) inputs_.push_back(input.name);
}

std::size_t PointPlan::n_inputs() const {
  std::size_t n = 0;
  for (std::size_t j = 0; j < inputs_.size(); ++j) n += input_points(j);
  return n;
}

void PointPlan::add_quantity(Quantity of, const std::vector<NodeId>& roots) {
  Stage& stage = quantities_[index(of)].emplace(model_, Rate::evaluation, roots,
                                                networks_behind(model_, roots, Rate::evaluation));
  for (NodeId input : stage.inputs()) {
    const LeafRef* leaf = leaf_at(model_, input);
    if (leaf != nullptr && leaf->kind == LeafKind::input) reads_inputs_[index(of)] = true;
  }
  name_components(of, roots);
}

// Shapes are those of the roots: the parts of an algebraic model need not have the shape of its output.
void PointPlan::name_components(Quantity of, const std::vector<NodeId>& roots) {
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const std::string& name = of == Quantity::observed ? model_.observed[i].name : model_.states[i].name;
    components_[index(of)].push_back(variable(name, model_.graph[roots[i]].shape));
  }
  sizes_[index(of)] = total_points(components_[index(of)]);
}

void PointPlan::add_sample() {
  std::vector<NodeId> roots;
  if (window_ && !model_.is_algebraic())
    for (const BoundState& state : model_.states) roots.push_back(state.initial);
  for (const std::optional<Stage>& stage : quantities_)
    for (NodeId input : stage->inputs()) {
      const LeafRef* leaf = leaf_at(model_, input);
      if (model_.graph[input].rate == Rate::solution ||
          (leaf != nullptr && leaf->kind == LeafKind::at_snapshot))
        throw InputError(
            at(*model_.spec->source, model_.spec->observe.front().name_span,
               "what is observed depends on the whole solution, so that it has no values at a point",
               "ask for predictions of windows instead"));
      const bool is_computed = leaf == nullptr || leaf->kind == LeafKind::network_output;
      if (model_.graph[input].rate == Rate::sample && is_computed) roots.push_back(input);
    }
  sample_.emplace(model_, Rate::sample, roots, networks_behind(model_, roots, Rate::sample));
}

// Only networks can bring the window into the equations of motion; initial values are left out without one.
void PointPlan::check_window() const {
  if (window_) return;
  std::vector<Diagnostic> readers;
  for (const NetworkCall& call : sample_->calls()) {
    const BoundNetwork& network = model_.networks[call.network];
    const auto reads_window = [&](NodeId input) {
      return reaches_leaf(model_, input, [](const LeafRef& leaf) { return leaf.kind == LeafKind::snapshot; });
    };
    if (std::ranges::any_of(network.inputs, reads_window))
      readers.push_back(at(*model_.spec->source, network.spec->span,
                           fmt::format("network `{}` reads the window, so that the model has no values at a "
                                       "point alone",
                                       network.spec->name),
                           "say which window of the data the evaluator is of"));
  }
  if (!readers.empty()) throw InputError(std::move(readers));
}

void PointPlan::add_states() {
  std::set<std::size_t> read;
  for (const std::optional<Stage>& stage : quantities_)
    for (NodeId input : stage->inputs()) {
      const LeafRef* leaf = leaf_at(model_, input);
      if (leaf != nullptr && leaf->kind == LeafKind::row) read.insert(leaf->index);
    }
  columns_.assign(read.begin(), read.end());
  if (!model_.is_algebraic()) states_ = components(Quantity::total);
  for (std::size_t column : columns_)
    states_.push_back(variable(model_.columns[column].name, model_.columns[column].shape));
  n_states_ = total_points(states_);
}

Evaluator::Variable PointPlan::variable(const std::string& name, Shape shape) const {
  if (shape == Shape::scalar) return {name};
  return {name, model_.grid().height, model_.grid().width};
}

std::optional<std::size_t> PointPlan::state_of(const LeafRef& leaf) const {
  if (leaf.kind == LeafKind::state) return leaf.index;
  if (leaf.kind != LeafKind::row) return std::nullopt;
  return static_cast<std::size_t>(std::ranges::find(columns_, leaf.index) - columns_.begin());
}

bool PointPlan::has_fields() const {
  return model_.spec->grid.is_given;
}

}  // namespace greybox
