// Walks over the part of a graph that some nodes depend on.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "model/bound_model.hpp"

namespace greybox {

// Visits each node that `roots` depend on, themselves included, arguments first and each once; does not go
// beyond a node for which `is_given` holds (the node itself is visited).
template <class IsGiven, class Visit>
void visit_dependencies(const Graph& graph, const std::vector<NodeId>& roots, IsGiven is_given, Visit visit) {
  std::set<NodeId> seen;
  std::function<void(NodeId)> walk = [&](NodeId id) {
    if (!seen.insert(id).second) return;
    const Node& node = graph[id];
    if (!is_given(id))
      for (std::size_t i = 0; i < node.n_arguments; ++i) walk(node.arguments[i]);
    visit(id);
  };
  for (NodeId root : roots) walk(root);
}

// Whether `node` depends on a leaf for which `predicate` holds (networks are not entered).
template <class Predicate>
bool reaches_leaf(const BoundModel& model, NodeId node, Predicate predicate) {
  bool found = false;
  visit_dependencies(
      model.graph, {node}, [](NodeId) { return false; },
      [&](NodeId id) {
        const Node& visited = model.graph[id];
        if (visited.operation == Operation::leaf) found = found || predicate(model.leaves[visited.leaf_id]);
      });
  return found;
}

// Networks of a rate that `roots` depend on, directly or through other networks.
std::vector<std::size_t> networks_behind(const BoundModel& model, std::vector<NodeId> roots, Rate rate);

}  // namespace greybox
