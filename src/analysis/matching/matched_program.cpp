#include "analysis/matching/matched_program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/reachable.hpp"

namespace greybox {
namespace {

const LeafRef& leaf_of(const BoundModel& model, NodeId id) {
  return model.leaves[model.graph[id].leaf_id];
}

AlignedBuffer<double> buffer_of(const std::vector<double>& values) {
  AlignedBuffer<double> buffer(values.size() + MatchedProgram::kChunk);
  std::copy(values.begin(), values.end(), buffer.data());
  return buffer;
}

}  // namespace

std::string MatchedProgram::obstacle(const BoundModel& model) {
  if (model.spec->grid.is_given) return "the model has fields";
  for (const BoundNetwork& network : model.networks)
    if (!network.is_estimator && network.rate != Rate::evaluation)
      return fmt::format("network `{}` reads the window", network.spec->name);
  return obstacle_of_constraints(model);
}

// The number of outputs where the node is none.
std::size_t MatchedProgram::place_of(NodeId id) const {
  return static_cast<std::size_t>(std::ranges::find(free_outputs_, id, &FreeOutput::node) -
                                  free_outputs_.begin());
}

std::vector<NodeId> MatchedProgram::leaves_of(const std::vector<NodeId>& roots) const {
  std::vector<NodeId> leaves;
  const auto is_free = [&](NodeId id) { return place_of(id) < free_outputs_.size(); };
  visit_dependencies(model_->graph, roots, is_free, [&](NodeId id) {
    if (model_->graph[id].operation == Operation::leaf || is_free(id)) leaves.push_back(id);
  });
  return leaves;
}

MatchedProgram::MatchedProgram(const LoadedModel& loaded, const MatchingPoints& points,
                               const MatchedData& data, const std::vector<NodeId>& roots)
    : model_(loaded.model.get()),
      n_points_(points.size()),
      free_outputs_(free_outputs(*loaded.model)),
      leaves_(leaves_of(roots)),
      program_(loaded.model->graph, leaves_, roots, Grid{}),
      frame_(program_, kChunk) {
  place_inputs(loaded, points, data);
  for (std::size_t p = 0; p < loaded.spec->parameters.size(); ++p) {
    theta_.emplace_back(kChunk);
    theta_gradients_.emplace_back(kChunk);
  }
  for (std::size_t o = 0; o < free_outputs_.size(); ++o) output_gradients_.emplace_back(kChunk);
}

void MatchedProgram::place_inputs(const LoadedModel& loaded, const MatchingPoints& points,
                                  const MatchedData& data) {
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    if (const std::size_t output = place_of(leaves_[i]); output < free_outputs_.size()) {
      outputs_.emplace_back(i, output);
      continue;
    }
    const LeafRef& leaf = leaf_of(*model_, leaves_[i]);
    if (leaf.kind == LeafKind::parameter)
      parameters_.emplace_back(i, leaf.index);
    else
      given_.emplace_back(i, buffer_of(values_of(leaf, loaded, points, data)));
  }
}

std::vector<double> MatchedProgram::values_of(const LeafRef& leaf, const LoadedModel& loaded,
                                              const MatchingPoints& points, const MatchedData& data) const {
  const WindowData& windows = loaded.data->windows();
  if (leaf.kind == LeafKind::state)
    return loaded.model->is_algebraic() ? data.derivatives[leaf.index] : data.states[leaf.index];
  if (leaf.kind == LeafKind::time) return points.times;
  std::vector<double> values(points.size());
  for (std::size_t w = 0; w < points.n_windows(); ++w) {
    const std::size_t first_row = windows.windows[points.windows[w]].first_row;
    for (std::size_t p = points.first[w]; p < points.first[w + 1]; ++p) {
      if (leaf.kind == LeafKind::start_time)
        values[p] = windows.table->time[first_row];
      else if (leaf.kind == LeafKind::input)
        values[p] = windows.columns[model_->input_columns[leaf.index]]->at(points.rows[p]);
      else if (leaf.kind == LeafKind::snapshot)
        values[p] = windows.columns[leaf.index]->at(first_row + leaf.position);
      else
        values[p] = windows.columns[leaf.index]->at(points.rows[p]);
    }
  }
  return values;
}

MatchedProgram::Outputs MatchedProgram::make_outputs() const {
  Outputs outputs;
  for (std::size_t o = 0; o < free_outputs_.size(); ++o) outputs.emplace_back(n_points_ + kChunk);
  return outputs;
}

void MatchedProgram::set_theta(std::span<const double> theta) {
  for (std::size_t p = 0; p < theta.size(); ++p) theta_[p].fill(theta[p]);
}

void MatchedProgram::set_state(std::size_t state, std::span<const double> values) {
  for (auto& [input, given] : given_) {
    const LeafRef& leaf = leaf_of(*model_, leaves_[input]);
    if (leaf.kind == LeafKind::state && leaf.index == state) std::ranges::copy(values, given.data());
  }
}

void MatchedProgram::forward(std::size_t begin, std::size_t n, const Outputs& outputs) {
  for (const auto& [input, parameter] : parameters_)
    frame_.bind(input, theta_[parameter].data(), theta_gradients_[parameter].data());
  for (const auto& [input, output] : outputs_)
    frame_.bind(input, outputs[output].data() + begin, output_gradients_[output].data());
  for (const auto& [input, values] : given_) frame_.bind(input, values.data() + begin);
  for (std::size_t s = 0; s < program_.n_sections(); ++s) frame_.forward(s, n);
}

void MatchedProgram::clear_gradients() {
  frame_.clear_gradients();
  for (AlignedBuffer<double>& gradient : theta_gradients_) gradient.fill(0);
  for (AlignedBuffer<double>& gradient : output_gradients_) gradient.fill(0);
}

void MatchedProgram::reverse(std::size_t n) {
  for (std::size_t s = program_.n_sections(); s > 0; --s) frame_.reverse(s - 1, n);
}

void MatchedProgram::add_theta_gradient(std::size_t n, std::span<double> grad_theta) const {
  for (std::size_t p = 0; p < grad_theta.size(); ++p)
    for (std::size_t i = 0; i < n; ++i) grad_theta[p] += theta_gradients_[p][i];
}

}  // namespace greybox
