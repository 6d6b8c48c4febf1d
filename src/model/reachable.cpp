#include "model/reachable.hpp"

namespace greybox {

std::vector<std::size_t> networks_behind(const BoundModel& model, std::vector<NodeId> roots, Rate rate) {
  std::set<std::size_t> found;
  while (!roots.empty()) {
    std::vector<NodeId> next;
    visit_dependencies(
        model.graph, roots, [](NodeId) { return false; },
        [&](NodeId id) {
          const Node& node = model.graph[id];
          if (node.operation != Operation::leaf) return;
          const LeafRef& leaf = model.leaves[node.leaf_id];
          if (leaf.kind != LeafKind::network_output || !found.insert(leaf.index).second) return;
          const std::vector<NodeId>& inputs = model.networks[leaf.index].inputs;
          next.insert(next.end(), inputs.begin(), inputs.end());
        });
    roots = std::move(next);
  }
  std::erase_if(found, [&](std::size_t n) { return model.networks[n].rate != rate; });
  return {found.begin(), found.end()};
}

}  // namespace greybox
