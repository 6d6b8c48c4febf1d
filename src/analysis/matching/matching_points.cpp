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

// Whether a column says at later snapshots too what a state is: one that is compared with something else says
// where the state starts at the most, and so does one that holds first values alone.
bool tells_state(const LoadedModel& loaded, std::size_t column, std::size_t state,
                 const MatchingPoints& points) {
  const auto is_state = [&](const LeafRef& leaf) {
    return leaf.kind == LeafKind::state && leaf.index == state;
  };
  for (const Observed& observed : loaded.model->observed)
    if (observed.column == column) return reaches_leaf(*loaded.model, observed.value, is_state);
  const Column& values = *loaded.data->windows().columns[column];
  for (std::size_t w = 0; w < points.n_windows(); ++w)
    for (std::size_t p = points.first[w]; p < points.first[w + 1]; ++p)
      if (values.at(points.rows[p]) != values.at(points.rows[points.first[w]])) return true;
  return false;
}

// Whether every leaf of a state's initial value is a column of the window's first snapshot, and one of them
// tells the state at later snapshots too.
bool follows_from_snapshot(const LoadedModel& loaded, const std::vector<NodeId>& leaves, std::size_t state,
                           const MatchingPoints& points) {
  bool is_measured = false;
  for (NodeId id : leaves) {
    const LeafRef& leaf = loaded.model->leaves[loaded.model->graph[id].leaf_id];
    if (leaf.kind != LeafKind::snapshot || leaf.position != 0) return false;
    is_measured = is_measured || tells_state(loaded, leaf.index, state, points);
  }
  return is_measured;
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
  for (const NodeId leaf : leaves) {
    const std::size_t column = model.leaves[model.graph[leaf].leaf_id].index;
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

// Columns without which a state is not known at a snapshot.
std::vector<const Column*> columns_behind_states(const LoadedModel& loaded) {
  const WindowData& data = loaded.data->windows();
  std::vector<const Column*> columns;
  for (const LeafRef& leaf : loaded.model->leaves)
    if (leaf.kind == LeafKind::row || (leaf.kind == LeafKind::snapshot && leaf.position == 0))
      columns.push_back(data.columns[leaf.index]);
  if (loaded.model->is_algebraic())
    for (const Observed& observed : loaded.model->observed) columns.push_back(data.columns[observed.column]);
  std::erase_if(columns, [](const Column* column) { return count_missing(*column) == 0; });
  return columns;
}

std::vector<std::size_t> complete_rows(const Window& window, const std::vector<const Column*>& columns) {
  std::vector<std::size_t> rows;
  for (std::size_t row = window.first_row; row < window.first_row + window.n_rows; ++row)
    if (std::ranges::none_of(columns, [&](const Column* column) { return is_missing(*column, row); }))
      rows.push_back(row);
  return rows;
}

}  // namespace

MatchingPoints matching_points(const LoadedModel& loaded, const std::vector<std::size_t>& windows) {
  const WindowData& data = loaded.data->windows();
  const std::vector<double>& time = data.table->time;
  const std::vector<const Column*> needed = columns_behind_states(loaded);
  const std::size_t n_least = loaded.model->is_algebraic() ? 1 : 2;
  MatchingPoints points{{}, {0}, {}, {}, {}};
  for (std::size_t w : windows) {
    const std::vector<std::size_t> rows = complete_rows(data.windows[w], needed);
    // A trajectory starts from the first snapshot.
    if (rows.size() < std::min(n_least, data.windows[w].n_rows) || rows[0] != data.windows[w].first_row)
      continue;
    const std::size_t last = rows.size() - 1;
    for (std::size_t k = 0; k <= last; ++k) {
      points.rows.push_back(rows[k]);
      points.times.push_back(time[rows[k]] - time[data.windows[w].first_row]);
      const double around = time[rows[std::min(k + 1, last)]] - time[rows[k > 0 ? k - 1 : 0]];
      points.weights.push_back(
          last == 0 ? 1 : static_cast<double>(last) * around / 2 / (time[rows[last]] - time[rows[0]]));
    }
    points.windows.push_back(w);
    points.first.push_back(points.rows.size());
  }
  return points;
}

MeasuredStates measure_states(const LoadedModel& loaded, const MatchingPoints& points) {
  const BoundModel& model = *loaded.model;
  if (loaded.spec->grid.is_given) return {.obstacle = "the model has fields"};
  if (model.is_algebraic()) return measured_outputs(loaded, points);
  MeasuredStates measured;
  for (std::size_t s = 0; s < model.states.size(); ++s) {
    const BoundState& state = model.states[s];
    const std::vector<NodeId> leaves = leaves_behind(model, {state.initial});
    if (!follows_from_snapshot(loaded, leaves, s, points)) {
      measured.values.emplace_back();
      measured.is_angle.push_back(0);
      continue;
    }
    measured.values.push_back(evaluate_at(loaded, state.initial, leaves, points.rows));
    measured.is_angle.push_back(model.graph[state.initial].operation == Operation::atan2 ? 1 : 0);
  }
  return measured;
}

}  // namespace greybox
