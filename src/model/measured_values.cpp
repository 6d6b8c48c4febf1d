#include "model/measured_values.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "model/reachable.hpp"

namespace greybox {
namespace {

constexpr std::uint64_t kScaleStream = 0x5ca1e;

double drawn_value(const ParameterSpec& parameter, std::size_t index, std::size_t draw) {
  const Random random(kScaleStream, Purpose::analysis);
  if (parameter.is_known_by_bounds())
    return parameter.low + (parameter.high - parameter.low) * random.uniform(draw, index);
  const double value = parameter.mean + parameter.sd * random.normal(draw, index);
  return std::clamp(parameter.prior == PriorKind::lognormal ? std::exp(value) : value, parameter.low,
                    parameter.high);
}

// A program of one root, with its inputs in memory of its own.
class Evaluation {
 public:
  Evaluation(const BoundModel& model, const std::vector<NodeId>& leaves, NodeId root, std::size_t n)
      : n_(n), program_(model.graph, leaves, std::span(&root, 1), model.grid()), frame_(program_, n) {}

  void bind(std::size_t input, const std::vector<double>& values) {
    AlignedBuffer<double>& kept = inputs_.emplace_back(padded<double>(values.size()));
    std::ranges::copy(values, kept.data());
    AlignedBuffer<double>& gradient = gradients_.emplace_back(padded<double>(values.size()));
    gradient.fill(0);
    frame_.bind(input, kept.data(), gradient.data());
  }

  const double* forward() {
    for (std::size_t section = 0; section < program_.n_sections(); ++section) frame_.forward(section, n_);
    return frame_.value(program_.output(0));
  }

  void reverse(std::size_t n_values) {
    frame_.clear_gradients();
    double* cotangent = frame_.gradient(program_.output(0));
    for (std::size_t i = 0; i < n_values; ++i) cotangent[i] += 1;
    for (std::size_t section = program_.n_sections(); section > 0; --section) frame_.reverse(section - 1, n_);
  }
  const double* gradient(std::size_t input) const { return gradients_[input].data(); }

 private:
  std::size_t n_;
  Program program_;
  Frame<double> frame_;
  std::vector<AlignedBuffer<double>> inputs_, gradients_;
};

}  // namespace

MeasuredValues::MeasuredValues(const BoundModel& model, const WindowData& data, std::vector<WindowRow> rows)
    : model_(model), data_(data), rows_(std::move(rows)), states_(model.states.size()) {}

std::vector<NodeId> MeasuredValues::leaves_behind(NodeId node) const {
  std::vector<NodeId> leaves;
  visit_dependencies(
      model_.graph, {node}, [](NodeId) { return false; },
      [&](NodeId id) {
        if (model_.graph[id].operation == Operation::leaf) leaves.push_back(id);
      });
  return leaves;
}

double MeasuredValues::leaf_value(const LeafRef& leaf, std::size_t i, std::size_t point) const {
  const WindowRow& at = rows_[i];
  const std::vector<double>& time = data_.table->time;
  switch (leaf.kind) {
    case LeafKind::parameter:
      return drawn_value(model_.spec->parameters[leaf.index], leaf.index, i);
    case LeafKind::snapshot:
      return data_.columns[leaf.index]->at(std::min(at.row + leaf.position, at.last_row), point);
    case LeafKind::row:
      return data_.columns[leaf.index]->at(at.row, point);
    case LeafKind::input:
      return data_.columns[model_.input_columns[leaf.index]]->at(at.row, point);
    case LeafKind::time:
      return time[at.row] - time[at.first_row];
    case LeafKind::start_time:
      return time[at.first_row];
    case LeafKind::draw:
      return centre_of(model_.draws[leaf.index]);
    case LeafKind::generated:
    case LeafKind::solved_state:
    case LeafKind::at_snapshot:
    case LeafKind::state:  // of an algebraic model: what it gives
    case LeafKind::network_output:
    case LeafKind::learned_start:  // in the middle of its prior
      return 0;
  }
  return 0;
}

std::vector<double> MeasuredValues::leaf_values(NodeId node) {
  const LeafRef& leaf = model_.leaves[model_.graph[node].leaf_id];
  if (leaf.kind == LeafKind::state && !model_.is_algebraic()) {
    std::vector<double>& state = states_[leaf.index];
    if (state.empty()) state = values(model_.states[leaf.index].initial);
    return state;
  }
  const std::size_t points = model_.points(model_.graph[node].shape);
  std::vector<double> values(rows_.size() * points);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    for (std::size_t point = 0; point < points; ++point)
      values[i * points + point] = leaf_value(leaf, i, point);
  return values;
}

std::vector<double> MeasuredValues::values(NodeId node) {
  const std::vector<NodeId> leaves = leaves_behind(node);
  Evaluation evaluation(model_, leaves, node, rows_.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) evaluation.bind(i, leaf_values(leaves[i]));
  const double* result = evaluation.forward();
  return {result, result + rows_.size() * model_.points(model_.graph[node].shape)};
}

std::vector<std::vector<double>> MeasuredValues::gradients(NodeId node, const BoundNetwork& network) {
  const std::vector<NodeId> leaves = leaves_behind(node);
  Evaluation evaluation(model_, leaves, node, rows_.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) evaluation.bind(i, leaf_values(leaves[i]));
  evaluation.forward();
  evaluation.reverse(rows_.size() * model_.points(model_.graph[node].shape));
  std::vector<std::vector<double>> gradients(network.outputs.size());
  for (std::size_t o = 0; o < network.outputs.size(); ++o) {
    const auto found = std::ranges::find(leaves, network.outputs[o]);
    if (found == leaves.end()) continue;
    const double* from = evaluation.gradient(static_cast<std::size_t>(found - leaves.begin()));
    gradients[o].assign(from, from + rows_.size() * model_.points(model_.graph[network.outputs[o]].shape));
  }
  return gradients;
}

}  // namespace greybox
