#include "analysis/structure/point_values.hpp"

#include <algorithm>
#include <array>

#include "core/limits.hpp"
#include "model/reachable.hpp"

namespace greybox {
namespace {

// The values of all nodes that `nodes` depend on, at one point.
class PointValues {
 public:
  PointValues(const LoadedModel& loaded, const std::vector<NodeId>& nodes) : loaded_(&loaded) {
    const BoundModel& model = *loaded.model;
    add(nodes);
    // Values of states come first: other equations read them.
    std::vector<NodeId> initial;
    if (!model.is_algebraic())
      for (const BoundState& state : model.states) initial.push_back(state.initial);
    std::swap(order_, later_);
    add(initial);
    values_.resize(model.graph.size(), kNaN);
  }

  void evaluate(const DataPoint& point, const std::vector<double>& theta) {
    for (const NodeId id : order_) values_[id] = value_of(id, point, theta);
    for (const NodeId id : later_) values_[id] = value_of(id, point, theta);
  }
  double operator[](NodeId id) const { return values_[id]; }

 private:
  void add(const std::vector<NodeId>& nodes) {
    visit_dependencies(
        loaded_->model->graph, nodes, [](NodeId) { return false; }, [&](NodeId id) { order_.push_back(id); });
  }

  double value_of(NodeId id, const DataPoint& point, const std::vector<double>& theta) const {
    const Node& node = loaded_->model->graph[id];
    if (node.operation == Operation::constant) return node.value;
    if (node.operation == Operation::leaf)
      return leaf_value(loaded_->model->leaves[node.leaf_id], point, theta);
    std::array<double, 3> arguments{};
    for (std::size_t i = 0; i < node.n_arguments; ++i) arguments[i] = values_[node.arguments[i]];
    return ::greybox::evaluate(node.operation, std::span(arguments.data(), node.n_arguments));
  }

  double leaf_value(const LeafRef& leaf, const DataPoint& point, const std::vector<double>& theta) const {
    const WindowData& data = loaded_->data->windows();
    const Window& window = data.windows[point.window];
    const std::size_t row = window.first_row + point.snapshot;
    switch (leaf.kind) {
      case LeafKind::parameter:
        return theta[leaf.index];
      case LeafKind::snapshot:
        return data.columns[leaf.index]->at(
            std::min(row + leaf.position, window.first_row + window.n_rows - 1));
      case LeafKind::row:
        return data.columns[leaf.index]->at(row);
      case LeafKind::state:
        return values_[loaded_->model->states[leaf.index].initial];
      case LeafKind::input:
        return data.columns[loaded_->model->input_columns[leaf.index]]->at(row);
      case LeafKind::time:
        return data.table->time[row] - data.table->time[window.first_row];
      case LeafKind::start_time:
        return data.table->time[window.first_row];
      case LeafKind::draw:
        return centre_of(loaded_->model->draws[leaf.index]);
      case LeafKind::solved_state:
      case LeafKind::at_snapshot:
        return kNaN;
      case LeafKind::generated:
      case LeafKind::network_output:
      case LeafKind::learned_start:
        return 0;
    }
    return kNaN;
  }

  const LoadedModel* loaded_;
  std::vector<NodeId> order_, later_;
  std::vector<double> values_;
};

}  // namespace

std::vector<DataPoint> data_points(const LoadedModel& loaded, const std::vector<std::size_t>& windows,
                                   std::size_t n_most) {
  const WindowData& data = loaded.data->windows();
  std::vector<DataPoint> all;
  for (const std::size_t window : windows) {
    const std::size_t n = loaded.model->is_algebraic() ? 1 : data.windows[window].n_rows;
    for (std::size_t snapshot = 0; snapshot < n; ++snapshot) all.push_back({window, snapshot});
  }
  if (all.size() <= n_most) return all;
  std::vector<DataPoint> chosen;
  for (std::size_t k = 0; k < n_most; ++k) chosen.push_back(all[k * all.size() / n_most]);
  return chosen;
}

Eigen::MatrixXd values_at(const LoadedModel& loaded, const std::vector<DataPoint>& points,
                          const std::vector<NodeId>& nodes, const std::vector<double>& theta) {
  PointValues values(loaded, nodes);
  Eigen::MatrixXd result(static_cast<Eigen::Index>(points.size()), static_cast<Eigen::Index>(nodes.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    values.evaluate(points[i], theta);
    for (std::size_t k = 0; k < nodes.size(); ++k)
      result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = values[nodes[k]];
  }
  return result;
}

}  // namespace greybox
