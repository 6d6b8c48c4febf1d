#include "analysis/matching/matching_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "language/program.hpp"
#include "model/reachable.hpp"

namespace greybox {
namespace {

std::vector<NodeId> leaves_behind(const BoundModel& model, const std::vector<NodeId>& roots) {
  std::vector<NodeId> leaves;
  visit_dependencies(
      model.graph, roots, [](NodeId) { return false; },
      [&](NodeId id) {
        if (model.graph[id].operation == Operation::leaf) leaves.push_back(id);
      });
  return leaves;
}

// Whether every leaf is a column of the window's first snapshot, and there is one.
bool follows_from_snapshot(const BoundModel& model, const std::vector<NodeId>& leaves) {
  for (NodeId id : leaves) {
    const LeafRef& leaf = model.leaves[model.graph[id].leaf_id];
    if (leaf.kind != LeafKind::snapshot || leaf.position != 0) return false;
  }
  return !leaves.empty();
}

std::vector<double> column_at(const LoadedModel& loaded, std::size_t column,
                              const std::vector<std::size_t>& rows) {
  std::vector<double> values;
  for (std::size_t row : rows) values.push_back(loaded.data->windows().columns[column]->at(row));
  return values;
}

// The expression with the columns of each point's snapshot in place of the first's.
std::vector<double> evaluate_at(const LoadedModel& loaded, NodeId expression,
                                const std::vector<NodeId>& leaves, const std::vector<std::size_t>& rows) {
  const BoundModel& model = *loaded.model;
  const std::vector<NodeId> roots = {expression};
  const Program program(model.graph, leaves, roots, Grid{});
  Frame<double> frame(program, rows.size());
  std::vector<AlignedBuffer<double>> inputs;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::size_t column = model.leaves[model.graph[leaves[i]].leaf_id].index;
    const std::vector<double> values = column_at(loaded, column, rows);
    inputs.emplace_back(rows.size());
    std::copy(values.begin(), values.end(), inputs.back().data());
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) frame.bind(i, inputs[i].data());
  for (std::size_t s = 0; s < program.n_sections(); ++s) frame.forward(s, rows.size());
  const double* values = frame.value(program.output(0));
  return {values, values + rows.size()};
}

MeasuredStates measured_outputs(const LoadedModel& loaded, const MatchingPoints& points) {
  const BoundModel& model = *loaded.model;
  MeasuredStates measured;
  measured.values.resize(model.states.size());
  measured.is_angle.assign(model.states.size(), 0);
  for (const Observed& observed : model.observed) {
    const Node& node = model.graph[observed.value];
    if (node.operation != Operation::leaf) continue;
    const LeafRef& leaf = model.leaves[node.leaf_id];
    if (leaf.kind == LeafKind::state)
      measured.values[leaf.index] = column_at(loaded, observed.column, points.rows);
  }
  for (std::size_t s = 0; s < model.states.size(); ++s)
    if (measured.values[s].empty())
      measured.obstacle = fmt::format("output `{}` is not measured itself", model.states[s].name);
  return measured;
}

}  // namespace

MatchingPoints matching_points(const LoadedModel& loaded, const std::vector<std::size_t>& windows) {
  const WindowData& data = loaded.data->windows();
  MatchingPoints points{windows, {0}, {}, {}, {}};
  for (std::size_t w : windows) {
    const Window& window = data.windows[w];
    const double* time = data.table->time.data() + window.first_row;
    const std::size_t last = window.n_rows - 1;
    for (std::size_t k = 0; k <= last; ++k) {
      points.rows.push_back(window.first_row + k);
      points.times.push_back(time[k] - time[0]);
      const double around = time[std::min(k + 1, last)] - time[k > 0 ? k - 1 : 0];
      points.weights.push_back(last == 0 ? 1
                                         : static_cast<double>(last) * around / 2 / (time[last] - time[0]));
    }
    points.first.push_back(points.rows.size());
  }
  return points;
}

MeasuredStates measure_states(const LoadedModel& loaded, const MatchingPoints& points) {
  const BoundModel& model = *loaded.model;
  if (loaded.spec->grid.is_given) return {.obstacle = "the model has fields"};
  if (model.is_algebraic()) return measured_outputs(loaded, points);
  MeasuredStates measured;
  for (const BoundState& state : model.states) {
    const std::vector<NodeId> leaves = leaves_behind(model, {state.initial});
    if (!follows_from_snapshot(model, leaves)) {
      measured.obstacle = fmt::format("state `{}` is not measured", state.name);
      return measured;
    }
    measured.values.push_back(evaluate_at(loaded, state.initial, leaves, points.rows));
    measured.is_angle.push_back(model.graph[state.initial].operation == Operation::atan2 ? 1 : 0);
  }
  return measured;
}

}  // namespace greybox
