#include "train/graph_fault.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "language/operation.hpp"

namespace greybox {
namespace {

GraphFault describe(Operation operation, const std::vector<double>& x) {
  switch (operation) {
    case Operation::sqrt:
      return {fmt::format("sqrt of a negative number ({:.4g})", x[0]),
              "keep what stands in it from going below 0, as in sqrt(max(x, 0))"};
    case Operation::log:
      return {fmt::format("log of {:.4g}", x[0]), "keep what stands in it above 0, as in log(max(x, 1e-6))"};
    case Operation::power:
      return {fmt::format("{:.4g} to the power {:.4g}", x[0], x[1]),
              x[0] < 0 ? "keep the base from going below 0, as in max(x, 0)^p"
                       : "keep the base away from 0, as in max(x, 1e-6)^p, or bound it"};
    case Operation::divide:
      return {fmt::format("{:.4g} / {:.4g}", x[0], x[1]),
              "keep the divisor away from 0, as in x / max(y, 1e-6)"};
    case Operation::exp:
    case Operation::sinh:
    case Operation::cosh:
      return {fmt::format("{} of {:.4g}", info(operation).name, x[0]),
              fmt::format("bound what stands in it, as in {}(min(x, 50))", info(operation).name)};
    default:
      return {fmt::format("{}({:.4g})", info(operation).name, fmt::join(x, ", ")),
              "bound what stands in it with min(…), max(…) or clamp(…)"};
  }
}

// Products and sums of finite numbers overflow only where something ran away before.
bool has_domain(Operation operation) {
  switch (operation) {
    case Operation::negate:
    case Operation::square:
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
      return false;
    default:
      return !info(operation).name.empty() || operation == Operation::divide || operation == Operation::power;
  }
}

class Search {
 public:
  Search(const BoundModel& model, const PointLeaves& leaves) : model_(model), leaves_(leaves) {}

  // None: not known.
  std::optional<double> value(NodeId node) {
    if (const auto known = values_.find(node); known != values_.end()) return known->second;
    return values_[node] = compute(model_.graph[node]);
  }
  const std::optional<GraphFault>& fault() const { return fault_; }

 private:
  std::optional<double> compute(const Node& node) {
    if (node.shape == Shape::field) return {};
    if (node.operation == Operation::constant) return node.value;
    if (node.operation == Operation::leaf) return leaf(model_.leaves[node.leaf_id]);
    if (!is_elementwise(node.operation)) return {};
    if (node.operation == Operation::where)
      if (const std::optional<double> condition = value(node.arguments[0]))
        return value(node.arguments[*condition != 0 ? 1 : 2]);
    std::vector<double> x;
    for (std::size_t k = 0; k < node.n_arguments; ++k) {
      const std::optional<double> argument = value(node.arguments[k]);
      if (argument) x.push_back(*argument);
    }
    if (x.size() < node.n_arguments) return {};
    const double result = evaluate(node.operation, x);
    const bool has_finite_arguments =
        std::all_of(x.begin(), x.end(), [](double argument) { return std::isfinite(argument); });
    if (!fault_ && has_finite_arguments && !std::isfinite(result) && has_domain(node.operation))
      fault_ = describe(node.operation, x);
    return result;
  }

  std::optional<double> leaf(const LeafRef& leaf) const {
    switch (leaf.kind) {
      case LeafKind::parameter:
        return leaves_.theta[leaf.index];
      case LeafKind::state:
        return state(leaf.index);
      case LeafKind::time:
        return leaves_.time;
      case LeafKind::start_time:
        return leaves_.start_time;
      default:
        return {};
    }
  }

  double state(std::size_t index) const {
    std::size_t at = 0;
    for (std::size_t k = 0; k < index; ++k) at += model_.points(model_.states[k].shape);
    return leaves_.state[at];
  }

  const BoundModel& model_;
  const PointLeaves& leaves_;
  std::unordered_map<NodeId, std::optional<double>> values_;
  std::optional<GraphFault> fault_;
};

}  // namespace

std::optional<GraphFault> find_fault(const BoundModel& model, NodeId root, const PointLeaves& leaves) {
  Search search(model, leaves);
  search.value(root);
  return search.fault();
}

}  // namespace greybox
