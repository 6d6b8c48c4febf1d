#include "model/stage.hpp"

#include <algorithm>

#include "model/reachable.hpp"

namespace greybox {

struct Stage::Parts {
  std::vector<NodeId> inputs, outputs;
  Program program;
};

Stage::Parts Stage::collect(const BoundModel& model, Rate rate, const std::vector<NodeId>& roots,
                            const std::vector<std::size_t>& networks) {
  const Graph& graph = model.graph;
  std::vector<NodeId> outputs = roots, inputs;
  std::vector<Deadline> deadlines;
  for (std::size_t n : networks)
    for (NodeId input : model.networks[n].inputs) {
      outputs.push_back(input);
      deadlines.push_back({input, model.networks[n].section});
    }
  const auto is_given = [&](NodeId id) {
    const Node& node = graph[id];
    return node.operation == Operation::leaf || (node.rate != Rate::constant && node.rate < rate);
  };
  visit_dependencies(graph, outputs, is_given, [&](NodeId id) {
    if (is_given(id)) inputs.push_back(id);
  });
  // Every output of a network needs a place, also one that only a part of the model reads.
  for (std::size_t n : networks)
    for (NodeId output : model.networks[n].outputs)
      if (std::find(inputs.begin(), inputs.end(), output) == inputs.end()) inputs.push_back(output);
  Program program(graph, inputs, outputs, model.grid(), deadlines);
  return {std::move(inputs), std::move(outputs), std::move(program)};
}

Stage::Stage(const BoundModel& model, Rate rate, const std::vector<NodeId>& roots,
             const std::vector<std::size_t>& networks)
    : Stage(collect(model, rate, roots, networks)) {
  add_states(model);
  add_calls(model, networks, roots.size());
  add_actions(model);
}

Stage::Stage(Parts parts)
    : inputs_(std::move(parts.inputs)),
      outputs_(std::move(parts.outputs)),
      program_(std::move(parts.program)) {}

void Stage::add_states(const BoundModel& model) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Node& node = model.graph[inputs_[i]];
    if (node.operation != Operation::leaf) continue;
    const LeafRef& leaf = model.leaves[node.leaf_id];
    if (leaf.kind == LeafKind::state) states_.push_back({static_cast<RegisterId>(i), leaf.index});
  }
}

void Stage::add_calls(const BoundModel& model, const std::vector<std::size_t>& networks,
                      std::size_t first_output) {
  std::size_t next = first_output;
  for (std::size_t n : networks) {
    NetworkCall call{n, {}, {}};
    for (std::size_t i = 0; i < model.networks[n].inputs.size(); ++i)
      call.inputs.push_back(program_.output(next++));
    for (NodeId output : model.networks[n].outputs) call.outputs.push_back(*find(output));
    calls_.push_back(std::move(call));
  }
}

void Stage::add_actions(const BoundModel& model) {
  std::size_t n_sections = program_.n_sections();
  for (const NetworkCall& call : calls_)
    n_sections = std::max<std::size_t>(n_sections, model.networks[call.network].section + 1U);
  for (std::size_t section = 0; section < n_sections; ++section) {
    if (section < program_.n_sections() && !program_.section(section).empty())
      actions_.push_back({Action::Kind::section, section, 0, false});
    for (std::size_t c = 0; c < calls_.size(); ++c) {
      const BoundNetwork& network = model.networks[calls_[c].network];
      if (network.section != section) continue;
      const std::size_t phases = network.spec->kind->n_phases(network.spec->settings);
      for (std::size_t phase = 0; phase < phases; ++phase)
        actions_.push_back({Action::Kind::network, c, phase, phase + 1 < phases});
    }
  }
}

bool Stage::forgets_at_joins() const {
  const auto is_section = [](const Action& action) { return action.kind == Action::Kind::section; };
  const auto joins = [](const Action& action) { return action.joins; };
  return std::none_of(std::find_if(actions_.begin(), actions_.end(), is_section), actions_.end(), joins);
}

std::optional<RegisterId> Stage::find(NodeId node) const {
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (inputs_[i] == node) return static_cast<RegisterId>(i);
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    if (outputs_[i] == node) return program_.output(i);
  return std::nullopt;
}

}  // namespace greybox
