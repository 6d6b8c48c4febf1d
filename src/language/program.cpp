// Compiling a graph: which nodes are needed, in which order, and in which registers.
#include "language/program.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <stdexcept>

namespace greybox {
namespace {

// Which nodes the outputs need and nobody supplies. A node's arguments have smaller ids.
std::vector<bool> needed_nodes(const Graph& graph, std::span<const NodeId> inputs,
                               std::span<const NodeId> outputs) {
  std::vector<bool> is_input(graph.size()), is_needed(graph.size());
  for (NodeId id : inputs) is_input[id] = true;
  for (NodeId id : outputs) is_needed[id] = true;
  for (NodeId id = static_cast<NodeId>(graph.size()); id-- > 0;) {
    if (is_input[id]) is_needed[id] = false;
    if (!is_needed[id]) continue;
    const Node& node = graph[id];
    assert(node.operation != Operation::leaf && "every leaf that the outputs need must be an input");
    for (std::size_t a = 0; a < node.n_arguments; ++a) is_needed[node.arguments[a]] = true;
  }
  return is_needed;
}

struct Order {
  std::vector<NodeId> constants;
  std::vector<NodeId> results;  // by section, arguments before what uses them
};

// The last section in which each node can still be computed.
std::vector<std::uint8_t> latest_sections(const Graph& graph, const std::vector<bool>& is_needed,
                                          std::uint8_t last, std::span<const Deadline> deadlines) {
  std::vector<std::uint8_t> latest(graph.size(), last);
  for (const Deadline& item : deadlines) latest[item.node] = std::min(latest[item.node], item.section);
  for (NodeId id = static_cast<NodeId>(graph.size()); id-- > 0;) {
    if (!is_needed[id]) continue;
    for (std::size_t a = 0; a < graph[id].n_arguments; ++a) {
      std::uint8_t& argument = latest[graph[id].arguments[a]];
      argument = std::min(argument, latest[id]);
    }
  }
  return latest;
}

Order order_nodes(const Graph& graph, const std::vector<bool>& is_needed,
                  const std::vector<std::uint8_t>& sections) {
  Order order;
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (is_needed[id]) {
      (graph[id].operation == Operation::constant ? order.constants : order.results).push_back(id);
    }
  }
  std::ranges::stable_sort(order.results, {}, [&](NodeId id) { return sections[id]; });
  return order;
}

}  // namespace

Program::Program(const Graph& graph, std::span<const NodeId> inputs, std::span<const NodeId> outputs,
                 const Grid& grid, std::span<const Deadline> deadlines)
    : grid_(grid), n_inputs_(inputs.size()) {
  std::uint8_t last = 0;
  for (NodeId id : outputs) last = std::max(last, graph[id].section);
  const std::vector<bool> is_needed = needed_nodes(graph, inputs, outputs);
  const std::vector<std::uint8_t> sections = latest_sections(graph, is_needed, last, deadlines);
  const Order order = order_nodes(graph, is_needed, sections);
  if (inputs.size() + order.constants.size() + order.results.size() >
      std::numeric_limits<RegisterId>::max()) {
    throw std::length_error("the equations need more values than a program has registers");
  }

  std::vector<RegisterId> registers(graph.size());
  const auto assign = [&](NodeId id) {
    registers[id] = static_cast<RegisterId>(shapes_.size());
    shapes_.push_back(graph[id].shape);
    return registers[id];
  };
  for (NodeId id : inputs) assign(id);
  for (NodeId id : order.constants) constants_.push_back({assign(id), graph[id].value});
  for (NodeId id : order.results) {
    const Node& node = graph[id];
    Instruction code{node.operation, node.shape, assign(id), {}};
    for (std::size_t a = 0; a < node.n_arguments; ++a) code.arguments[a] = registers[node.arguments[a]];
    section_ends_.resize(sections[id], instructions_.size());
    instructions_.push_back(code);
  }
  section_ends_.resize(last + 1U, instructions_.size());
  for (NodeId id : outputs) outputs_.push_back(registers[id]);
}

std::span<const Instruction> Program::section(std::size_t s) const {
  assert(s < n_sections());
  const std::size_t begin = s == 0 ? 0 : section_ends_[s - 1];
  return std::span(instructions_).subspan(begin, section_ends_[s] - begin);
}

}  // namespace greybox
